/** Limits the size of answers, and shortens a server's texts for messages. */

import { CatalogError } from "../../model/catalog-error.ts";

/** The maximum size of a body. */
const maxMegabytes = 64;
export const maxBytes: number = maxMegabytes * 1024 * 1024;

/** The failure for an answer that is larger than the maximum. */
export function tooLarge(address: string): CatalogError {
  return new CatalogError("answer", `${address} sent a response of more than ${maxMegabytes} MB`);
}

/** The failure for an answer that ends too early. */
export function truncatedAnswer(address: string): CatalogError {
  const details = { isTransient: true, mayBeTooLarge: true };
  return new CatalogError("answer", `${address} sent a truncated response`, details);
}

/** The maximum length of a server's text in a message. */
const maxLength = 300;
const cut = "… (cut)";

/** The length of the part of a text that is searched for a reason. */
const maxSearched = 20_000;

/** Limits an answer: reading more than 64 MB (uncompressed) throws `CatalogError`. */
export function limitBody(response: Response, address: string): Response {
  if (!response.body || isShort(response)) return response;
  let left = maxBytes;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      left -= chunk.byteLength;
      if (left >= 0) controller.enqueue(chunk);
      else controller.error(tooLarge(address));
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counted), { status, statusText, headers });
}

// `fetch` reads no more than the stated length. Most answers are short, and counting their bytes takes longer than reading them.
// The length of a compressed answer says nothing.
function isShort({ headers }: Response): boolean {
  const length = headers.get("content-length");
  return length !== null && !headers.has("content-encoding") && Number(length) <= maxBytes;
}

/** The reason in a server's text, on one line of at most 300 characters, without the token. */
export function serverText(text: string, token: string | undefined): string {
  const own = token === undefined ? [] : [token, encodeURIComponent(token)];
  const redacted = own.reduce((rest, secret) => rest.replaceAll(secret, "***"), text);
  const line = redacted
    .replaceAll(/\b(Bearer|Basic)[\s:]+[^\s"',;]+/gi, "$1 ***")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();
  const reason = serverReason(line.slice(0, maxSearched));
  // Do not cut a surrogate pair.
  return reason.length <= maxLength
    ? reason
    : `${reason.slice(0, maxLength - cut.length).replace(/[\uD800-\uDBFF]$/, "")}${cut}`;
}

/** The classes of Java exceptions before a message. */
const exceptionClass = /^(?:(?:[a-z_]\w*\.)+[A-Z][\w$]*(?: \[HTTP Status:\d+\])?: +)+/;

/** The reason in the dump of one failed validation (AspectValidationException). */
const reasonOfDump = /\bmsg=(.+?)(?:\)(?=\]|, \w+\()|$)/g;

/**
 * The reason in a message of DataHub, without classes of Java exceptions: the cause in `X. Root cause: Y`, or all reasons in a dump
 * of validations (ValidationExceptionCollection.java). Other messages stay as they are.
 */
function serverReason(message: string): string {
  if (/Exception\(.*\bmsg=/.test(message)) {
    const reasons = [...message.matchAll(reasonOfDump)].flatMap(([, reason = ""]) => plain(reason) || []);
    if (reasons.length > 0) return [...new Set(reasons)].join("; ");
  }
  const text = plain(message);
  const mark = "Root cause: ";
  const cause = text.includes(mark) ? plain(text.slice(text.lastIndexOf(mark) + mark.length)) : "";
  if (cause !== "" && cause !== "null") return cause;
  return text.split(/\.? *Root cause:/)[0] || message;
}

function plain(text: string): string {
  return text.trim().replace(exceptionClass, "");
}

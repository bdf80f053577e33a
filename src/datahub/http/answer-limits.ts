/** Limits the size of responses, and shortens server messages. */

import { CatalogError } from "../../model/catalog-error.ts";

/** The maximum size of a response body. */
const maxMegabytes = 64;
export const maxBytes: number = maxMegabytes * 1024 * 1024;

/** Returns the error for a response that exceeds the maximum size. */
export function tooLarge(address: string): CatalogError {
  return new CatalogError("answer", `${address} sent a response of more than ${maxMegabytes} MB`);
}

/** Returns the error for a truncated response. */
export function truncatedAnswer(address: string): CatalogError {
  const details = { isTransient: true, mayBeTooLarge: true };
  return new CatalogError("answer", `${address} sent a truncated response`, details);
}

/** The maximum length of a server message, in characters. */
const maxLength = 300;
const cut = "… (cut)";

/** The reason is searched for only in the first `maxSearched` characters of a server message. */
const maxSearched = 20_000;

/** Limits the size of a response. Reading more than 64 MB (uncompressed) throws `CatalogError`. */
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

// Whether the content length guarantees that a response does not exceed the maximum. For most responses, counting the bytes would
// take longer than reading the response. `fetch` never reads more than the content length, but for a compressed response, the
// content length does not limit the uncompressed size.
function isShort({ headers }: Response): boolean {
  const length = headers.get("content-length");
  return length !== null && !headers.has("content-encoding") && Number(length) <= maxBytes;
}

/** Extracts the reason from a server message, as one line of at most 300 characters. Redacts the token. */
export function serverText(text: string, token: string | undefined): string {
  const own = token === undefined ? [] : [token, encodeURIComponent(token)];
  const redacted = own.reduce((rest, secret) => rest.replaceAll(secret, "***"), text);
  const line = redacted
    .replaceAll(/\b(Bearer|Basic)[\s:]+[^\s"',;]+/gi, "$1 ***")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();
  const reason = serverReason(line.slice(0, maxSearched));
  // Do not split a surrogate pair.
  return reason.length <= maxLength
    ? reason
    : `${reason.slice(0, maxLength - cut.length).replace(/[\uD800-\uDBFF]$/, "")}${cut}`;
}

/** Matches the names of Java exception classes before a message. */
const exceptionClass = /^(?:(?:[a-z_]\w*\.)+[A-Z][\w$]*(?: \[HTTP Status:\d+\])?: +)+/;

/** Matches each reason in a dump of failed validations (AspectValidationException). */
const reasonOfDump = /\bmsg=(.+?)(?:\)(?=\]|, \w+\()|$)/g;

/**
 * Extracts the reason from a DataHub message, without Java exception classes. The reason is the cause in `X. Root cause: Y`, or
 * all reasons in a dump of failed validations (ValidationExceptionCollection.java). Other messages are returned unchanged.
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

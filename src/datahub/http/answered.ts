import { CatalogError } from "../../model/catalog-error.ts";

/** The largest body that is read. */
const maxMegabytes = 64;
export const maxBytes: number = maxMegabytes * 1024 * 1024;

/** An answer is larger than what is read of one. */
export function tooLarge(address: string): CatalogError {
  return new CatalogError("answer", `${address} answered more than ${maxMegabytes} MB`);
}

/** The connection or the text of an answer ended before the answer did. */
export function cutOff(address: string): CatalogError {
  const details = { isTransient: true, isPerhapsTooLarge: true };
  return new CatalogError("answer", `${address} answered only in part: its answer is cut off`, details);
}

/** The longest text of a server in a message. */
const longest = 300;
const cut = "… (cut)";

/** How much of a text is searched for its reason. */
const maxSearched = 20_000;

/** The same answer, which throws `CatalogError` after 64 MB (uncompressed) have been read. */
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

// No more is read than the stated length. Most answers are short, and counting their bytes takes longer than
// read them. The length of a compressed one says nothing.
function isShort({ headers }: Response): boolean {
  const length = headers.get("content-length");
  return length !== null && !headers.has("content-encoding") && Number(length) <= maxBytes;
}

/** A server's text for use in a message: its reason, on one line of at most 300 characters, without the token. */
export function serverText(text: string, token: string | undefined): string {
  const own = token === undefined ? [] : [token, encodeURIComponent(token)];
  const redacted = own.reduce((rest, secret) => rest.replaceAll(secret, "***"), text);
  const line = redacted
    .replaceAll(/\b(Bearer|Basic)[\s:]+[^\s"',;]+/gi, "$1 ***")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();
  const reason = serverReason(line.slice(0, maxSearched));
  // Not in the middle of a character.
  return reason.length <= longest
    ? reason
    : `${reason.slice(0, longest - cut.length).replace(/[\uD800-\uDBFF]$/, "")}${cut}`;
}

/** The class of a Java exception and all else before its message. */
const exceptionClass = /^(?:(?:[a-z_]\w*\.)+[A-Z][\w$]*(?: \[HTTP Status:\d+\])?: +)+/;

/** The reason in the dump of one failed validation (AspectValidationException), up to the end of that. */
const reasonOfDump = /\bmsg=(.+?)(?:\)(?=\]|, \w+\()|$)/g;

/**
 * The reason in a message of DataHub, on one line: without the classes of Java's exceptions, of `X. Root cause: Y` the cause, and of
 * dumped validations what each says (ValidationExceptionCollection.java). Any other message as it is.
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

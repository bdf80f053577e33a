/** A Java exception by its class, with all that stands before a message. */
const exceptionClass = /^(?:(?:[a-z_]\w*\.)+[A-Z][\w$]*(?: \[HTTP Status:\d+\])?: +)+/;

/** The reason in the dump of one failed validation (AspectValidationException), up to the end of that. */
const reasonOfDump = /\bmsg=(.+?)(?:\)(?=\]|, \w+\()|$)/g;

/**
 * The reason in a message of DataHub, on one line: without the classes of Java's exceptions, of `X. Root cause: Y` the cause, and of
 * dumped validations what each says (ValidationExceptionCollection.java). Any other message as it is.
 */
export function serverReason(message: string): string {
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

/**
 * An address as messages may show it: without user name, password, query and fragment. Anything may be given, also what is no
 * address: then what stands before an `@` is left out, too.
 */
export function withoutSecrets(address: string): string {
  const [shown = ""] = address.replace(/^([a-z][a-z0-9+.-]*:\/*)?.*@/is, "$1").split(/[?#]/);
  return shown;
}

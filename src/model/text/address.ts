/** An address without user name, password, query and fragment; of any other text without what is before an `@`. */
export function withoutSecrets(address: string): string {
  const [shown = ""] = address.replace(/^([a-z][a-z0-9+.-]*:\/*)?.*@/is, "$1").split(/[?#]/);
  return shown;
}

/** An address without user name, password, query and fragment; of any other text without what is before an `@`. */
export function withoutSecrets(address: string): string {
  const [shown = ""] = address.replace(/^([a-z][a-z0-9+.-]*:\/*)?.*@/is, "$1").split(/[?#]/);
  return shown;
}

/** A text whose addresses are without secrets. */
export function withoutSecretsInAddresses(text: string): string {
  return text.replaceAll(/\b[a-z][a-z0-9+.-]*:\/\/[^\s'"<>]+/gi, withoutSecrets);
}

/** Removes secrets from addresses, and from texts that contain addresses. */

/** Returns the address without user name, password, query and fragment; for any other text, removes everything before an `@`. */
export function withoutSecrets(address: string): string {
  const [shown = ""] = address.replace(/^([a-z][a-z0-9+.-]*:\/*)?.*@/is, "$1").split(/[?#]/);
  return shown;
}

/** Removes secrets from each address in a text. */
export function withoutSecretsInAddresses(text: string): string {
  return text.replaceAll(/\b[a-z][a-z0-9+.-]*:\/\/[^\s'"<>]+/gi, withoutSecrets);
}

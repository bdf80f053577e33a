/** Removes secrets from URLs, and from texts that contain URLs. */

/** Removes the user name, password, query and fragment from a URL. From any other text, removes everything up to the last `@`. */
export function withoutSecrets(address: string): string {
  const [shown = ""] = address.replace(/^([a-z][a-z0-9+.-]*:\/*)?.*@/is, "$1").split(/[?#]/);
  return shown;
}

/** Removes secrets from each URL in a string. */
export function withoutSecretsInAddresses(text: string): string {
  return text.replaceAll(/\b[a-z][a-z0-9+.-]*:\/\/[^\s'"<>]+/gi, withoutSecrets);
}

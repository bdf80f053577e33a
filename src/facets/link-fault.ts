/** Detects picture links that newer servers refuse. */

/** The reason why a server refuses a link. */
export type LinkFault = "insecure-link" | "private-link";

/**
 * Matches host names that resolve only in local networks: names without a dot, and reserved names (RFC 2606, RFC 6761, RFC 6762,
 * RFC 8375).
 */
const privateName = /^[^.]*$|\.(?:localhost|local|internal|home\.arpa|invalid|test)$/;

/** Matches unspecified, private, loopback and link-local IPv4 addresses, as written in URLs. */
const privateAddress = /^(?:0|10|127|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168)\.[\d.]+$/;

/**
 * Matches unspecified, private, loopback and link-local IPv6 addresses, and any IPv4 address in IPv6 notation (`::ffff:a00:1`).
 */
const privateAddress6 = /^\[(?:::1?\]|::ffff:|f[cd]|fe[89ab])/;

/**
 * Returns the reason why newer servers refuse a link; `undefined` if they accept it. DataHub 1.6.0.1 and later load pictures only
 * over `https:`, and not from their own network (UrlValidator.java). They also resolve the host, which this function does not do.
 * A relative path is accepted.
 */
export function linkFault(link: string): LinkFault | undefined {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(link)) return undefined;
  if (!/^https:/i.test(link)) return "insecure-link";
  return URL.canParse(link) && isPrivate(new URL(link).hostname.replace(/\.$/, ""))
    ? "private-link"
    : undefined;
}

function isPrivate(host: string): boolean {
  return host.startsWith("[")
    ? privateAddress6.test(host)
    : privateAddress.test(host) || privateName.test(host);
}

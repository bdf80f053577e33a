/** Why newer servers refuse a link, by its text. */
export type LinkFault = "insecure-link" | "private-link";

/** Names that only a local network knows: those without a dot, and reserved ones (RFC 2606, RFC 6761, RFC 6762, RFC 8375). */
const privateName = /^[^.]*$|\.(?:localhost|local|internal|home\.arpa|invalid|test)$/;

/** IPv4 addresses of no network, of private ones, of the machine itself and of one link, as a URL writes them. */
const privateAddress = /^(?:0|10|127|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168)\.[\d.]+$/;

/** The same of IPv6, and IPv4 addresses in it (`::ffff:a00:1`), whichever these are. */
const privateAddress6 = /^\[(?:::1?\]|::ffff:|f[cd]|fe[89ab])/;

/**
 * What is wrong with a link to a picture: DataHub 1.6.0.1 and later load pictures themselves, by `https:` alone and not from their
 * own network (UrlValidator.java). They look the host up, too; that is not done here. A path is no fault.
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

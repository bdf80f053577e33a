/** Checks the picture links of users and groups. */

import { isIP } from "node:net";
import type { JsonObject } from "../../model/json.ts";
import { stringAt } from "../json.ts";
import { invalid } from "../errors.ts";

const aspects: ReadonlySet<string> = new Set(["corpUserEditableInfo", "corpGroupEditableInfo"]);

/** Matches host names that cannot be resolved: names without a dot, and reserved names (RFC 2606, RFC 6762, RFC 8375). */
const unresolvable = /^[^.]*$|\.(?:invalid|test|local|internal|home\.arpa)$/;

const privateAddress =
  /^(?:0|10|127|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168)\.|^(?:::1?$|f[cd]|fe[89ab])/;

/**
 * Checks a picture link as DataHub does (UrlValidator.java). DataHub loads pictures itself, so it requires https and rejects
 * private network addresses. Unlike DataHub, this function recognizes unresolvable host names by their form, without a DNS
 * lookup.
 * @throws RequestError with DataHub's reason.
 */
export function checkPictureLink(aspect: string, value: JsonObject): void {
  const link = stringAt(value, "pictureLink") ?? "";
  if (!aspects.has(aspect) || !/^[a-z][a-z0-9+.-]*:/i.test(link)) return;
  const reason = reasonAgainst(link);
  if (reason !== undefined) throw invalid(`pictureLink: ${reason}`);
}

function reasonAgainst(link: string): string | undefined {
  if (!URL.canParse(link)) return `'${link}' is not a valid URL`;
  const { protocol, hostname } = new URL(link);
  if (protocol !== "https:") return `URL scheme '${protocol.slice(0, -1)}' is not allowed`;
  const host = hostname.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  if (/(?:^|\.)localhost$/.test(host) || (isIP(host) > 0 && privateAddress.test(host)))
    return `URL '${link}' points to a private/internal network address`;
  if (isIP(host) === 0 && unresolvable.test(host)) return `the host of URL '${link}' cannot be resolved`;
  return undefined;
}

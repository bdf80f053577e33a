/** Finds an entity's page in DataHub's web interface. */

import { kindOfUrn } from "../../kinds/index.ts";
import { isUrn } from "../../model/urn.ts";

/**
 * Returns the URL of an entity's page. Returns `undefined` if the URL of the web interface is unknown, the kind has no pages, or
 * the URN contains half a surrogate pair, which a URL cannot contain. Escapes percent signs twice, because the web interface
 * decodes URNs twice (`urlEncodeUrn` in datahub-web-react/src/app/entity/shared/utils.ts).
 */
export function pageOf(urn: string, links: string | undefined): string | undefined {
  const page = links !== undefined && isUrn(urn) ? kindOfUrn(urn)?.page : undefined;
  if (page === undefined || /\p{Surrogate}/u.test(urn)) return undefined;
  return `${links}/${page}/${encodeURIComponent(urn.replaceAll("%", "{{encoded_percent}}"))}/`;
}

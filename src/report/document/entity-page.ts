/** Finds the page of an entity in DataHub's web interface. */

import { kindOfType } from "../../kinds/index.ts";
import { entityTypeOf, isUrn } from "../../model/urn.ts";

/**
 * The page of an entity, below the address of the interface. `undefined` without an address, for a kind without pages, and for
 * a URN with half of a surrogate pair, which no address can contain. The interface decodes a URN twice, so percent signs have
 * an escape of their own (`urlEncodeUrn` in datahub-web-react/src/app/entity/shared/utils.ts).
 */
export function pageOf(urn: string, links: string | undefined): string | undefined {
  const page = links !== undefined && isUrn(urn) ? kindOfType(entityTypeOf(urn))?.page : undefined;
  if (page === undefined || /\p{Surrogate}/u.test(urn)) return undefined;
  return `${links}/${page}/${encodeURIComponent(urn.replaceAll("%", "{{encoded_percent}}"))}/`;
}

import { kindOfType } from "../../kinds/index.ts";
import { entityTypeOf, isUrn } from "../../model/urn.ts";

/**
 * The page of an entity in DataHub's web interface at an address. `undefined` without an address, and for what has no page, such
 * as a URN with half of a surrogate pair, which no address can contain.
 * The interface decodes a URN twice, so it writes a percent sign in its own way (`urlEncodeUrn` in
 * datahub-web-react/src/app/entity/shared/utils.ts).
 */
export function pageOf(urn: string, links: string | undefined): string | undefined {
  const page = links !== undefined && isUrn(urn) ? kindOfType(entityTypeOf(urn))?.page : undefined;
  if (page === undefined || /\p{Surrogate}/u.test(urn)) return undefined;
  return `${links}/${page}/${encodeURIComponent(urn.replaceAll("%", "{{encoded_percent}}"))}/`;
}

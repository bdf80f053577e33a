/** Extracts the URN from a search result or a relationship. */

import { isJsonObject } from "../../model/json.ts";
import { isUrn, type Urn } from "../../model/urn.ts";

/** Returns the entity's URN, or `undefined` if there is none. */
export function foundUrn(result: unknown): Urn | undefined {
  const entity = isJsonObject(result) ? result["entity"] : undefined;
  const urn = isJsonObject(entity) ? entity["urn"] : undefined;
  return isUrn(urn) ? urn : undefined;
}

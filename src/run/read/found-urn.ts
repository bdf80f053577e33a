import { isJsonObject } from "../../model/json.ts";
import { isUrn, type Urn } from "../../model/urn.ts";

/** The URN of the entity in a result of a search, or at the end of a relationship; `undefined` for what has none. */
export function foundUrn(result: unknown): Urn | undefined {
  const entity = isJsonObject(result) ? result["entity"] : undefined;
  const urn = isJsonObject(entity) ? entity["urn"] : undefined;
  return isUrn(urn) ? urn : undefined;
}

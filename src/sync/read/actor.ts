/** Determines which user the token belongs to. */

import type { Reader } from "../../datahub/client.ts";
import { CatalogError } from "../../model/catalog-error.ts";
import { isJsonObject } from "../../model/json.ts";
import { isUrn, type Urn } from "../../model/urn.ts";

export const actorDocument = "query ReadActor { me { corpUser { urn } } }";

/**
 * Returns the user that the token belongs to. Throws `CatalogError` if the server returns no user, and adds `effect` to the
 * message.
 */
export async function readActor(reader: Reader, signal?: AbortSignal, effect = ""): Promise<Urn> {
  const { data, errors } = await reader.query(actorDocument, {}, signal);
  const me: unknown = data?.["me"];
  const user = isJsonObject(me) ? me["corpUser"] : undefined;
  const urn = isJsonObject(user) ? user["urn"] : undefined;
  if (isUrn(urn)) return urn;
  const reason = errors[0]?.message ?? "the response contains no user";
  throw new CatalogError("answer", `could not determine which user the token belongs to${effect}: ${reason}`);
}

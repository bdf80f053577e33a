/** Finds out who added an element to a list of associations. */

import { isJsonList, isJsonObject, type Json, type JsonObject } from "../model/json.ts";

/**
 * The key that distinguishes sources in patches. It comes first, as in DataHub's own client: servers before 1.6 do not understand a
 * path that ends with an empty key, which an element without attribution would have (TemplateUtil.java).
 */
export const attributionSource = "attribution\u241Fsource";

/**
 * The attribution of the entries that `isMeant` accepts. Each source can have its own entry for a value (TagAssociation.pdl), so
 * the newest attribution counts.
 */
export function attributionIn(
  list: Json | undefined,
  isMeant: (entry: JsonObject) => boolean,
): JsonObject | undefined {
  const found = (isJsonList(list) ? list : [])
    .filter(isJsonObject)
    .filter(isMeant)
    .flatMap(({ attribution }) => (isJsonObject(attribution) ? [attribution] : []));
  return found.toSorted((a, b) => timeOf(b) - timeOf(a))[0];
}

function timeOf({ time }: JsonObject): number {
  return typeof time === "number" ? time : 0;
}

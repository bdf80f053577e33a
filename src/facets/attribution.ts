import { isJsonList, isJsonObject, type Json, type JsonObject } from "../model/json.ts";

/**
 * The key of patches that tells apart what several sources say. It comes first, as DataHub's own client has it: servers before
 * 1.6 do not understand a path that ends with an empty key, which is that of a value without attribution (TemplateUtil.java).
 */
export const attributionSource = "attribution\u241Fsource";

/**
 * Who put a value into a list of associations, as those entries say that are meant. Each source that knows of a value
 * may have an entry of its own (TagAssociation.pdl), so the newest of several counts.
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

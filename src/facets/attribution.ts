import { isJsonList, isJsonObject, type Json, type JsonObject } from "../model/json.ts";

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

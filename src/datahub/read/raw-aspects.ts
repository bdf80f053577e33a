import { isJsonObject, type JsonObject } from "../../model/json.ts";

/** An answered entity whose list of raw aspects has become an object: each aspect by its name. */
export function withRawAspects(answered: JsonObject): JsonObject {
  const { aspects } = answered;
  if (!Array.isArray(aspects)) return answered;
  const byName: Record<string, JsonObject> = {};
  for (const aspect of aspects) {
    if (!isJsonObject(aspect) || typeof aspect["aspectName"] !== "string") continue;
    const value: unknown = typeof aspect["payload"] === "string" ? JSON.parse(aspect["payload"]) : undefined;
    if (isJsonObject(value)) byName[aspect["aspectName"]] = value;
  }
  return { ...answered, aspects: byName };
}

import { canonicalJson, isJsonObject, type JsonObject } from "../model/json.ts";

/** The entities of an answer. */
interface AnsweredEntities {
  readonly found: ReadonlyMap<string, JsonObject>;
  /** Those that were answered twice, and differently: nobody can tell which of them holds. */
  readonly twofold: ReadonlySet<string>;
}

/** The entities of an answer by URN. What has none is left out. */
export function byUrn(entities: readonly unknown[]): AnsweredEntities {
  const found = new Map<string, JsonObject>();
  const twofold = new Set<string>();
  for (const entity of entities) {
    const urn = isJsonObject(entity) ? entity["urn"] : undefined;
    if (!isJsonObject(entity) || typeof urn !== "string") continue;
    const before = found.get(urn);
    if (before && canonicalJson(before) !== canonicalJson(entity)) twofold.add(urn);
    found.set(urn, entity);
  }
  return { found, twofold };
}

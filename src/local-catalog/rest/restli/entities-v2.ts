import type { Json, JsonObject } from "../../../model/json.ts";
import type { StoredAspect } from "../../store/aspect-store.ts";
import { systemUser } from "../../store/audit.ts";
import { parseEntityUrn, type EntityUrn } from "../../registry/entity-urn.ts";
import type { RestAnswer, RestContext } from "../exchange.ts";

/**
 * Reads the aspects of an entity: all, or the ones in `aspects=List(a,b)`. The key aspect is always included, and derived
 * from the URN if the entity does not exist (EntityServiceImpl, alwaysIncludeKeyAspect).
 */
export function readEntity(urn: string, query: URLSearchParams, { store }: RestContext): RestAnswer {
  const entity = parseEntityUrn(urn);
  const { name: entityName, keyAspect } = entity.type;
  const wanted = namesIn(query.get("aspects"));
  const aspects: Record<string, Json> = {};
  if (query.get("alwaysIncludeKeyAspect") !== "false") aspects[keyAspect] = derivedKey(entity);
  for (const [name, stored] of store.latestOf(urn)) {
    if (!wanted || wanted.has(name) || name === keyAspect) aspects[name] = envelope(name, stored);
  }
  return { status: 200, body: { urn, entityName, aspects } };
}

function namesIn(list: string | null): ReadonlySet<string> | undefined {
  const names = /^List\((.*)\)$/s.exec(list ?? "")?.[1];
  return names === undefined || names === "" ? undefined : new Set(names.split(","));
}

function envelope(name: string, { value, systemMetadata, created }: StoredAspect): JsonObject {
  return { name, type: "VERSIONED", version: 0, value, created, systemMetadata };
}

function derivedKey({ type, key }: EntityUrn): JsonObject {
  const created = { time: 0, actor: systemUser };
  return { name: type.keyAspect, type: "VERSIONED", version: 0, value: key, created };
}

import type { Json, JsonObject } from "../../../model/json.ts";
import type { StoredAspect } from "../../store/aspect-store.ts";
import { parseEntityUrn, type EntityUrn } from "../../registry/entity-urn.ts";
import type { RestAnswer, RestContext } from "../exchange.ts";

/**
 * Reads the aspects of an entity, all or those in `aspects=List(a,b)`. The key aspect is always there, made up
 * from the URN for an entity that was never written (EntityServiceImpl, alwaysIncludeKeyAspect).
 */
export function readEntity(urn: string, query: URLSearchParams, { store }: RestContext): RestAnswer {
  const checked = parseEntityUrn(urn);
  const wanted = namesIn(query.get("aspects"));
  const aspects: Record<string, Json> = {};
  if (query.get("alwaysIncludeKeyAspect") !== "false") aspects[checked.type.keyAspect] = madeUpKey(checked);
  for (const [name, stored] of store.latestOf(urn)) {
    if (!wanted || wanted.has(name) || name === checked.type.keyAspect)
      aspects[name] = envelope(name, stored);
  }
  return { status: 200, body: { urn, entityName: checked.type.name, aspects } };
}

function namesIn(list: string | null): ReadonlySet<string> | undefined {
  const names = /^List\((.*)\)$/s.exec(list ?? "")?.[1];
  return names === undefined || names === "" ? undefined : new Set(names.split(","));
}

function envelope(name: string, { value, systemMetadata, created }: StoredAspect): JsonObject {
  return { name, type: "VERSIONED", version: 0, value, created, systemMetadata };
}

function madeUpKey({ type, key }: EntityUrn): JsonObject {
  const created = { time: 0, actor: "urn:li:corpuser:__datahub_system" };
  return { name: type.keyAspect, type: "VERSIONED", version: 0, value: key, created };
}

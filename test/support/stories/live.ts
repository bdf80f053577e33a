import { parse } from "yaml";
import { kindOfType } from "../../../src/kinds/index.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject, textOf } from "../../../src/model/json.ts";
import { keyOf, plainKeyOf } from "../../../src/model/urn.ts";
import type { MadeAspect } from "../catalog.ts";
import { urn } from "../states.ts";

/**
 * The aspects of a catalog in the short form of stories: entity types, below each the ids of its entities, and below an id its
 * display name or its aspects. What a kind needs has a default; an aspect that is `null` is left out. Of a dataset the id is
 * `platform,name`. An aspect that is a list is written in short:
 *
 *     tag: [pii, gold]
 *     domain: { finance: Finance }
 *     dataset:
 *       snowflake,orders:
 *         schemaMetadata: [id, { email: [pii] }]      # columns, with their ingested tags
 *         editableSchemaMetadata: [{ id: [gold] }]    # columns, with the tags that people gave them
 *         globalTags: [gold]
 *         glossaryTerms: [revenue]
 *         domains: [finance]
 *         ownership: [alice, bob DATA_STEWARD]
 */
export function liveAspects(text: string): readonly MadeAspect[] {
  const byType = (parse(text) ?? {}) as JsonObject;
  return Object.entries(byType).flatMap(([type, entities = null]) =>
    Object.entries(asMapping(entities)).flatMap(([id, written = null]) => aspectsOf(type, id, written)),
  );
}

function aspectsOf(type: string, id: string, written: Json): readonly MadeAspect[] {
  const of = urnOf(type, id);
  const name = typeof written === "string" ? written : undefined;
  const aspects: JsonObject = {
    ...defaultAspects(type, of, name),
    ...(isJsonObject(written) ? written : {}),
  };
  return Object.entries(aspects).flatMap(([aspect, value = null]): readonly MadeAspect[] => {
    if (value === null) return [];
    return [[of, aspect, isJsonList(value) ? inFull(aspect, value, of) : (value as JsonObject)]];
  });
}

/** What an entity has that was created, or ingested. */
function defaultAspects(type: string, of: string, name: string | undefined): JsonObject {
  const kind = kindOfType(type);
  if (!kind) return {};
  const key = keyOf(urn(of));
  if (kind.lifecycle === "observed" && !["dataset", "container"].includes(type))
    return { status: { removed: false } };
  if (kind.lifecycle === "observed") {
    return { [`${type}Properties`]: { name: name ?? kind.asset?.nameOf(urn(of)) ?? key } };
  }
  const aspects = kind.initial(key);
  const [aspect = "", field = ""] = kind.storage[kind.displayName ?? ""] ?? [];
  return { ...aspects, [aspect]: { ...aspects[aspect], [field]: name ?? plainKeyOf(urn(of)) } };
}

/** An aspect that is written as a list. */
function inFull(aspect: string, list: readonly Json[], of: string): JsonObject {
  switch (aspect) {
    case "globalTags":
      return tagsOf(list);
    case "glossaryTerms":
      return { auditStamp: stamp, terms: list.map((id) => ({ urn: urnOf("glossaryTerm", textOf(id)) })) };
    case "domains":
      return { domains: list.map((id) => urnOf("domain", textOf(id))) };
    case "groupMembership":
      return { groups: list.map((id) => urnOf("corpGroup", textOf(id))) };
    case "nativeGroupMembership":
      return { nativeGroups: list.map((id) => urnOf("corpGroup", textOf(id))) };
    case "ownership":
      return { owners: list.map(ownerOf), lastModified: stamp };
    case "schemaMetadata":
      return schemaOf(list, of);
    case "editableSchemaMetadata":
      return { editableSchemaFieldInfo: list.map(columnOf), created: stamp, lastModified: stamp };
    default:
      throw new Error(`the aspect ${aspect} has no short form`);
  }
}

const stamp = { time: 0, actor: "urn:li:corpuser:unknown" };

function schemaOf(columns: readonly Json[], of: string): JsonObject {
  const [, platform = ""] = /\((urn:li:dataPlatform:[^,]+),/.exec(of) ?? [];
  return {
    schemaName: "s",
    platform,
    version: 0,
    hash: "",
    platformSchema: { "com.linkedin.schema.OtherSchema": { rawSchema: "" } },
    fields: columns.map((column) => ({
      nullable: false,
      type: { type: { "com.linkedin.schema.StringType": {} } },
      nativeDataType: "text",
      recursive: false,
      ...columnOf(column),
    })),
  };
}

/** A column: its path, or its path with its tags, or with other fields. */
function columnOf(written: Json): JsonObject {
  if (!isJsonObject(written)) return { fieldPath: written };
  const [fieldPath = ""] = Object.keys(written);
  const value = written[fieldPath] ?? null;
  return { fieldPath, ...(isJsonList(value) ? { globalTags: tagsOf(value) } : asMapping(value)) };
}

function tagsOf(ids: readonly Json[]): JsonObject {
  return { tags: ids.map((id) => (isJsonObject(id) ? id : { tag: urnOf("tag", textOf(id)) })) };
}

/** `alice`, or `alice DATA_STEWARD`; an owner in another form is taken as stored. */
function ownerOf(written: Json): Json {
  if (typeof written !== "string") return written;
  const [id = "", type = "TECHNICAL_OWNER"] = written.split(" ");
  const typeUrn = `urn:li:ownershipType:__system__${type.toLowerCase()}`;
  return { owner: urnOf("corpuser", id), type, typeUrn };
}

function urnOf(type: string, id: string): string {
  if (id.startsWith("urn:li:")) return id;
  const [platform, name, env = "PROD"] = id.split(",");
  const key = type === "dataset" ? `(urn:li:dataPlatform:${platform},${name},${env})` : id;
  return `urn:li:${type}:${key}`;
}

function asMapping(value: Json): JsonObject {
  if (isJsonList(value)) return Object.fromEntries(value.map((id) => [textOf(id), null]));
  return isJsonObject(value) ? value : {};
}

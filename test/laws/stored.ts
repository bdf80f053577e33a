import type { AspectRow } from "../../src/local-catalog/server.ts";
import { isJsonObject, type Json, type JsonObject, textOf } from "../../src/model/json.ts";
import {
  type Entity,
  type FacetValue,
  type KindName,
  type Member,
  type Scalar,
  scalarOf,
  setOf,
  type SetValue,
  type State,
} from "../../src/model/state.ts";
import { entityTypeOf, type Urn } from "../../src/model/urn.ts";
import { type MadeAspect } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import type { World } from "./worlds.ts";

const kinds: Readonly<Record<string, KindName>> = {
  dataset: "Dataset",
  domain: "Domain",
  tag: "Tag",
  corpuser: "User",
  corpGroup: "Group",
};

const stamp = { time: 0, actor: "urn:li:corpuser:unknown" };

/** In which aspect a single value is kept, and as which of its fields. */
const fields: Readonly<Record<string, Partial<Record<KindName, readonly [aspect: string, field: string]>>>> =
  {
    name: { Domain: ["domainProperties", "name"], Tag: ["tagProperties", "name"] },
    description: {
      Domain: ["domainProperties", "description"],
      Tag: ["tagProperties", "description"],
      User: ["corpUserEditableInfo", "aboutMe"],
      Group: ["corpGroupInfo", "description"],
    },
    parent_domain: { Domain: ["domainProperties", "parentDomain"] },
    removed: { Tag: ["status", "removed"], User: ["status", "removed"], Group: ["status", "removed"] },
  };

/** What aspects of a kind hold beside what manifests know, so that it can be seen whether it stays. */
const others: Readonly<Record<KindName, Readonly<Record<string, JsonObject>>>> = {
  Dataset: { datasetProperties: { description: "from ingestion", customProperties: { a: "b" }, tags: [] } },
  Container: {},
  Domain: { domainProperties: {} },
  Tag: { tagProperties: { colorHex: "#123456" } },
  User: { corpUserInfo: { active: true, title: "not ours" } },
  Group: { corpGroupInfo: { admins: [], members: [], groups: [], email: "not@ours" } },
};

/** The aspects of a world, as they are loaded into a catalog; with those that it refers to and that nobody declares. */
export function aspectsOf({ live, groupsOf, external }: World): readonly MadeAspect[] {
  const strangers = ["tag:x", "tag:y", "tag:z", "domain:x", "corpuser:x"].map((id): Entity => {
    const kind = kinds[id.split(":")[0] ?? ""] ?? "Tag";
    return { urn: `urn:li:${id}` as Urn, kind, facets: new Map() };
  });
  const entities = [...live.values(), ...strangers];
  const memberships = [...groupsOf].flatMap(([user, those]): readonly MadeAspect[] => {
    const [given, native] = [true, false].map((is) =>
      [...those].filter((group) => external.has(group) === is),
    );
    return [
      [user, "groupMembership", { groups: given }],
      [user, "nativeGroupMembership", { nativeGroups: native }],
    ];
  });
  return [
    ...entities.flatMap((entity) => aspectsOfEntity(entity, external)),
    ...memberships.filter(([user]) => live.has(user as Urn) || user === "urn:li:corpuser:x"),
  ];
}

function aspectsOfEntity({ urn, kind, facets }: Entity, external: ReadonlySet<Urn>): readonly MadeAspect[] {
  const aspects = new Map<string, JsonObject>(Object.entries(others[kind] ?? {}));
  for (const [facet, value] of facets) {
    const at = fields[facet]?.[kind];
    if (value.shape !== "scalar" || !at || value.value === null) continue;
    const [aspect, field] = at;
    aspects.set(aspect, { ...aspects.get(aspect), [field]: value.value });
  }
  if (kind === "Domain" || kind === "Tag") {
    const aspect = kind === "Domain" ? "domainProperties" : "tagProperties";
    aspects.set(aspect, { name: "stranger", ...aspects.get(aspect) });
  }
  if (kind === "Group") aspects.set("origin", { type: external.has(urn) ? "EXTERNAL" : "NATIVE" });
  const owners = membersOf(facets.get("owners")) as readonly { owner: string; type: string }[];
  if (owners.length > 0) {
    const list = owners.map(({ owner, type }) => {
      return { owner, type: type.split("__").at(-1)?.toUpperCase() ?? "", typeUrn: type };
    });
    aspects.set("ownership", { owners: list, lastModified: stamp });
  }
  const tags = membersOf(facets.get("tags"));
  if (tags.length > 0) aspects.set("globalTags", { tags: tags.map((tag) => ({ tag })) });
  const domain = facets.get("domain");
  if (domain?.shape === "scalar" && domain.value !== null)
    aspects.set("domains", { domains: [domain.value] });
  const columns = facets.get("columns.tags");
  if (columns?.shape === "map") {
    for (const [name, aspect] of Object.entries(schemaOf(columns.entries))) aspects.set(name, aspect);
  }
  return [...aspects].map(([aspect, value]) => [urn, aspect, value]);
}

function schemaOf(columns: ReadonlyMap<string, FacetValue>): Readonly<Record<string, JsonObject>> {
  const infos = [...columns].map(([fieldPath, tags]) => ({
    fieldPath,
    description: "not ours",
    globalTags: { tags: membersOf(tags).map((tag) => ({ tag })) },
  }));
  return {
    schemaMetadata: schemaWith(...columns.keys()),
    editableSchemaMetadata: {
      editableSchemaFieldInfo: infos,
      created: stamp,
      lastModified: stamp,
    },
  };
}

function membersOf(value: FacetValue | undefined): readonly Member[] {
  return value?.shape === "set" ? value.members : [];
}

/** What is stored, read by its aspects alone: the facets that worlds hold, and who is in which group. */
export interface Stored {
  readonly state: State;
  readonly groupsOf: ReadonlyMap<string, readonly string[]>;
}

/** The latest aspects of a catalog, by URN and name. */
export type Aspects = ReadonlyMap<string, ReadonlyMap<string, JsonObject>>;

/** The latest of all stored aspects. */
export function latestOf(rows: readonly AspectRow[]): Aspects {
  const aspects = new Map<string, Map<string, JsonObject>>();
  for (const { urn, aspect, version, value } of rows) {
    if (version !== 0) continue;
    const own = aspects.get(urn) ?? new Map<string, JsonObject>();
    aspects.set(urn, own.set(aspect, value));
  }
  return aspects;
}

/** Of these entities what is stored. */
export function storedIn(aspects: Aspects, entities: ReadonlySet<Urn>): Stored {
  const state = new Map<Urn, Entity>();
  const groupsOf = new Map<string, readonly string[]>();
  for (const [text, own] of aspects) {
    const of = text as Urn;
    const kind = kinds[entityTypeOf(of)];
    if (kind && entities.has(of)) state.set(of, { urn: of, kind, facets: facetsIn(own, kind) });
    const groups = [
      ...listIn(own.get("groupMembership"), "groups"),
      ...listIn(own.get("nativeGroupMembership"), "nativeGroups"),
    ];
    if (groups.length > 0) groupsOf.set(text, groups.map(String).toSorted());
  }
  return { state, groupsOf };
}

/** What a world holds, in the form of what is stored. */
export function storableOf({ live, groupsOf }: World): Stored {
  const state = new Map<Urn, Entity>();
  for (const [of, { kind, facets }] of live) {
    const kept = [...facets].filter(
      ([name]) =>
        fields[name]?.[kind] || ["owners", "tags", "domain", "columns.tags", "incomplete"].includes(name),
    );
    state.set(of, { urn: of, kind, facets: new Map(kept) });
  }
  const some = [...groupsOf].filter(([, those]) => those.size > 0);
  return { state, groupsOf: new Map(some.map(([user, those]) => [user, [...those].toSorted()])) };
}

function facetsIn(own: ReadonlyMap<string, JsonObject>, kind: KindName): ReadonlyMap<string, FacetValue> {
  const facets = new Map<string, FacetValue>();
  for (const [facet, places] of Object.entries(fields)) {
    const at = places[kind];
    if (!at) continue;
    const value = own.get(at[0])?.[at[1]] ?? null;
    facets.set(facet, scalarOf(facet === "removed" ? value === true : (value as Scalar)));
  }
  if (kind === "Group") {
    const isExternal = (own.get("origin")?.["type"] ?? "NATIVE") !== "NATIVE";
    facets.set("incomplete", scalarOf(!isExternal && !own.has("corpGroupInfo")));
  }
  if (kind !== "User") facets.set("owners", ownersIn(own.get("ownership")));
  if (kind !== "Dataset") return facets;
  facets.set("tags", tagsIn(own.get("globalTags")));
  facets.set("domain", scalarOf((listIn(own.get("domains"), "domains")[0] ?? null) as Scalar));
  const infos = listIn(own.get("editableSchemaMetadata"), "editableSchemaFieldInfo").filter(isJsonObject);
  const entries = listIn(own.get("schemaMetadata"), "fields").map((field): readonly [string, SetValue] => {
    const path = textOf(isJsonObject(field) ? field["fieldPath"] : undefined);
    const info = infos.find(({ fieldPath }) => fieldPath === path);
    return [path, tagsIn(info?.["globalTags"])];
  });
  facets.set("columns.tags", { shape: "map", entries: new Map(entries) });
  return facets;
}

function tagsIn(globalTags: Json | undefined): SetValue {
  return setOf(
    listIn(globalTags, "tags").map((entry) => textOf(isJsonObject(entry) ? entry["tag"] : undefined)),
  );
}

function ownersIn(ownership: JsonObject | undefined): SetValue {
  const list = listIn(ownership, "owners").filter(isJsonObject);
  return setOf(list.map(({ owner, typeUrn }) => ({ owner: textOf(owner), type: textOf(typeUrn) })));
}

function listIn(aspect: Json | undefined, field: string): readonly Json[] {
  const list = isJsonObject(aspect) ? aspect[field] : undefined;
  return Array.isArray(list) ? (list as readonly Json[]) : [];
}

const known: Readonly<Record<string, readonly string[]>> = {
  domainProperties: ["name", "description", "parentDomain"],
  tagProperties: ["name", "description"],
  corpUserEditableInfo: ["aboutMe"],
  corpGroupInfo: ["description"],
  status: ["removed"],
  ownership: ["owners", "ownerTypes", "lastModified"],
  globalTags: ["tags"],
  domains: ["domains", "domainAssociations"],
  groupMembership: ["groups"],
  nativeGroupMembership: ["nativeGroups"],
};

/** What is stored beside what manifests know, of the entities that both catalogs hold: nobody may change it. */
export function besideIn(aspects: Aspects, both: Aspects): ReadonlyMap<string, unknown> {
  const beside = new Map<string, unknown>();
  for (const [of, own] of aspects) {
    if (!both.has(of)) continue;
    for (const [aspect, value] of own) {
      const rest = Object.entries(value).filter(([field]) => known[aspect]?.includes(field) !== true);
      if (aspect === "editableSchemaMetadata") beside.set(`${of} ${aspect}`, descriptionsIn(value));
      else if (rest.length > 0) beside.set(`${of} ${aspect}`, Object.fromEntries(rest));
    }
  }
  return beside;
}

function descriptionsIn(editable: JsonObject): readonly unknown[] {
  return listIn(editable, "editableSchemaFieldInfo")
    .filter(isJsonObject)
    .map(({ fieldPath, description }) => ({ fieldPath, description }));
}

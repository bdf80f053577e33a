import { edgeSetOfInverse, facets as allFacets, facetsOf } from "../../src/facets/index.ts";
import { isOfColumns } from "../../src/facets/places.ts";
import { memberships } from "../support/states.ts";
import type { Facet } from "../../src/facets/facet.ts";
import { valueInAspect, writesFor } from "../../src/facets/writes.ts";
import { kindOf, kindOfType, kinds } from "../../src/kinds/index.ts";
import type { AspectRow } from "../../src/local-catalog/server.ts";
import type { FacetChange } from "../../src/model/change.ts";
import { isJsonObject, type Json, type JsonObject, textOf } from "../../src/model/json.ts";
import type { Proposal } from "../../src/model/operation.ts";
import { leafAt, leavesOf, type Path, valueFrom } from "../../src/model/place.ts";
import {
  type Entity,
  type FacetValue,
  type KindName,
  type Leaf,
  scalarOf,
  setOf,
  type State,
} from "../../src/model/state.ts";
import { entityTypeOf, keyOf, type Urn } from "../../src/model/urn.ts";
import { applyEdits, type Stamp } from "../../src/sync/write/apply-edits.ts";
import { type MadeAspect } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { pathsOf, shapeAt } from "../support/values.ts";
import type { Identity } from "./cast.ts";
import { withStoredEdges, type World } from "./worlds.ts";

const stamp: Stamp = {
  time: 0,
  actor: "urn:li:corpuser:unknown",
  source: "urn:li:dataHubAction:law",
  detail: {},
  keeps: new Set(),
};

/** What aspects of a kind hold beside what manifests know, so that it can be seen whether it stays. */
const others: Readonly<Partial<Record<KindName, Readonly<Record<string, JsonObject>>>>> = {
  Dataset: { datasetProperties: { customProperties: { a: "b" }, tags: [] } },
  Chart: { chartInfo: { title: "t", description: "", customProperties: { a: "b" }, lastModified: {} } },
  Domain: { domainProperties: { customProperties: { a: "b" } } },
  GlossaryNode: { glossaryNodeInfo: { customProperties: { a: "b" } } },
  DataProduct: { dataProductProperties: { customProperties: { a: "b" } } },
  GlossaryTerm: { glossaryTermInfo: { customProperties: { a: "b" } } },
};

/** The aspects of a world, as they are loaded into a catalog; with those that it refers to and that nobody declares. */
export function aspectsOf(world: World): readonly MadeAspect[] {
  const { groupsOf, external, strangers } = world;
  const live = withStoredEdges(world);
  const unknown = strangers.map((each): Entity => ({ ...each, facets: definingFacets(each) }));
  const all = new Set([...live.keys(), ...strangers.map(({ urn }) => urn)]);
  const inGroups = [...groupsOf].flatMap(([user, those]): readonly MadeAspect[] => {
    if (!isMemberOfGroups(user)) return [];
    const [given, native] = [true, false].map((is) =>
      [...those].filter((group) => external.has(group) === is),
    );
    return [
      [user, "groupMembership", { groups: given }],
      [user, "nativeGroupMembership", { nativeGroups: native }],
    ];
  });
  return [
    ...[...live.values(), ...unknown].flatMap((entity) => aspectsOfEntity(entity, external)),
    ...inGroups.filter(([user]) => all.has(user as Urn)),
  ];
}

/** What values of the keys of maps must be: numbers where a key has one of them, and texts where it has several. */
function definingFacets({ kind, urn }: Identity): Entity["facets"] {
  const facet = allFacets.find((each) => each.shape === "map" && each.definitions?.kind === kind);
  if (!facet) return new Map();
  const isSet = shapeAt(facet, [urn]) === "set";
  return new Map([
    ["cardinality", scalarOf(isSet ? "MULTIPLE" : "SINGLE")],
    ["value_type", scalarOf(isSet ? "string" : "number")],
  ]);
}

function aspectsOfEntity(entity: Entity, external: ReadonlySet<Urn>): readonly MadeAspect[] {
  const { urn, kind, facets } = entity;
  const own = kindOf(kind);
  const aspects = new Map<string, JsonObject>(Object.entries(own.initial(keyOf(urn))));
  for (const [aspect, more] of Object.entries(others[kind] ?? {}))
    aspects.set(aspect, { ...aspects.get(aspect), ...more });
  if (own.lifecycle === "observed") aspects.set("status", { removed: false });
  if (external.has(urn)) aspects.set("origin", { type: "EXTERNAL" });
  const columns = columnsIn(facets);
  if (columns.length > 0) aspects.set("schemaMetadata", schemaWith(...columns));
  return assignedAspects(entity, aspects);
}

/** The aspects of an entity, beside others that it has, in which its facets are. */
export function assignedAspects(
  { urn, kind, facets: values }: Entity,
  beside: ReadonlyMap<string, JsonObject> = new Map(),
): readonly MadeAspect[] {
  const aspects = new Map(
    [...beside].map(([aspect, value]) => [`${urn} ${aspect}`, [urn, aspect, value] as MadeAspect]),
  );
  for (const facet of storedFacetsOf(kind)) {
    for (const [path, leaf] of leavesOf(values.get(facet.name) ?? setOf([]))) {
      for (const proposal of proposalsFor({ urn, kind, facet, path }, leaf)) {
        const { urn: owner, aspect } = proposal;
        const key = `${owner} ${aspect}`;
        const before = aspects.get(key)?.[2] as JsonObject | undefined;
        aspects.set(key, [owner, aspect, applyEdits(proposal, before, stamp) ?? {}]);
      }
    }
  }
  return [...aspects.values()];
}

/** The columns that facets have values of. */
function columnsIn(values: Entity["facets"]): readonly string[] {
  const maps = [...values].flatMap(([name, value]) =>
    value.shape === "map" && isOfColumns(name) ? [...value.entries.keys()] : [],
  );
  return [...new Set(maps)];
}

/** All but edges that the other end keeps. */
function storedFacetsOf(kind: KindName): readonly Facet[] {
  return facetsOf(kind).filter(({ name }) => name !== memberships.facet && !edgeSetOfInverse(name));
}

/** Whether an entity itself keeps in which groups it is. */
function isMemberOfGroups(urn: Urn): boolean {
  return memberships.inverseKinds.some(({ entityType }) => entityType === entityTypeOf(urn));
}

/** A place in the catalog. */
interface At {
  readonly urn: Urn;
  readonly kind: KindName;
  readonly facet: Facet;
  readonly path: Path;
}

/** The proposals that write a value where there was none. */
function proposalsFor({ facet, ...at }: At, leaf: Leaf): readonly Proposal[] {
  const isBlank = leaf.shape === "set" ? leaf.members.length === 0 : leaf.value === facet.blank;
  if (isBlank) return [];
  const change = changeOf({ facet, ...at }, leaf);
  return writesFor(change, "conditional").flatMap(({ request }) =>
    request.type === "proposal" ? [request] : [],
  );
}

function changeOf({ urn, kind, facet, path }: At, leaf: Leaf): FacetChange {
  const common = {
    action: "update",
    urn,
    kind,
    facet: facet.name,
    fingerprint: "",
    ...(path.length > 0 && { path }),
  } as const;
  return leaf.shape === "set"
    ? { ...common, shape: "set", add: leaf.members, remove: [] }
    : { ...common, shape: "scalar", before: facet.blank, after: leaf.value };
}

/** What is stored, read by its aspects alone: the facets that worlds have, and who is in which group. */
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
    const urn = text as Urn;
    const kind = kindOfType(entityTypeOf(urn))?.name;
    if (kind !== undefined && entities.has(urn))
      state.set(urn, { urn, kind, facets: facetsIn(aspects, urn, kind) });
    const groups = memberships.storedByMembers.lists.flatMap(({ aspect, list }) =>
      listIn(own.get(aspect), list),
    );
    if (groups.length > 0) groupsOf.set(text, groups.map(String).toSorted());
  }
  return { state, groupsOf };
}

/** What a world has, in the form of what is stored. */
export function storableOf(world: World): Stored {
  const { groupsOf } = world;
  const live = withStoredEdges(world);
  const state = new Map<Urn, Entity>();
  for (const [urn, { kind, facets }] of live) {
    const kept = storedFacetsOf(kind).map(
      ({ name, shape }) => [name, facets.get(name) ?? blankOf(shape)] as const,
    );
    state.set(urn, { urn, kind, facets: new Map(kept) });
  }
  const inSome = [...groupsOf].filter(([member, those]) => isMemberOfGroups(member) && those.size > 0);
  return { state, groupsOf: new Map(inSome.map(([user, those]) => [user, [...those].toSorted()])) };
}

function blankOf(shape: Facet["shape"]): FacetValue {
  if (shape === "map") return { shape, entries: new Map() };
  return shape === "set" ? setOf([]) : scalarOf(null);
}

function facetsIn(aspects: Aspects, urn: Urn, kind: KindName): ReadonlyMap<string, FacetValue> {
  const columns = new Set(
    listIn(aspects.get(urn)?.get("schemaMetadata"), "fields").map((field) =>
      textOf(isJsonObject(field) ? field["fieldPath"] : undefined),
    ),
  );
  return new Map(
    storedFacetsOf(kind).map((facet) => {
      if (facet.shape !== "map") return [facet.name, leafIn(aspects, { urn, kind, facet, path: [] })];
      const paths = pathsOf(facet).filter(([first = ""]) => !isOfColumns(facet.name) || columns.has(first));
      const leaves = paths.map((path) => [path, leafIn(aspects, { urn, kind, facet, path })] as const);
      return [facet.name, leaves.length === 0 ? blankOf("map") : valueFrom(leaves)];
    }),
  );
}

function leafIn(aspects: Aspects, at: At): Leaf {
  const { urn, facet, kind, path } = at;
  const shape = shapeAt(facet, path);
  const none: Leaf = shape === "set" ? setOf([]) : scalarOf(null);
  const editing = facet[shape]?.editing;
  const own = aspects.get(editing?.urnOf?.({ urn, path }) ?? urn) ?? new Map<string, JsonObject>();
  const aspect = facet.storedIn?.(kind) ?? editing?.aspect(kind);
  const value =
    aspect === undefined
      ? facet.observe(Object.fromEntries(own), kind).value
      : valueInAspect([changeOf(at, none)], aspect, own.get(aspect));
  return leafAt(value, path.length > 0 ? path : undefined) ?? none;
}

function listIn(aspect: Json | undefined, field: string): readonly Json[] {
  const list = isJsonObject(aspect) ? aspect[field] : undefined;
  return Array.isArray(list) ? (list as readonly Json[]) : [];
}

/** The fields that definitions keep facets in, as `aspect.field`. */
const keptFields = new Set(
  kinds.flatMap(({ storage }) => Object.values(storage).map(([aspect, field]) => `${aspect}.${field}`)),
);

/** The fields of aspects that edits change, at whatever depth, and those that a server writes by itself. */
const editedFields: ReadonlySet<string> = new Set([
  ...kinds.flatMap(({ name: kind }) => storedFacetsOf(kind).flatMap((facet) => fieldsEdited(kind, facet))),
  ...memberships.storedByMembers.lists.map(({ list }) => list),
  "created",
  "lastModified",
  "auditStamp",
  "actor",
  "ownerTypes",
]);

/** The fields that tell apart the elements of a list on the way to what is edited: an element that has no more is nothing. */
const keyFields: ReadonlySet<string> = new Set(
  kinds.flatMap(({ name: kind }) =>
    storedFacetsOf(kind)
      .flatMap((facet) => editsOf(kind, facet))
      .flatMap(({ edits }) =>
        edits.flatMap(({ at }) => at.flatMap((part) => (typeof part === "string" ? [] : Object.keys(part)))),
      ),
  ),
);

function fieldsEdited(kind: KindName, facet: Facet): readonly string[] {
  const isKept = kindOf(kind).storage[facet.name] !== undefined;
  return editsOf(kind, facet).flatMap(({ edits, set }) => [
    ...edits.map(({ at }) => textOf(at.at(-1) ?? "")),
    ...(isKept ? [] : Object.keys(set)),
  ]);
}

function editsOf(kind: KindName, facet: Facet): readonly Required<Pick<Proposal, "edits" | "set">>[] {
  const path = facet.shape === "map" ? ["a"] : [];
  const leaves: readonly Leaf[] = [
    ...(facet.scalar ? [scalarOf("a")] : []),
    ...(facet.set ? [setOf(exampleOf(facet))] : []),
  ];
  const changes = leaves.map((leaf) => changeOf({ urn: "urn:li:tag:a" as Urn, kind, facet, path }, leaf));
  const writes = changes.flatMap((change) => writesFor(change, "conditional"));
  return writes.flatMap(({ request }) => {
    if (request.type !== "proposal") return [];
    const { edits = [], set } = request;
    return [{ edits, set }];
  });
}

function exampleOf({
  isOwnership,
}: Facet): readonly (string | { readonly owner: string; readonly type: string })[] {
  return [isOwnership ? { owner: "urn:li:corpuser:a", type: "urn:li:ownershipType:a" } : "urn:li:tag:a"];
}

/** What is stored beside what manifests know, of the entities that both catalogs have: nobody may change it. */
export function besideIn(aspects: Aspects, both: Aspects): ReadonlyMap<string, unknown> {
  const beside = new Map<string, unknown>();
  for (const [urn, own] of aspects) {
    if (!both.has(urn)) continue;
    for (const [aspect, value] of own) {
      const rest = Object.entries(value).filter(([field]) => !keptFields.has(`${aspect}.${field}`));
      const left = withoutEdited(Object.fromEntries(rest));
      if (left !== undefined && aspect !== "status") beside.set(`${urn} ${aspect}`, left);
    }
  }
  return beside;
}

/** A value without what edits change, and without what is empty then; `undefined` where nothing is left. */
function withoutEdited(value: Json): Json | undefined {
  if (Array.isArray(value)) {
    const left = (value as readonly Json[]).flatMap((each) => withoutEdited(each) ?? []);
    return left.length > 0 ? left : undefined;
  }
  if (!isJsonObject(value)) return value;
  const left = Object.entries(value).flatMap(([field, each]) => {
    const rest = editedFields.has(field) || each === undefined ? undefined : withoutEdited(each);
    return rest === undefined ? [] : [[field, rest] as const];
  });
  return left.some(([field]) => !keyFields.has(field)) ? Object.fromEntries(left) : undefined;
}

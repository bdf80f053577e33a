import fc from "fast-check";
import { joined, leafAt, valueFrom } from "../../src/model/place.ts";
import {
  type EdgeSet,
  type EdgesOfMembers,
  edgesOfMembers,
  edgeSets,
  facetsOf,
  plannedFacets,
} from "../../src/facets/index.ts";
import { writesFor } from "../../src/facets/writes.ts";
import { definitionKinds, kindOf } from "../../src/kinds/index.ts";
import { type Change, type FacetChange, isFacetChange, isSetChange } from "../../src/model/change.ts";
import type { Live } from "../../src/model/live.ts";
import { type KnownEdges, type Memberships, noMemberships } from "../../src/model/membership.ts";
import type { Origin } from "../../src/model/origin.ts";
import type { Request } from "../../src/model/operation.ts";
import type { PlanHeader } from "../../src/model/plan.ts";
import {
  type Entity,
  type FacetValue,
  type KindName,
  type Member,
  scalarOf,
  setOf,
  type ScalarValue,
  type SetValue,
  type State,
  without,
} from "../../src/model/state.ts";
import { parseUrn, plainKeyOf, type Urn } from "../../src/model/urn.ts";
import { valuesOf } from "./values.ts";

/** A text as a URN; throws when it is none. */
export function urn(text: string): Urn {
  const result = parseUrn(text);
  if ("fault" in result) throw new Error(`${text}: ${result.fault.reason}`);
  return result.urn;
}

/** The URN of a snowflake dataset in PROD. */
export function datasetNamed(name: string): Urn {
  return urn(`urn:li:dataset:(urn:li:dataPlatform:snowflake,${name},PROD)`);
}

/** A state of these entities. */
export function stateOf(...entities: readonly Entity[]): State {
  return new Map(entities.map((entity) => [entity.urn, entity]));
}

/** What is sent for a change, in order. */
export function requestsFor(change: FacetChange): readonly Request[] {
  return writesFor(change, "graphql").map(({ request }) => request);
}

/** An entity with these facets. */
export function entityOf(kind: KindName, text: Urn, facets: Readonly<Record<string, FacetValue>>): Entity {
  return { urn: text, kind, facets: new Map(Object.entries(facets)) };
}

/** The groups that a user lists, at their place where they have one. */
type GroupList = readonly Urn[] | { readonly origin: Origin; readonly groups: ReadonlySet<Urn> };

/** The state in which these users list their groups; a user that it does not hold is added with nothing else. */
export function withGroups(
  state: State,
  lists: ReadonlyMap<Urn, GroupList>,
  facet: string = memberships.inverse,
): State {
  const listing = new Map(state);
  for (const [member, list] of lists) {
    const groups = "groups" in list ? setOf([...list.groups], list.origin) : setOf(list);
    const entity = state.get(member) ?? entityOf("User", member, {});
    listing.set(member, { ...entity, facets: new Map([...entity.facets, [facet, groups]]) });
  }
  return listing;
}

/** Live state in which everything could be read: what is declared and not there is absent. */
export function liveOf(state: State, desired: State = state): Live {
  const absent = [...desired.keys()].filter((each) => !state.has(each));
  return {
    state,
    missing: new Map(absent.map((each) => [each, "absent"])),
    unreadable: new Map(),
    unmanaged: [],
  };
}

/** What stands at the head of a plan, always the same. */
export const header: PlanHeader = {
  tool: "datahub-gitops/test",
  createdAt: "1970-01-01T00:00:00.000Z",
  target: "http://127.0.0.1:8080",
  git: { commit: null, dirty: false, base: null },
};

function arbitraryFacets(
  kind: KindName,
  side: "live" | "desired",
): fc.Arbitrary<ReadonlyMap<string, FacetValue>> {
  const drawn = plannedFacets.filter(
    ({ kinds, schema }) => kinds.some((each) => each === kind) && (side === "live" || schema !== undefined),
  );
  return fc
    .record(
      Object.fromEntries(drawn.map((facet) => [facet.name, valuesOf(facet, side)])),
      side === "live" ? {} : { requiredKeys: [] },
    )
    .map((record) => new Map(Object.entries(record) as [string, FacetValue][]));
}

type Identity = Pick<Entity, "kind" | "urn">;

/** Several datasets, and one asset of each other kind that differs in its facets. */
const assets: readonly Identity[] = [
  ...["a", "b"].map((name) => ({ kind: "Dataset", urn: datasetNamed(name) })),
  { kind: "Container", urn: urn("urn:li:container:1") },
  { kind: "Chart", urn: urn("urn:li:chart:(looker,1)") },
  { kind: "DataJob", urn: urn("urn:li:dataJob:(urn:li:dataFlow:(airflow,1,prod),1)") },
];

/** Definitions of every kind: of those that name others of it two. */
const definitions: readonly Identity[] = definitionKinds.flatMap(({ name: kind, entityType }) => {
  const isNamed = facetsOf(kind).some(({ refersTo }) => refersTo.includes(entityType));
  return (isNamed ? ["1", "2"] : ["1"]).map((id) => ({ kind, urn: urn(`urn:li:${entityType}:${id}`) }));
});

function arbitraryEntities(
  identities: readonly Identity[],
  side: "live" | "desired",
): fc.Arbitrary<readonly Entity[]> {
  return fc.tuple(
    ...identities.map(({ kind, urn: identity }) =>
      arbitraryFacets(kind, side).map((facets): Entity => ({
        urn: identity,
        kind,
        facets: acyclic(kind, identity, facets),
      })),
    ),
  );
}

// The entities with id `1` are the tops of their trees: circles are refused before there is a plan.
function acyclic(
  kind: KindName,
  of: Urn,
  facets: ReadonlyMap<string, FacetValue>,
): ReadonlyMap<string, FacetValue> {
  const { parentFacet = "" } = kindOf(kind);
  const parent = facets.get(parentFacet);
  if (parent?.shape !== "scalar" || (plainKeyOf(of) !== "1" && parent.value !== of)) return facets;
  return new Map([...facets, [parentFacet, scalarOf(null)]]);
}

/** Some entities, each with some facets declared. */
export const desiredStates: fc.Arbitrary<State> = arbitraryEntities([...assets, ...definitions], "desired")
  .chain((entities) => fc.shuffledSubarray([...entities]))
  .map((entities) => stateOf(...entities));

/** All assets that `desiredStates` can hold and some of its definitions, each with all its facets. */
export const liveStates: fc.Arbitrary<State> = fc
  .tuple(
    arbitraryEntities(assets, "live"),
    arbitraryEntities(definitions, "live").chain((entities) => fc.subarray([...entities])),
  )
  .map(([some, others]) => stateOf(...some, ...others));

/** The edges between groups and users. */
export const memberships: EdgesOfMembers = onlyOne(edgesOfMembers);

/** The edges between data products and assets. */
export const productEdges: EdgeSet = onlyOne(edgeSets.filter(({ exclusive }) => exclusive !== undefined));

function onlyOne<T>([found]: readonly T[]): T {
  if (!found) throw new Error("there is none");
  return found;
}

/** What is known of edges where that is who is in which group. */
export function knowing(known: Partial<Memberships>): KnownEdges {
  return new Map([[memberships.facet, { ...noMemberships, ...known }]]);
}

/** What is known of edges when live state says who is in which group. */
export function membershipsIn(live: State): KnownEdges {
  return new Map(edgeSets.map(({ facet }) => [facet, { ...noMemberships, groupsOf: groupsIn(live, facet) }]));
}

function groupsIn(live: State, facet: string): ReadonlyMap<Urn, ReadonlySet<Urn>> {
  const groupsOf = new Map<Urn, Set<Urn>>();
  for (const { urn: group, facets } of live.values()) {
    const members = facets.get(facet);
    if (members?.shape !== "set") continue;
    for (const member of members.members) {
      const groups = groupsOf.get(member as Urn) ?? new Set();
      groupsOf.set(member as Urn, groups.add(group));
    }
  }
  return groupsOf;
}

/** What a catalog holds after changes: written for tests, apart from the product's own code. */
export function applied(live: State, changes: readonly Change[]): State {
  const after = new Map(live);
  for (const change of changes) {
    const { urn: changedUrn, kind, action } = change;
    if (action === "delete") {
      after.delete(changedUrn);
      continue;
    }
    const entity = after.get(changedUrn) ?? blank(kind, changedUrn);
    const facets = new Map(entity.facets);
    if (isFacetChange(change)) facets.set(change.facet, appliedTo(facets.get(change.facet), change));
    after.set(changedUrn, { ...entity, facets });
  }
  return after;
}

function blank(kind: KindName, of: Urn): Entity {
  const facets = facetsOf(kind).map(({ name, shape, blank: empty }): [string, FacetValue] => {
    if (shape === "map") return [name, { shape, entries: new Map() }];
    return [name, shape === "set" ? setOf([]) : scalarOf(empty)];
  });
  return { urn: of, kind, facets: new Map(facets) };
}

function appliedTo(value: FacetValue | undefined, change: FacetChange): FacetValue {
  const { path = [] } = change;
  const leaf = changed(leafAt(value, path), change);
  return joined(value, valueFrom([[path, leaf]]), () => leaf);
}

function changed(value: FacetValue | undefined, change: FacetChange): ScalarValue | SetValue {
  if (!isSetChange(change)) return scalarOf(change.after);
  const before: readonly Member[] = value?.shape === "set" ? value.members : [];
  return setOf([...without(before, change.remove), ...change.add]);
}

/** The same without who declares each value. What says nothing of that stays the same object. */
export function withoutBy<Value>(value: Value): Value {
  return bareOf(value) as Value;
}

function bareOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof Set) return value;
  const pairs: readonly (readonly [unknown, unknown])[] =
    value instanceof Map ? [...value] : Object.entries(value);
  const bare = pairs.filter(([key]) => key !== "by").map(([key, each]) => [key, bareOf(each)] as const);
  const isSame = bare.length === pairs.length && bare.every(([, each], index) => each === pairs[index]?.[1]);
  if (isSame) return value;
  if (value instanceof Map) return new Map(bare);
  return Array.isArray(value) ? bare.map(([, each]) => each) : Object.fromEntries(bare);
}

import fc from "fast-check";
import { facetsOf } from "../../src/facets/index.ts";
import type { Change } from "../../src/model/change.ts";
import { isSetChange } from "../../src/model/change.ts";
import type { Live } from "../../src/model/live.ts";
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
import { parseUrn, type Urn } from "../../src/model/urn.ts";

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

/** An entity with these facets. */
export function entityOf(kind: KindName, text: Urn, facets: Readonly<Record<string, FacetValue>>): Entity {
  return { urn: text, kind, facets: new Map(Object.entries(facets)) };
}

/** Live state in which everything could be read. */
export function liveOf(state: State): Live {
  return { state, missing: new Map(), unreadable: new Map(), unmanaged: [] };
}

/** What stands at the head of a plan, always the same. */
export const header: PlanHeader = {
  tool: "datahub-gitops/test",
  createdAt: "1970-01-01T00:00:00.000Z",
  target: "http://127.0.0.1:8080",
  git: { commit: null, dirty: false, base: null },
};

const tagUrns = ["pii", "tier-1", "gold", "old"].map((id) => `urn:li:tag:${id}`);
const columns = ["id", "email", "amount"];
const owners = ["urn:li:corpuser:alice", "urn:li:corpGroup:finance"].flatMap((owner) =>
  ["technical_owner", "data_steward"].map((type) => ({
    owner,
    type: `urn:li:ownershipType:__system__${type}`,
  })),
);

const tagSet = fc.subarray(tagUrns).map((members) => setOf(members));
const values: Readonly<Record<string, fc.Arbitrary<FacetValue>>> = {
  domain: fc
    .constantFrom(null, "urn:li:domain:finance", "urn:li:domain:sales")
    .map((value) => scalarOf(value)),
  owners: fc.subarray(owners).map((members) => setOf(members)),
  tags: tagSet,
};

function arbitraryFacets(kind: KindName, live: boolean): fc.Arbitrary<ReadonlyMap<string, FacetValue>> {
  const shapes = Object.fromEntries(
    facetsOf(kind).map((facet) => [facet.name, values[facet.name] ?? arbitraryColumns(live)]),
  );
  return fc
    .record(shapes, live ? {} : { requiredKeys: [] })
    .map((record) => new Map(Object.entries(record) as [string, FacetValue][]));
}

function arbitraryColumns(live: boolean): fc.Arbitrary<FacetValue> {
  const entries = fc.record(
    Object.fromEntries(columns.map((column) => [column, tagSet])),
    live ? {} : { requiredKeys: [] },
  );
  return entries.map((record) => ({
    shape: "map",
    entries: new Map(Object.entries(record) as [string, SetValue][]),
  }));
}

const identities = [
  ...["a", "b", "c", "d"].map((name) => ({ kind: "Dataset" as const, urn: datasetNamed(name) })),
  ...["1", "2"].map((id) => ({ kind: "Container" as const, urn: urn(`urn:li:container:${id}`) })),
];

function arbitraryState(live: boolean): fc.Arbitrary<State> {
  return fc
    .tuple(
      ...identities.map(({ kind, urn: identity }) =>
        arbitraryFacets(kind, live).map((facets): Entity => ({ urn: identity, kind, facets })),
      ),
    )
    .chain((entities) => (live ? fc.constant(entities) : fc.shuffledSubarray(entities)))
    .map((entities) => stateOf(...entities));
}

/** Some datasets and containers, each with some facets declared. */
export const desiredStates = arbitraryState(false);

/** All datasets and containers that `desiredStates` can hold, each with all its facets. */
export const liveStates = arbitraryState(true);

/** What a catalog holds after changes: written for tests, apart from the product's own code. */
export function applied(live: State, changes: readonly Change[]): State {
  const after = new Map(live);
  for (const change of changes) {
    const entity = after.get(change.urn);
    const facets = new Map(entity?.facets);
    facets.set(change.facet, appliedTo(facets.get(change.facet), change));
    if (entity) after.set(change.urn, { ...entity, facets });
  }
  return after;
}

function appliedTo(value: FacetValue | undefined, change: Change): FacetValue {
  if (value?.shape !== "map") return changed(value, change);
  const entries = new Map<string, ScalarValue | SetValue>(value.entries);
  const column = change.column ?? "";
  entries.set(column, changed(entries.get(column), change));
  return { shape: "map", entries };
}

function changed(value: FacetValue | undefined, change: Change): ScalarValue | SetValue {
  if (!isSetChange(change)) return scalarOf(change.after);
  const before: readonly Member[] = value?.shape === "set" ? value.members : [];
  return setOf([...without(before, change.remove), ...change.add]);
}

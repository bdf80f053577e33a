import { expect, test } from "vitest";
import type { Live } from "../../src/model/live.ts";
import { type FacetValue, type MapValue, scalarOf, setOf, type State } from "../../src/model/state.ts";
import type { Urn } from "../../src/model/urn.ts";
import { ignoring } from "../../src/plan/base/ignore.ts";
import { defaultPolicy, type Policy } from "../../src/plan/base/policy.ts";
import { inSyncFilter } from "../../src/plan/in-sync.ts";
import { datasetNamed, entityOf, liveOf, stateOf, urn } from "../support/states.ts";

const asset = datasetNamed("a");
const [pii, old] = [urn("urn:li:tag:pii"), urn("urn:li:tag:old")];
const path = "[version=2.0].[type=struct].[type=string].email";
const other = "[version=2.0].[type=struct].[type=int].email";

/** The tags of an asset's columns, each of which has one or none. */
function tagged(columns: Readonly<Record<string, typeof pii | undefined>>): MapValue {
  const entries = Object.entries(columns).map(
    ([column, tag]) => [column, setOf(tag === undefined ? [] : [tag])] as const,
  );
  return { shape: "map", entries: new Map(entries) };
}

test.each([
  ["as declared", { [path]: pii }, true],
  ["with another tag", { [path]: old }, false],
  ["with none", { [path]: undefined }, false],
  ["of a name that two columns have", { [path]: pii, [other]: pii }, false],
  ["that is not there", { id: pii }, false],
])(
  "an asset is dropped only where a column under its plain name is as declared: %s",
  (_, columns, dropped) => {
    const declared = stateOf(entityOf("Dataset", asset, { "columns.tags": tagged({ email: pii }) }));
    const state = stateOf(entityOf("Dataset", asset, { "columns.tags": tagged(columns) }));
    const live: Live = { state, missing: new Map(), unreadable: new Map(), unmanaged: [] };
    const { drop, dropped: counted } = inSyncFilter(declared, defaultPolicy);

    expect([...drop(live)]).toEqual(dropped ? [asset] : []);
    expect(counted()).toMatchObject({ count: dropped ? 1 : 0, present: dropped ? 1 : 0 });
  },
);

const there = { tags: setOf([pii]), domain: scalarOf("urn:li:domain:d") };
const user = "urn:li:corpuser:a";
const [first, second, third] = [asset, datasetNamed("b"), datasetNamed("c")];
const assets = (facets: Readonly<Record<string, FacetValue>>): State =>
  stateOf(...[first, second, third].map((each) => entityOf("Dataset", each, facets)));

test("what is as declared is dropped, however many batches there are, and its values are counted", () => {
  const declared = new Map([...assets({ tags: setOf([pii]) }), ...stateOf(entityOf("Tag", pii, {}))]);
  const { drop, dropped: counted } = inSyncFilter(declared, defaultPolicy);
  const untagged = entityOf("Dataset", third, { ...there, tags: setOf([]) });
  const unknown = entityOf("Dataset", datasetNamed("undeclared"), there);

  expect([...drop(liveOf(stateOf(entityOf("Dataset", first, there), entityOf("Tag", pii, {}))))]).toEqual([
    first,
  ]);
  expect([...drop(liveOf(stateOf(entityOf("Dataset", second, there), untagged, unknown)))]).toEqual([
    second,
    unknown.urn,
  ]);
  expect(counted()).toEqual({ count: 3, present: 2, existing: { tags: 2 } });
});

test.each<readonly [string, Partial<Policy>, readonly Urn[]]>([
  ["where values are pruned, of which a plan counts those that stay", { pruneAssignments: true }, []],
  ["outside of the part that is looked at", { part: new Set([second]) }, [second]],
  ["where more was declared before", { base: assets({ ...there, owners: setOf([user]) }) }, []],
])("nothing is dropped %s", (_, policy, dropped) => {
  const live = liveOf(assets({ ...there, owners: setOf([user]) }));

  expect([...inSyncFilter(assets(there), { ...defaultPolicy, ...policy }).drop(live)]).toEqual(dropped);
});

test.each<readonly [string, Partial<Live>]>([
  [
    "comes from ingestion, in a column that it declares",
    {
      unmanaged: [
        { kind: "Dataset", urn: second, facet: "columns.tags", path: ["id"], value: old, reason: "ingested" },
      ],
    },
  ],
  ["is stored beside another", { several: [{ urn: second, facet: "domain", values: ["x", "y"] }] }],
])("an asset is not dropped where the plan has to name what %s", (_, known) => {
  const facets = { ...there, "columns.tags": tagged({ id: undefined }) };
  const live = { ...liveOf(assets(facets)), ...known };

  expect([...inSyncFilter(assets(facets), defaultPolicy).drop(live)]).toEqual([first, third]);
});

test("an asset is dropped where only ignored values differ", () => {
  const declared = assets({ tags: setOf([pii]) });
  const live = liveOf(
    stateOf(
      entityOf("Dataset", first, { tags: setOf([pii, old]) }),
      entityOf("Dataset", second, { tags: setOf([old]) }),
    ),
  );
  const merging = { ...defaultPolicy, modes: { tags: "merge" as const } };
  const ignored = ignoring([{ value: old, reason: "another tool sets it" }]);

  expect([...inSyncFilter(declared, merging).drop(live)]).toEqual([]);
  expect([...inSyncFilter(declared, { ...defaultPolicy, ignored }).drop(live)]).toEqual([first]);
});

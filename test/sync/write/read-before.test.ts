import { expect, test } from "vitest";
import type { Change, SetChange } from "../../../src/model/change.ts";
import { leafIn } from "../../../src/model/place.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { readCurrent } from "../../../src/sync/write/current-state.ts";
import { datasetNamed, urn } from "../../support/states.ts";
import { type AskedCatalog, catalogOf, tagged } from "./asked-catalog.ts";
import { runOf } from "./run.ts";
import { operationOf, proposal } from "./sent-by.ts";
import { valuesOf } from "../../../src/model/values.ts";

const [sales, finance, top] = ["sales", "finance", "top"].map((id) => urn(`urn:li:domain:${id}`)) as [
  Urn,
  Urn,
  Urn,
];
const [team, alice] = [urn("urn:li:corpGroup:team"), urn("urn:li:corpuser:alice")];
const pii = urn("urn:li:tag:pii");
const [a, gone] = [datasetNamed("a"), datasetNamed("gone")];

const world = [
  [sales, "domainProperties", { name: "Sales" }],
  [finance, "domainProperties", { name: "Finance", parentDomain: top }],
  [top, "domainProperties", { name: "Top" }],
  [team, "corpGroupInfo", { admins: [], members: [], groups: [] }],
  [alice, "corpUserInfo", { active: true }],
  [alice, "nativeGroupMembership", { nativeGroups: [team] }],
  [pii, "tagProperties", { name: "pii" }],
  tagged("a", pii),
] as const;

const moving: Change = {
  action: "update",
  kind: "Domain",
  urn: sales,
  shape: "scalar",
  facet: "parent_domain",
  before: null,
  after: finance,
  above: [finance, top],
  fingerprint: "",
} as never;

test.each<readonly [string, readonly Urn[], readonly Urn[]]>([
  ["nothing else", [], [sales, finance, top]],
  ["what is above, too", [top], [sales, finance]],
])(
  "what a moved entity is placed below is read with it, where the plan moves %s",
  async (_, placed, read) => {
    const { writer } = await catalogOf(world);
    const run = runOf({ writer, moved: new Set(placed) });
    const { live } = await readCurrent(run, [operationOf("1", sales, { changes: [moving] })]);
    expect([...live.state.keys()].toSorted()).toEqual(read.toSorted());
  },
);

test("before a deletion it is read what refers to the entity", async () => {
  const { writer, deletionOf } = await catalogOf(world);
  const changes = [await deletionOf(pii)];
  const { live } = await readCurrent(runOf({ writer }), [operationOf("1", pii, { changes })]);
  expect(live.deletable?.get(pii)).toMatchObject({ referring: [{ urn: a }] });
});

const joining: SetChange = {
  action: "create",
  kind: "Group",
  urn: team,
  shape: "set",
  facet: "members",
  add: [alice],
  remove: [],
  fingerprint: "",
};

test.each([
  ["a new group has no members yet", [], []],
  ["a new group of which it is not known whether it was written has members", ["1"], [alice]],
])("%s", async (_, inDoubt, members) => {
  const { writer } = await catalogOf(world);
  const run = runOf({ writer, inDoubt: new Map(inDoubt.map((id) => [id, "cut off"])) });
  const operations = [operationOf("1", team, { changes: [joining] }), operationOf("2", a)];
  const { live } = await readCurrent(run, operations);
  const leaf = leafIn(live.state.get(team), joining);
  expect(leaf && valuesOf(leaf)).toEqual(members);
});

test("the aspects of what is not there are not asked for, and each reading ends with the signal", async () => {
  const { signal } = new AbortController();
  const catalog: AskedCatalog = await catalogOf(world);
  const wanted: unknown[] = [];
  const read: typeof catalog.writer.versions.read = async (asked, stop) => {
    wanted.push(...asked.map((each) => each.urn), stop === signal);
    return await catalog.writer.versions.read(asked, stop);
  };
  const untagging = (of: Urn): Change =>
    ({
      ...joining,
      action: "update",
      kind: "Dataset",
      urn: of,
      facet: "tags",
      add: [],
      remove: [pii],
    }) as const;
  const operations = [a, gone].map((of) =>
    operationOf(of, of, { request: proposal(of), changes: [untagging(of)] }),
  );
  const run = runOf({ writer: { ...catalog.writer, versions: { read } }, signal });
  const { live } = await readCurrent(run, operations);
  expect([...live.missing.keys()]).toEqual([gone]);
  expect(wanted).toEqual([a, true]);
  expect(catalog.unsignalled(signal)).toBe(0);
});

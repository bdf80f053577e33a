import { expect, test } from "vitest";
import type { Change } from "../../../../src/model/change.ts";
import { setOf } from "../../../../src/model/state.ts";
import { nothingIgnored } from "../../../../src/plan/base/ignore.ts";
import { countsOf } from "../../../../src/plan/checks/guards/index.ts";
import { assetsByRule } from "../../../../src/plan/checks/guards/spread.ts";
import { datasetNamed, entityOf, memberships, stateOf, urn } from "../../../support/states.ts";

const a = datasetNamed("a");
const [ann, bob] = [urn("urn:li:corpuser:ann"), urn("urn:li:corpuser:bob")];
const fin = urn("urn:li:corpGroup:fin");

test("of a shard the values of all facets that it manages are counted, edges only at their groups", () => {
  const tagged = entityOf("Dataset", a, { tags: setOf(["x", "y"]), owners: setOf([]) });
  const desired = stateOf(tagged, entityOf("User", ann, { [memberships.inverse]: setOf([fin]) }));
  const shard = { changes: [], desired, live: desired, ignored: nothingIgnored, vanished: undefined };

  expect(countsOf({ ...shard, isShard: true, inSync: { tags: 3, domain: 1 } })).toEqual({
    existing: { domain: 1, owners: 0, tags: 5 },
  });
  expect(countsOf({ ...shard, inSync: { tags: 3, domain: 1 } })).toEqual({});
});

test("of a group each member that a rule lets join or leave counts, of another set what has it", () => {
  const about = { action: "update", shape: "set", fingerprint: "", rules: ["r"] } as const;
  const joined: Change = {
    ...about,
    kind: "Group",
    urn: fin,
    facet: memberships.facet,
    add: [ann],
    remove: [bob],
  };
  const tagged: Change = { ...about, kind: "Dataset", urn: a, facet: "tags", add: [ann], remove: [] };

  expect(assetsByRule([joined])).toEqual(new Map([["r", new Set([ann, bob])]]));
  expect(assetsByRule([tagged])).toEqual(new Map([["r", new Set([a])]]));
});

import { expect, test } from "vitest";
import { scalarOf } from "../../../src/model/state.ts";
import { namesIn, urnsShown, namesFor } from "../../../src/plan/notes/names.ts";
import { digestOf } from "../../../src/plan/base/hash.ts";
import type { Plan } from "../../../src/model/plan.ts";
import { conflict, losses, planOf, usualChanges } from "../../report/plans.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";

const growth = urn("urn:li:domain:2fbac1a0");
const ada = urn("urn:li:corpuser:u1");

test("the declared name wins over the live one, and what has no name is left out", () => {
  const desired = stateOf(entityOf("Domain", growth, { name: scalarOf("Growth") }));
  const live = stateOf(
    entityOf("Domain", growth, { name: scalarOf("Old growth") }),
    entityOf("User", ada, { display_name: scalarOf("Ada") }),
    entityOf("Tag", urn("urn:li:tag:t"), { name: scalarOf(null) }),
  );
  expect([...namesIn(desired, live)]).toEqual([
    [growth, "Growth"],
    [ada, "Ada"],
  ]);
});

test("a plan shows the entities that change, what they refer to, and who set what is removed", () => {
  const plan = planOf({
    changes: [...usualChanges, ...losses, conflict],
    unmanaged: [
      {
        urn: growth,
        kind: "Domain",
        facet: "owners",
        value: { owner: ada, type: "urn:li:ownershipType:architect" },
        reason: "other-writer",
      },
      { urn: growth, kind: "Domain", facet: "description", value: "urn:li:tag:text", reason: "other-writer" },
    ],
  });
  expect(urnsShown(plan).toSorted()).toEqual([
    "urn:li:corpuser:bob",
    "urn:li:corpuser:u1",
    "urn:li:domain:2fbac1a0",
    "urn:li:domain:finance",
    "urn:li:domain:legacy",
    "urn:li:domain:old",
    "urn:li:domain:sales",
    "urn:li:ownershipType:architect",
    "urn:li:tag:gold",
    "urn:li:tag:old",
    "urn:li:tag:pii",
    "urn:li:tag:tier-1",
  ]);
});

test("a plan shows what its problems are about, apart from what is not there or was not read", () => {
  const other = urn("urn:li:domain:other");
  const gone = { urn: urn("urn:li:tag:gone"), what: "Tag" };
  const plan = planOf({
    problems: [
      {
        code: "several-values",
        severity: "warning",
        args: { kind: "Dataset", urn: datasetNamed("a"), facet: "domain", values: [growth, other] },
      },
      { code: "reference-missing", severity: "error", args: gone },
      { code: "read-failed", severity: "error", args: { urn: ada, error: "urn:li:tag:said" } },
    ],
  });
  expect(urnsShown(plan)).toEqual([growth, other]);
});

test("names are sorted, without those that repeat the id, and outside the digest", () => {
  const plan = planOf({ changes: usualChanges });
  const names = namesFor(
    urnsShown(plan),
    new Map([
      [urn("urn:li:tag:tier-1"), " Tier 1 "],
      [urn("urn:li:tag:pii"), "pii"],
      [urn("urn:li:domain:sales"), ""],
      [urn("urn:li:domain:finance"), "Finance"],
      [urn("urn:li:domain:unseen"), "Unseen"],
    ]),
  );
  expect(JSON.stringify(names)).toBe('{"urn:li:domain:finance":"Finance","urn:li:tag:tier-1":"Tier 1"}');
  const named = { ...plan, names };
  expect(digestOf(named)).toBe(digestOf(plan));
  expect(namesFor(urnsShown(plan), new Map())).toBeUndefined();
});

test("a plan shows who put there what stays", () => {
  const about = { urn: datasetNamed("a"), kind: "Dataset", reason: "other-writer" } as const;
  const tag = { ...about, facet: "tags", value: "urn:li:tag:t" };
  const shown = (unmanaged: Plan["unmanaged"]): readonly string[] => urnsShown(planOf({ unmanaged }));

  expect(shown([tag])).toEqual(["urn:li:tag:t"]);
  expect(shown([{ ...tag, actor: ada }])).toEqual([ada, "urn:li:tag:t"]);
});

test("names stand in the order of their URNs, whatever comes first in the plan", () => {
  const names = new Map([
    [growth, "Growth"],
    [ada, "Ada"],
  ]);
  const about = { kind: "Domain", reason: "no-longer-declared" } as const;
  const plan = planOf({
    unmanaged: [
      { ...about, urn: growth },
      { ...about, kind: "User", urn: ada },
    ],
  });

  expect(Object.entries(namesFor(urnsShown(plan), names) ?? {})).toEqual([
    [ada, "Ada"],
    [growth, "Growth"],
  ]);
});

test("a plan shows the entities that its rules give to assets", () => {
  const values = [
    { facet: "domain", value: growth, on: 1, new: 1, overruled: 0 },
    { facet: "description", value: ada, on: 1, new: 1, overruled: 0 },
  ];
  const rules = [{ id: "r", kind: "Dataset", matched: 1, matchedInPart: 1, changed: 1, values }];

  expect(urnsShown(planOf({ rules }))).toEqual([growth]);
});

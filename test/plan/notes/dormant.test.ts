import { expect, test } from "vitest";
import { type FacetValue, scalarOf, setOf, type State } from "../../../src/model/state.ts";
import { ignoring } from "../../../src/plan/base/ignore.ts";
import { keyOfUnmanaged } from "../../../src/plan/diff/unmanaged.ts";
import { hasUndeclaredValues, dormantValues, canAdvanceBase } from "../../../src/plan/notes/dormant.ts";
import { defaultPolicy } from "../../../src/plan/base/policy.ts";
import { datasetNamed, entityOf, header, stateOf, urn } from "../../support/states.ts";

const [a, b] = [datasetNamed("a"), datasetNamed("b")];
const [x, y, z] = ["x", "y", "z"].map((id) => urn(`urn:li:tag:${id}`));
const finance = urn("urn:li:domain:finance");
const path = "[version=2.0].[type=string].email";

const tags = (...members: readonly (string | undefined)[]): FacetValue =>
  setOf(members.flatMap((member) => member ?? []));
const ofColumn = (name: string, ...members: readonly (string | undefined)[]): FacetValue => {
  return { shape: "map", entries: new Map([[name, tags(...members)]]) };
};
const declaring = (facets: Readonly<Record<string, FacetValue>>): State =>
  stateOf(entityOf("Dataset", a, facets));

const before = declaring({
  tags: tags(x, y),
  domain: scalarOf(finance),
  "columns.tags": ofColumn("email", x, y),
});
const now = declaring({ tags: tags(x) });
const dormant = declaring({
  tags: tags(z, y, x),
  domain: scalarOf(finance),
  "columns.tags": ofColumn(path, y, z),
});
const [left, ofDomain, ofEmail] = [
  { urn: a, facet: "tags", value: y },
  { urn: a, facet: "domain", value: finance },
  { urn: a, facet: "columns.tags", path: [path], value: y },
];

test.each([
  ["and with a prune also what is declared no more", {}, true, [ofEmail, ofDomain, left]],
  ["but without a prune only where something is declared", {}, false, [left]],
  ["nothing where the mode takes nothing away", { modes: { tags: "additive" as const } }, false, []],
  ["nothing that is ignored", { ignored: ignoring([{ value: "urn:li:tag:y", reason: "r" }]) }, false, []],
  ["nothing of assets that are in no part", { part: new Set([b]) }, true, []],
  ["what assets of a part bring back", { part: new Set([a]) }, false, [left]],
])(
  "what an asset brings back was declared before and is wanted no more: %s",
  (_, more, assignments, found) => {
    const declared = [{ now, before }];

    expect(
      dormantValues(declared, { dormant, unread: [] }, { ...defaultPolicy, ...more }, assignments),
    ).toEqual(found);
  },
);

test("an asset brings back nothing that was not declared before, or that is still declared", () => {
  const found = dormantValues(
    [
      { now, before: new Map() },
      { now: before, before },
    ],
    { dormant, unread: [] },
    defaultPolicy,
    true,
  );

  expect(found).toEqual([]);
});

test("what is declared of a column by its path and by its plain name is wanted by either name", () => {
  const [byName, byPath] = [ofColumn("email", y), ofColumn(path, z)];
  const entries = [byName, byPath].flatMap((each) => (each.shape === "map" ? [...each.entries] : []));
  const both = declaring({ "columns.tags": { shape: "map", entries: new Map(entries) } });
  const wanted = { now: both, before: both };
  const dropped = { now: declaring({ "columns.tags": ofColumn("email") }), before: both };
  const found = [wanted, dropped].map((sides) =>
    dormantValues([sides], { dormant, unread: [] }, defaultPolicy, false).map(({ value }) => value),
  );

  expect(found).toEqual([[], [y, z]]);
});

test("what several of the possible declarations bring back is named once, beside assets that could not be read", () => {
  const sides = { now, before };

  expect(dormantValues([sides, sides], { dormant, unread: [b] }, defaultPolicy, false)).toEqual([
    left,
    { urn: b },
  ]);
});

test.each<readonly [string, State, State, boolean]>([
  ["one of its values is declared no more", now, declaring({ tags: tags(x, y) }), true],
  [
    "one of its facets is declared no more",
    now,
    declaring({ domain: scalarOf(finance), tags: tags() }),
    true,
  ],
  [
    "one of its columns is declared no more, and another still",
    declaring({ "columns.tags": ofColumn("email", x) }),
    declaring({
      "columns.tags": { shape: "map", entries: new Map(["email", "id"].map((each) => [each, tags(x)])) },
    }),
    true,
  ],
  ["all of it is declared still", now, declaring({ tags: tags(x) }), false],
  ["nothing of it was declared before", now, new Map(), false],
  ["nothing of it is declared now", new Map(), before, true],
])("an entity of which %s", (_, today, then, isDropped) => {
  expect(hasUndeclaredValues({ now: today, before: then }, a)).toBe(isDropped);
});

test("an apply forgets what was declared before where it notes another commit than the base", () => {
  const between = (base: string | null, commit: string | null): boolean =>
    canAdvanceBase({ ...header.git, base, commit });

  expect([between("1", "2"), between("1", "1"), between("1", null), between(null, "2")]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

test("values at different places are different ones, though their texts together are the same", () => {
  const places = [
    { urn: a },
    { urn: a, facet: "tags", value: "x" },
    { urn: a, facet: "tag", value: "sx" },
    { urn: a, facet: "tags", path: ["x"], value: "y" },
    { urn: a, facet: "tags", path: ["xy"], value: "" },
  ];

  expect(new Set(places.map(keyOfUnmanaged)).size).toBe(places.length);
});

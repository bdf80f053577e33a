import { describe, expect, test } from "vitest";
import type { Unmanaged, UnmanagedValue } from "../../../src/model/plan.ts";
import type { Leftovers } from "../../../src/model/plan-scope.ts";
import { type FacetValue, scalarOf, setOf } from "../../../src/model/state.ts";
import { type Prunable, leftoversOf } from "../../../src/plan/notes/leftovers.ts";
import { defaultPolicy } from "../../../src/plan/base/policy.ts";
import { applyGuards, planOf } from "../../../src/plan/plan.ts";
import { datasetNamed, entityOf, header, stateOf, urn } from "../../support/states.ts";

const scope = { directory: "catalog" };
const [a, alice, fin] = [datasetNamed("a"), urn("urn:li:corpuser:alice"), urn("urn:li:corpGroup:fin")];
const [pii, old] = [urn("urn:li:tag:pii"), urn("urn:li:tag:old")];
const all: Prunable = { kinds: new Set(["Tag", "Group"]), assignments: true };

function value(facet: string, more: Partial<UnmanagedValue> = {}): UnmanagedValue {
  return { urn: a, kind: "Dataset", facet, value: pii, reason: "no-longer-declared", ...more };
}

const tagOf = (column: string, more: Partial<UnmanagedValue> = {}): UnmanagedValue =>
  value("columns.tags", { path: [column], ...more });

const description: UnmanagedValue = {
  urn: old,
  kind: "Tag",
  facet: "description",
  value: "text",
  reason: "no-longer-declared",
};
const bare: Unmanaged = { urn: pii, kind: "Tag", reason: "no-longer-declared" };
const member: UnmanagedValue = { ...value("members"), urn: fin, kind: "Group", value: alice };

type Facets = Readonly<Record<string, FacetValue>>;

/** What was declared before, as far as it matters whether it was. */
const before = stateOf(
  ...[old, pii].map((each) => entityOf("Tag", each, {})),
  entityOf("Domain", urn("urn:li:domain:gone"), {}),
);

function left(
  unmanaged: readonly Unmanaged[],
  prunable: Prunable,
  facets: Facets = {},
  ofAlice: Facets = {},
): Leftovers | undefined {
  const desired = stateOf(
    entityOf("Dataset", a, facets),
    entityOf("User", alice, ofAlice),
    entityOf("Group", fin, {}),
  );
  return leftoversOf(unmanaged, { desired, before }, prunable);
}

describe("what a prune would delete stays", () => {
  test("each entity once, whatever is left of it, where its kind is pruned and nothing declares it", () => {
    const other: UnmanagedValue = { ...description, urn: urn("urn:li:domain:gone"), kind: "Domain" };
    const unmanaged: readonly Unmanaged[] = [
      description,
      { ...description, facet: "name" },
      bare,
      { ...bare, urn: other.urn, kind: "Domain" },
      { ...description, urn: urn("urn:li:tag:by-others"), reason: "other-writer" },
      member,
      other,
    ];
    expect(left(unmanaged, { ...all, assignments: false })).toEqual({ entities: [old, pii], values: 0 });
    // The group is still declared, and domains are not pruned: of these, values stay.
    expect(left(unmanaged, all)).toEqual({ entities: [old, pii], values: 2 });
  });

  test("no entity that no manifest has ever declared, such as the group that a user named", () => {
    const byUser: UnmanagedValue = { ...member, urn: urn("urn:li:corpGroup:others") };
    expect(left([byUser], { ...all, assignments: false })).toBeUndefined();
    expect(left([byUser], all)).toEqual({ entities: [], values: 1 });
  });
});

describe("a value that a prune would take away stays", () => {
  const v2 = "[version=2.0].[type=struct].[type=string].email";
  const declaring = (...columns: readonly string[]): Facets => {
    return { "columns.tags": { shape: "map", entries: new Map(columns.map((each) => [each, setOf([])])) } };
  };
  const columns = [v2, "email", "id", "amount", "note"].map((column) => tagOf(column));
  // What stays, what the asset declares now, what the user declares now, how many of the values are counted.
  test.each<readonly [string, readonly Unmanaged[], Facets, Facets, number]>([
    ["where nobody declares its facet", [value("tags"), value("tags", { value: old })], {}, {}, 2],
    ["not where somebody does", [value("tags")], { tags: setOf([]) }, {}, 0],
    ["beside the facets that are declared", [value("tags")], { domain: scalarOf(null) }, {}, 1],
    ["not where it is a value that its entity always has", [value("name", { value: "n" })], {}, {}, 0],
    ["not where somebody else wrote it", [value("tags", { reason: "other-writer" })], {}, {}, 0],
    ["of each column", columns, {}, {}, 5],
    ["not of a column that is declared by its plain name", columns, declaring("email", "id"), {}, 2],
    ["not of a column that is declared by its path", columns, declaring(v2, "id"), {}, 3],
    ["of a group's members", [member], {}, {}, 1],
    ["of a member that nobody declares", [{ ...member, value: urn("urn:li:corpuser:gone") }], {}, {}, 1],
    ["not of a member that lists its groups itself", [member], {}, { groups: setOf([]) }, 0],
    [
      "of another facet of an entity that names that user",
      [{ ...member, facet: "owners" }],
      {},
      { groups: setOf([]) },
      1,
    ],
  ])("%s", (_, unmanaged, facets, ofAlice, values) => {
    expect(left(unmanaged, all, facets, ofAlice)).toEqual(values > 0 ? { entities: [], values } : undefined);
    expect(left(unmanaged, { ...all, assignments: false }, facets, ofAlice)).toBeUndefined();
  });
});

test.each<readonly [readonly Unmanaged[], readonly string[]]>([
  [[], []],
  [[bare], [pii]],
])("what is away for now is left beside %j", (unmanaged, entities) => {
  const away = [{ urn: a, facet: "tags", value: pii }];

  expect(leftoversOf(unmanaged, { desired: stateOf(), before }, all, away)).toEqual({
    entities,
    values: 0,
    away,
  });
});

test("a plan of a directory names what stays, and no other plan does", () => {
  const found = leftoversOf([bare], { desired: stateOf(), before }, all);
  expect(found).toEqual({ entities: [pii], values: 0 });
  expect(leftoversOf([], { desired: stateOf(), before }, all)).toBeUndefined();
  const content = applyGuards(
    { changes: [], unmanaged: [], unchanged: 0, counts: {}, problems: [], deletions: [] },
    defaultPolicy,
  );
  expect(planOf({ ...header, scope }, content, { left: found }).scope).toEqual({ ...scope, left: found });
  expect(planOf({ ...header, scope }, content).scope).toEqual(scope);
  expect(planOf(header, content, { left: found })).not.toHaveProperty("scope");
});

import { expect, test } from "vitest";
import { scalarOf, setOf, type State } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { groupListsIn } from "../../../src/plan/base/group-lists.ts";
import { ignoring, nothingIgnored } from "../../../src/plan/base/ignore.ts";
import {
  isInOneOf,
  matching,
  nameOf,
  type Narrowing,
  narrowedBy,
  withoutEntities,
} from "../../../src/plan/align/select.ts";
import { datasetNamed, entityOf, memberships, stateOf, urn, withGroups } from "../../support/states.ts";

const origin = { file: "catalog/a.yaml", line: 4, column: 1 };
const [alice, bob] = [urn("urn:li:corpuser:alice"), urn("urn:li:corpuser:bob")];

// Both users are declared, and both list their groups.
const declared = withGroups(
  stateOf(entityOf("User", alice, {}), entityOf("User", bob, {})),
  new Map([alice, bob].map((user) => [user, { origin, groups: new Set<Urn>() }])),
);

const namesIn = (state: State): readonly (readonly string[])[] => [
  [...state.keys()],
  [...groupListsIn(state, memberships).keys()],
];

test.each<readonly [readonly string[], readonly string[]]>([
  [["*alice"], [alice]],
  [["alice"], [alice]],
  [
    ["ali*", "*b"],
    [alice, bob],
  ],
  [["urn:li:corpuser:"], []],
  [["lice"], []],
  [
    ["*alice", "*bob"],
    [alice, bob],
  ],
  [["*carol", "*bob"], [bob]],
  [[], []],
])("of the users the patterns %j match %j", (patterns, matched) => {
  expect([...declared.keys()].filter(matching(patterns))).toEqual(matched);
});

test("entities that are ignored as a whole are left out, with their groups", () => {
  const ignored = ignoring([
    { urn: "*alice", reason: "r" },
    { urn: "*bob", facet: "groups", reason: "r" },
  ]);

  expect(namesIn(withoutEntities(declared, ignored))).toEqual([[bob], [bob]]);
});

test("where nothing is ignored a state is not copied", () => {
  expect(withoutEntities(declared, nothingIgnored)).toBe(declared);
});

test.each([
  [urn("urn:li:tag:dbt:pii"), "dbt:pii"],
  [datasetNamed("prod.invoices"), "prod.invoices"],
  [urn("urn:li:dataFlow:(airflow,f,PROD)"), "f"],
])("%s is called %s", (of, name) => {
  expect(nameOf(of)).toBe(name);
});

test("a pattern of URNs is no pattern of names", () => {
  const named = urn("urn:li:tag:urn:li:tag:pii");
  expect([urn("urn:li:tag:pii"), named].filter(matching(["urn:li:tag:pii"]))).toEqual(["urn:li:tag:pii"]);
});

const [sales, finance] = [urn("urn:li:domain:sales"), urn("urn:li:domain:finance")];
const invoices = entityOf("Dataset", datasetNamed("invoices"), { domain: scalarOf(sales) });
const orders = entityOf("Dataset", datasetNamed("orders"), { domain: scalarOf(finance), tags: setOf([]) });
const chart = entityOf("Chart", urn("urn:li:chart:(looker,orders)"), { owners: setOf([sales]) });
const tag = entityOf("Tag", urn("urn:li:tag:orders"), { description: scalarOf(sales) });

test.each<readonly [string, Narrowing, readonly Urn[]]>([
  ["a name", { targets: ["orders"] }, [orders.urn, chart.urn, tag.urn]],
  ["one of two names", { targets: ["inv*", "urn:li:chart:*"] }, [invoices.urn, chart.urn]],
  ["a kind", { kinds: ["Chart"] }, [chart.urn]],
  ["one of two kinds", { kinds: ["Chart", "Tag"] }, [chart.urn, tag.urn]],
  ["a platform", { platforms: ["looker"] }, [chart.urn]],
  ["one of two platforms", { platforms: ["looker", "snowflake"] }, [invoices.urn, orders.urn, chart.urn]],
  ["a domain", { domains: [sales] }, [invoices.urn]],
  ["one of two domains", { domains: [finance, sales] }, [invoices.urn, orders.urn]],
  ["a name and a kind", { targets: ["orders"], kinds: ["Dataset"] }, [orders.urn]],
  [
    "a kind, a platform and a domain",
    { kinds: ["Dataset"], platforms: ["snowflake"], domains: [sales] },
    [invoices.urn],
  ],
  ["what is excluded", { excluded: ["orders"] }, [invoices.urn]],
  ["one of two patterns that exclude", { excluded: ["inv*", "urn:li:tag:*"] }, [orders.urn, chart.urn]],
  [
    "a name, and what is excluded of it",
    { targets: ["orders"], excluded: ["urn:li:chart:*"] },
    [orders.urn, tag.urn],
  ],
  ["no kind at all", { kinds: [] }, []],
])("a selection is narrowed by %s", (_, narrowing, selected) => {
  const isSelected = narrowedBy(narrowing) ?? (() => true);
  const all = [invoices, orders, chart, tag];
  expect(all.filter(isSelected).map((entity) => entity.urn)).toEqual(selected);
});

test("without anything that narrows it a selection is not narrowed", () => {
  expect(narrowedBy({})).toBeUndefined();
  expect(narrowedBy({ targets: undefined, kinds: undefined })).toBeUndefined();
});

test("an asset whose domain is no single value is in none", () => {
  expect(isInOneOf(entityOf("Dataset", datasetNamed("a"), { domain: setOf([sales]) }), [sales])).toBe(false);
});

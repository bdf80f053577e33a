import { expect, test } from "vitest";
import { Finder, type Group, matchingFirst } from "../../../src/page/find.ts";
import { all, fragmentOf, queryIn, type Query } from "../../../src/page/query.ts";
import type { Result } from "../../../src/report/document/document.ts";
import { documentOf } from "../../../src/report/document/document-of.ts";
import { pageEntries } from "../../../src/report/html/entries.ts";
import { verdictEntries } from "../../../src/report/html/verdicts.ts";
import { check, drift, planByRules, smallPlan } from "./samples.ts";

const view = { lineOf: (): undefined => undefined };

function finderOf(result: Result): Finder {
  return new Finder(pageEntries(documentOf(result, view), view));
}

function titlesIn(groups: readonly Group[]): readonly string[] {
  return groups.flatMap(({ entries }) => entries.map(({ title }) => title));
}

const small = finderOf({ plan: smallPlan });

test.each<[string, Partial<Query>, readonly string[]]>([
  ["all words of a search", { search: "LEDGER  Finance Data" }, ["prod.finance.ledger"]],
  ["a file and line", { search: "finance.yaml:28" }, ["prod.finance.ledger"]],
  ["who set a value", { search: "corpuser:alice" }, ["prod.finance.ledger"]],
  ["nothing", { search: "no such word" }, []],
  ["what is created", { change: "creates" }, ["PII"]],
  ["what is deleted", { change: "deletes" }, ["Legacy", "old"]],
  ["conflicts", { change: "conflict" }, ["prod.finance.invoices"]],
  ["values not declared before", { change: "foreign" }, ["prod.finance.invoices", "prod.finance.ledger"]],
  ["a kind", { kind: "Domain" }, ["Legacy"]],
  ["a field", { field: "description", kind: "Tag" }, ["PII"]],
])("a query finds %s", (_, query, titles) => {
  expect(titlesIn(small.find({ ...all, ...query }))).toEqual(titles);
});

test.each<[string, Result, string, readonly string[]]>([
  ["rule", { plan: planByRules(6) }, "rule", ["Rule prod-is-tier-1", "Rule finance-is-confidential"]],
  ["kind, the largest group first", { plan: smallPlan }, "kind", ["Dataset", "Tag", "Domain"]],
  ["domain, then what does not move", { plan: smallPlan }, "home", ["Sales", "Finance", "No domain"]],
  ["owner, then what has none", { plan: smallPlan }, "team", ["Bob Ray", "Finance Data", "No owner"]],
])("entries are grouped by %s", (_, result, group, titles) => {
  expect(
    finderOf(result)
      .find({ ...all, group })
      .map(({ title }) => title),
  ).toEqual(titles);
});

test("drift is grouped by its classes, the most severe first", () => {
  const titles = finderOf({ drift })
    .find({ ...all, group: "class" })
    .map(({ title }) => title.split(":")[0]);

  expect(titles).toEqual(["Changed", "Missing", "Pending"]);
});

const checked = new Finder(verdictEntries(check, view));

test.each<[string, Partial<Query>, readonly string[]]>([
  ["a verdict", { class: "introduced" }, ["orders"]],
  ["a policy", { policy: "owned" }, ["prod.hr.people", "prod.hr.salaries"]],
  ["the words of a reason", { search: "no domain" }, ["orders"]],
])("the verdicts of a check are found by %s", (_, query, titles) => {
  expect(titlesIn(checked.find({ ...all, ...query }))).toEqual(titles);
});

test.each([
  ["policy", ["not-one-person 3", "owned 2", "personal-data-documented 2", "production_has_a_steward 2"]],
  ["entity", ["orders 1", "prod.hr.people 4", "prod.hr.salaries 4"]],
  ["class", ["Existing: already violated 8", "Introduced: the manifests cause the violation 1"]],
])("the verdicts of a check are grouped by %s", (group, titles) => {
  const groups = checked.find({ ...all, group });

  expect(
    groups.map(({ title, entries }) => `${title.replace("Policy ", "")} ${entries.length}`).toSorted(),
  ).toEqual(titles);
});

test("drift is found by its class", () => {
  const found = finderOf({ drift }).find({ ...all, class: "changed" });

  expect(found.flatMap(({ entries }) => entries.map(({ label }) => label))).toEqual(["changed"]);
});

test("a value that many share is found by each of them, which comes first", () => {
  const [group] = finderOf({ plan: planByRules(50) }).find({ ...all, search: "table_000049 tier-1" });
  const [entry, ...others] = group?.entries ?? [];

  expect(others).toEqual([]);
  const [first] = matchingFirst(entry?.sharers ?? [], { ...all, search: "table_000049 tier-1" });
  expect(first?.name).toBe("prod.sales.table_000049");
});

test("a query is the same after it was in an address", () => {
  const query = {
    search: "a & b=#ü",
    change: "removes",
    kind: "Dataset",
    field: "tags",
    rule: "%",
    class: "changed",
    policy: "owned",
    group: "rule",
  };

  expect(queryIn(fragmentOf(query))).toEqual(query);
  expect(fragmentOf(all)).toBe("");
  expect(queryIn("#kind=Dataset&other=1")).toEqual({ ...all, kind: "Dataset" });
});

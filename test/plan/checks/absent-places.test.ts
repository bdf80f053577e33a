import { describe, expect, test } from "vitest";
import type { Problem } from "../../../src/model/problem.ts";
import { scalarOf, setOf } from "../../../src/model/state.ts";
import { ignoring, nothingIgnored } from "../../../src/plan/base/ignore.ts";
import { referencesOfAbsent } from "../../../src/plan/checks/absent-places.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";

const a = datasetNamed("a");
const [pii, gold] = [urn("urn:li:tag:pii"), urn("urn:li:tag:gold")];
const sales = urn("urn:li:domain:sales");

const declared = stateOf(
  entityOf("Dataset", a, {
    domain: scalarOf(sales),
    tags: setOf([gold]),
    "columns.tags": {
      shape: "map",
      entries: new Map([
        ["email", setOf([pii])],
        ["id", setOf([gold])],
      ]),
    },
  }),
);
const severity = "error";
const column = { urn: a, column: "email", candidates: [] };
const all = [
  [a, "domain", sales],
  [a, "tags", gold],
  [a, "columns.tags", pii],
  [a, "columns.tags", gold],
] as const;
const ofEmail = [[a, "columns.tags", pii]] as const;

const found = (
  problem: Problem,
  missing: "error" | "skip",
  ignored = nothingIgnored,
): ReturnType<typeof referencesOfAbsent> => referencesOfAbsent(declared, [problem], missing, ignored);

describe("of what is declared where no change writes it, these references are checked, too", () => {
  test.each<readonly [string, Problem, readonly unknown[], readonly unknown[]]>([
    ["a missing asset", { code: "asset-missing", severity, args: { kind: "Dataset", urn: a } }, all, []],
    ["a removed asset", { code: "asset-removed", severity, args: { kind: "Dataset", urn: a } }, all, []],
    ["a missing column", { code: "column-unknown", severity, args: column }, ofEmail, []],
    ["a column that may be two", { code: "column-ambiguous", severity, args: column }, ofEmail, ofEmail],
    ["what could not be read", { code: "read-failed", severity, args: { urn: a, error: "no" } }, [], []],
    [
      "an asset that is not declared",
      { code: "asset-missing", severity, args: { kind: "Dataset", urn: datasetNamed("b") } },
      [],
      [],
    ],
  ])("of %s", (_, problem, asErrors, skipped) => {
    expect(found(problem, "error")).toEqual(asErrors);
    expect(found(problem, "skip")).toEqual(skipped);
  });

  test("but none to a value that is ignored", () => {
    const ignored = ignoring([{ facet: "columns.tags", value: gold, reason: "r" }]);
    const problem: Problem = { code: "asset-missing", severity, args: { kind: "Dataset", urn: a } };

    expect(found(problem, "error", ignored)).toEqual(all.slice(0, 3));
  });
});

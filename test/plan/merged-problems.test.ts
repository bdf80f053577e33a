import { expect, test } from "vitest";
import type { PlanProblem, Problem } from "../../src/model/problem.ts";
import { mergedProblems, blocksDeletions } from "../../src/plan/merged-problems.ts";
import { datasetNamed, urn } from "../support/states.ts";

const [pii, gold] = [urn("urn:li:tag:pii"), urn("urn:li:tag:gold")];
const at = (file: string, line = 1) => ({ origin: { file, line, column: 1 } });
const held: Problem = { code: "deletion-held", severity: "warning", args: { urns: [pii] } };

function referenceTo(tag: string, file: string, more: object = {}): Problem {
  return {
    code: "reference-missing",
    severity: "error",
    args: { urn: tag, what: "Tag", ...more },
    ...at(file),
  };
}

function unread(of: string, file: string, kind?: string): Problem {
  const args = { urn: of, error: `timed out in ${file}`, ...(kind !== undefined && { kind }) };
  return { code: "read-failed", severity: "error", args, ...at(file) };
}

function removed(tag: string, file: string): Problem {
  return { code: "reference-removed", severity: "error", args: { urn: tag, what: "Tag" }, ...at(file) };
}

function merged(...shards: readonly (readonly PlanProblem[])[]): readonly PlanProblem[] {
  return mergedProblems(shards.map((problems) => ({ problems })));
}

test("what several shards say of one reference is said once, at the first of all places", () => {
  const first = [referenceTo(pii, "b.yaml"), removed(gold, "e.yaml"), unread(gold, "f.yaml", "Tag")];
  const second = [
    referenceTo(pii, "a.yaml", { suggestion: "urn:li:tag:pi" }),
    removed(gold, "c.yaml"),
    unread(gold, "g.yaml", "Tag"),
  ];
  const third = [referenceTo(gold, "d.yaml"), unread(gold, "h.yaml", "Domain"), unread(pii, "i.yaml", "Tag")];
  expect(merged(first, second, third)).toEqual([
    referenceTo(pii, "a.yaml", { suggestion: "urn:li:tag:pi" }),
    removed(gold, "c.yaml"),
    referenceTo(gold, "d.yaml"),
    unread(gold, "f.yaml", "Tag"),
    unread(gold, "h.yaml", "Domain"),
    unread(pii, "i.yaml", "Tag"),
  ]);
});

test("another problem is said once where all of it is the same", () => {
  const gone = (name: string, file: string): Problem => {
    return {
      code: "asset-missing",
      severity: "error",
      args: { kind: "Dataset", urn: datasetNamed(name) },
      ...at(file),
    };
  };
  const related = { ...gone("a", "a.yaml"), related: { file: "z.yaml", line: 1, column: 1 } };
  expect(
    merged([held, gone("a", "a.yaml")], [held, gone("a", "a.yaml"), related], [gone("a", "b.yaml")]),
  ).toEqual([held, gone("a", "a.yaml"), related, gone("a", "b.yaml")]);
});

test("what one shard says twice is two problems", () => {
  const twice = [removed(gold, "b.yaml"), removed(gold, "d.yaml")];
  expect(merged(twice, [removed(gold, "c.yaml")])).toEqual(twice);
});

test("problems of saved plans are merged as well, also of codes that are not known", () => {
  const saved = (code: string, message: string): PlanProblem => {
    return { code, severity: "error", args: { urn: gold }, message, source: "" };
  };
  expect(
    merged(
      [saved("of-another-version", "one"), saved("reference-missing", "two")],
      [saved("of-another-version", "one"), saved("reference-missing", "two")],
    ),
  ).toEqual([saved("of-another-version", "one"), saved("reference-missing", "two")]);
});

test("plans without problems have none", () => {
  expect(mergedProblems([{}, {}])).toEqual([]);
  expect(mergedProblems([{}, { problems: [held] }])).toEqual([held]);
});

test.each<readonly [boolean, readonly PlanProblem[] | undefined]>([
  [true, [unread(pii, "a.yaml"), held]],
  [false, [unread(pii, "a.yaml")]],
  [false, undefined],
])("a plan deletes nothing where it says so: %j", (expected, problems) => {
  expect(blocksDeletions(problems ? { problems } : {})).toBe(expected);
});

import { marked } from "marked";
import { expect, test } from "vitest";
import type { Change } from "../../../src/model/change.ts";
import type { Plan } from "../../../src/model/plan.ts";
import type { Problem } from "../../../src/model/problem.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { prose } from "../../../src/report/markdown/escape.ts";
import { operationsOf } from "../../../src/plan/order/operations.ts";
import { datasetNamed, urn } from "../../support/states.ts";
import { conflict, findings, losses, planOf, problems, usualChanges } from "../plans.ts";
import { printed } from "../print.ts";

const git = { commit: "4f1c0de", dirty: true, base: "0ddba11" };
const unmanaged: Plan["unmanaged"] = ["urn:li:tag:seen", "urn:li:tag:used"].map((value) => ({
  urn: datasetNamed("prod.sales.orders"),
  kind: "Dataset",
  facet: "tags",
  value,
  reason: "other-writer",
}));

test.each<readonly [string, Plan]>([
  ["nothing", planOf({ summary: { unchanged: 43 } })],
  [
    "usual",
    planOf({
      git,
      changes: usualChanges,
      unmanaged,
      summary: { create: 1, update: 2, additions: 2, unmanaged: 2 },
    }),
  ],
  [
    "losses",
    planOf({
      git,
      changes: losses,
      findings: findings.slice(1, 2),
      summary: {
        update: 2,
        delete: 2,
        additions: 1,
        removals: 2,
        blocked: 2,
      },
    }),
  ],
  [
    "everything",
    planOf({
      git,
      changes: [...usualChanges.slice(0, 3), conflict, ...losses],
      findings,
      problems,
      unmanaged,
      summary: {
        create: 1,
        update: 2,
        delete: 2,
        additions: 2,
        removals: 2,
        unmanaged: 2,
        conflicts: 1,
        blocked: 3,
      },
    }),
  ],
])("a plan of %s reads as written down", async (name, plan) => {
  await expect(printed({ plan }, "markdown")).toMatchFileSnapshot(`expected/plan-${name}.md`);
});

test("drift reads as written down", async () => {
  const classes = ["pending", "changed", "missing"] as const;
  const changes = [...usualChanges.slice(0, 3), conflict, ...losses].map((change, index): Change => ({
    ...change,
    class: classes[index % 3] ?? "changed",
  }));
  const plan = planOf({ git, changes, findings, problems, unmanaged, summary: { unmanaged: 2 } });
  await expect(printed({ drift: plan }, "markdown")).toMatchFileSnapshot("expected/drift.md");
  const blind = planOf({ changes: changes.slice(1, 2) });
  expect(printed({ drift: blind }, "markdown")).toContain(
    "\n\n#### Notes: 1\n\n- Without a base (the last applied commit), it is unknown",
  );
});

test("problems without a plan read as written down", async () => {
  await expect(printed({ problems }, "markdown")).toMatchFileSnapshot("expected/problems.md");
});

test("a report tells what failed before it tells the plan", async () => {
  const plan = planOf({ git, changes: usualChanges, summary: { create: 1, update: 2, additions: 2 } });
  const outcomes = operationsOf(plan).map((operation, index) => {
    if (index === 0)
      return { status: "failed", operation, error: "the server said `no`\nand </details>" } as const;
    return index === 1
      ? ({ status: "skipped", operation, because: `${urn("urn:li:tag:pii")} failed` } as const)
      : ({ status: "applied", operation } as const);
  });
  await expect(printed({ report: { plan, outcomes } }, "markdown")).toMatchFileSnapshot("expected/report.md");
});

const digits = (number: number): string => String(number).padStart(5, "0");

/** The longer the names are, the fewer are needed to fill a summary. */
const long = "subdivision-".repeat(20);

/** A dataset with a long name. */
const longName = (index: number): Urn =>
  datasetNamed(`production_warehouse.finance_reporting.${long}${digits(index)}`);

const manyUpdates = (number: number): readonly Change[] =>
  Array.from({ length: number }, (_, index) => ({
    action: "update",
    shape: "set",
    kind: "Dataset",
    urn: longName(index),
    fingerprint: "",
    facet: "tags",
    add: ["urn:li:tag:tier-1"],
    remove: ["urn:li:tag:old"],
    removed: [
      {
        value: "urn:li:tag:old",
        declaredBefore: index % 2 === 0,
      },
    ],
  }));

const manyDeletions = (number: number): readonly Change[] =>
  Array.from({ length: number }, (_, index) => ({
    action: "delete",
    shape: "entity",
    kind: "Domain",
    fingerprint: "",
    assignments: 3,
    urn: urn(`urn:li:domain:finance-reporting-${long}${digits(index)}`),
    source: {
      file: "catalog/domains.yaml",
      line: index + 1,
      column: 1,
    },
  }));

test("of 6,000 changes as many are told as a summary holds: every deletion, and what is left out is counted", () => {
  const deletions = manyDeletions(300);
  const plan = planOf({ changes: [...manyUpdates(6000), ...deletions], findings, problems });
  const text = printed({ plan }, "markdown");
  expect(text.length).toBeLessThanOrEqual(1_048_576);
  expect(text.length).toBeGreaterThan(900_000);
  expect(
    deletions.filter(
      ({ urn: deleted }) => !text.includes(`- Domain ${deleted}  also removes its assignments on 3 entities`),
    ),
  ).toEqual([]);
  const named = text.match(/^- tags: urn:li:tag:old {2}not declared before$/gm) ?? [];
  expect(text).toContain(`… and ${(6000 - named.length).toLocaleString("en")} more values\n`);
  expect(text).toContain("<b>snowflake</b>: 6,000 entities (6,000 changes)");
  expect(text).toContain("… and 6,000 more changes\n");
  expect(text).toContain("**This text is truncated.** The full plan is available as JSON (`plan --out`).");
});

test("3,000 deletions are all named, with nothing else said of them", () => {
  const deletions = manyDeletions(3000);
  const text = printed(
    { plan: planOf({ changes: [...manyUpdates(1600), ...deletions], findings, problems }) },
    "markdown",
  );
  expect(text.length).toBeLessThanOrEqual(1_048_576);
  const lines = new Set(text.split("\n"));
  expect(deletions.filter(({ urn: deleted }) => !lines.has(`- ${deleted}`))).toEqual([]);
});

test("even deletions are counted where they are too many", () => {
  const text = printed({ plan: planOf({ changes: manyDeletions(5000) }) }, "markdown");
  const named = text.match(/^- urn:li:domain:/gm)?.length ?? 0;
  expect(text.length).toBeLessThanOrEqual(1_048_576);
  expect(named).toBeGreaterThan(3000);
  expect(text).toContain(`… and ${(5000 - named).toLocaleString("en")} more deletions\n`);
});

test("changes that are told whole and changes that are left out are all changes", () => {
  const wide: Change = {
    action: "update",
    shape: "set",
    kind: "Group",
    urn: urn("urn:li:corpGroup:all"),
    fingerprint: "",
    facet: "members",
    add: Array.from({ length: 2000 }, (_, index) => `urn:li:corpuser:${long}${digits(index)}@acme.com`),
    remove: [],
  };
  const groups = [1, 2, 3].map((id) => ({ ...wide, urn: urn(`urn:li:corpGroup:${id}`) }));
  const text = printed({ plan: planOf({ changes: groups }) }, "markdown");
  expect(text).toContain("@@ update urn:li:corpGroup:2 @@\n+ members:");
  expect(text).toContain("… and 2 more changes\n");
});

test("of long texts the first difference is shown, and the cut is marked", () => {
  const before = `${"The ledger of all. ".repeat(40)}Old 🦆.`;
  const change: Change = {
    action: "update",
    shape: "scalar",
    kind: "Tag",
    urn: urn("urn:li:tag:a"),
    fingerprint: "",
    facet: "description",
    before,
    after: before.replace("Old", "New"),
  };
  const text = printed({ plan: planOf({ changes: [change] }) }, "markdown");
  expect(text).toMatch(/^- description: ….{20,60}Old 🦆\.$/m);
  expect(text).toMatch(/^\+ description: ….{20,60}New 🦆\.$/m);
  const created = printed(
    { plan: planOf({ changes: [{ ...change, before: null, after: "🦆".repeat(400) }] }) },
    "markdown",
  );
  expect(created).toMatch(/^\+ description: (?:🦆){150}…$/m);
});

test("a sentence is shown as it is, but for what would be a link or a mention", () => {
  const sentence =
    "Might 2 * 3 < 4_5 be [right](x) & high | ~low~ \\ $1 > ask @bob or #1 at www.a.b or http://a.b, `co`";
  const html = marked.parseInline(prose(sentence)) as string;
  const shown = html
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&#36;", "$")
    .replaceAll("&amp;", "&");
  expect(shown.replaceAll(/&#8203;|\u200B/g, "")).toBe(sentence.replace("`co`", "<code>co</code>"));
});

test("an error without end is cut, and what follows it is still told", () => {
  const failed = (id: string, error: string): Problem => ({
    code: "read-failed",
    severity: "error",
    args: { urn: id, error },
  });
  const text = printed(
    { problems: [failed("urn:li:tag:a", "no `x` ".repeat(20_000)), failed("urn:li:tag:b", "no")] },
    "markdown",
  );
  expect(text.length).toBeLessThan(5000);
  expect(text).toContain("- `read-failed`: could not read `urn:li:tag:a`: no `x` no");
  expect(text).toContain("- `read-failed`: could not read `urn:li:tag:b`: no\n");
});

test("each removal is named once", () => {
  const text = printed({ plan: planOf({ git, changes: losses }) }, "markdown");
  for (const line of [
    "- Domain urn:li:domain:legacy",
    "- Tag urn:li:tag:old",
    "- tags: urn:li:tag:gold",
    "- domain: ",
  ])
    expect(text.split(line).length - 1, line).toBe(1);
});

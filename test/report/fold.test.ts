import { expect, test } from "vitest";
import type { Change } from "../../src/model/change.ts";
import type { Plan } from "../../src/model/plan.ts";
import type { Outcome } from "../../src/model/report.ts";
import { renderPlan, renderReport, type View } from "../../src/workflow/render.ts";
import { operationsOf } from "../../src/plan/order/operations.ts";
import { reviewMarkdown } from "../../src/report/github/review.ts";
import { datasetNamed } from "../support/states.ts";
import { planOf } from "./plans.ts";
import { printed } from "./print.ts";

const view: View = { cwd: "." };
const size = 1000;
const pii = "urn:li:tag:pii";

/** What a rule changes on a dataset: it adds a tag, and takes one away. */
function ruled(index: number): Change {
  return {
    action: "update",
    kind: "Dataset",
    shape: "set",
    urn: datasetNamed(`sales.t${String(index).padStart(4, "0")}`),
    facet: "tags",
    add: [pii],
    remove: ["urn:li:tag:raw"],
    removed: [{ value: "urn:li:tag:raw", declaredBefore: false }],
    source: { file: "catalog/rules.yaml", line: 7, column: 1 },
    rules: ["sales-is-pii"],
    fingerprint: "0".repeat(64),
  };
}

function planOfRule(number = size, more: Partial<Plan> = {}): Plan {
  const changes = Array.from({ length: number }, (_, index) => ruled(index));
  const summary = { update: number, additions: number, removals: number };
  return { ...planOf({ changes, summary }), ...more };
}

function linesOf(text: string): readonly string[] {
  return text.trimEnd().split("\n");
}

test("one rule on 1,000 datasets is one entry of the text, which names the first three", () => {
  const text = renderPlan(planOfRule(), "text", view);

  expect(text).toContain(
    `
~ 1,000 datasets: sales.t0000, sales.t0001, sales.t0002 and 997 more  (--all lists them)
    tags  catalog/rules.yaml:7:1 (rule sales-is-pii)
      + urn:li:tag:pii
    tags  catalog/rules.yaml:7:1 (rule sales-is-pii)
      - urn:li:tag:raw  not declared before
`,
  );
  expect(linesOf(text).length).toBeLessThanOrEqual(30);
  expect(text).toMatch(
    /\nPlan: 0 to create, 1000 to update, .* 1000 values added, 0 replaced, 1000 removed\.\n$/,
  );
});

test("one rule on 1,000 datasets is short as Markdown, in a comment and as drift, with the numbers of all", () => {
  const plan = planOfRule();
  const drift = {
    ...plan,
    changes: plan.changes.map((change) => ({ ...change, class: "changed" as const })),
  };

  for (const text of [
    renderPlan(plan, "markdown", view),
    reviewMarkdown([{ plan }], {}),
    printed({ drift }, "text"),
    printed({ drift }, "markdown"),
  ]) {
    expect(linesOf(text).length).toBeLessThanOrEqual(30);
    expect(text).toContain("1,000 datasets: sales.t0000, sales.t0001, sales.t0002 and 997 more");
    expect(text).not.toContain("sales.t0003");
    expect(text).not.toContain("truncated");
  }
  expect(renderPlan(plan, "markdown", view)).toContain("#### Removed: 1,000 values");
});

test("with --all, and in JSON, every dataset is there", () => {
  const plan = planOfRule();

  for (const { urn } of [plan.changes[0]!, plan.changes[size - 1]!]) {
    expect(renderPlan(plan, "text", { ...view, all: true })).toContain(`\n~ Dataset ${urn}\n`);
    expect(renderPlan(plan, "json", view)).toContain(`"urn": "${urn}"`);
  }
});

test("the report of 1,000 failures with one reason is short, and whole with --all", () => {
  const plan = planOfRule();
  const outcomes = operationsOf(plan).map((operation): Outcome => ({
    status: "failed",
    operation,
    error: "HTTP 403",
  }));

  const text = renderReport({ plan, outcomes }, "text", view);

  expect(linesOf(text).length).toBeLessThanOrEqual(30);
  expect(text).toContain(
    " of 1,000 datasets: sales.t0000, sales.t0001, sales.t0002 and 997 more\n    HTTP 403\n",
  );
  expect(text).toContain(`Applied 0 operations, ${outcomes.length} failed, 0 skipped.`);
  const whole = renderReport({ plan, outcomes }, "text", { ...view, all: true });
  expect(whole.match(/^failed: /gm)).toHaveLength(outcomes.length);
});

test("five datasets are shown one by one, six once", () => {
  expect(renderPlan(planOfRule(5), "text", view).match(/^~ Dataset /gm)).toHaveLength(5);
  expect(renderPlan(planOfRule(6), "text", view).match(/^~ /gm)).toHaveLength(1);
});

test("what a dataset has beside what it shares is shown by itself, and each change counts once", () => {
  const [first, ...rest] = planOfRule(6).changes as readonly [Change, ...Change[]];
  const more = { ...first, add: [pii, "urn:li:tag:gold"] } as Change;
  const plan = planOf({ changes: [more, ...rest] });

  const text = renderPlan(plan, "text", view);

  expect(text.match(/\+ urn:li:tag:\w+/g)).toEqual(["+ urn:li:tag:pii", "+ urn:li:tag:gold"]);
  expect(text.match(/- urn:li:tag:raw/g)).toHaveLength(1);
  expect(renderPlan(plan, "markdown", view)).toContain(": 6 changes</summary>");
  expect(renderPlan(plan, "markdown", view)).not.toContain("… and");
});

test("a tag that a rule puts on columns of many names is shown once, with the number of columns", () => {
  const changes = Array.from({ length: 8 }, (_, index): Change => {
    const { removed: _removed, ...change } = ruled(index) as Extract<Change, { shape: "set" }>;
    return { ...change, facet: "columns.tags", path: [`mail_${index % 2}`], remove: [] };
  });

  expect(renderPlan(planOf({ changes }), "text", view)).toContain(
    "\n    columns.tags (8 columns)  catalog/rules.yaml:7:1 (rule sales-is-pii)\n      + urn:li:tag:pii\n",
  );
});

test("values of one file on different lines name the file alone", () => {
  const changes = Array.from({ length: 6 }, (_each, index): Change => {
    const { rules: _, ...change } = ruled(index);
    return { ...change, source: { file: "catalog/sales.yaml", line: index, column: 1 } };
  });

  expect(renderPlan(planOf({ changes }), "text", view)).toContain("\n    tags  catalog/sales.yaml\n");
});

import { expect, test } from "vitest";
import type { Change } from "../../src/model/change.ts";
import type { RuleCount } from "../../src/model/plan.ts";
import { reviewMarkdown } from "../../src/report/markdown/review.ts";
import { paintWith } from "../../src/report/paint.ts";
import { planText } from "../../src/report/text/plan-text.ts";
import { datasetNamed } from "../support/states.ts";
import { planOf } from "./plans.ts";

const [a, b] = [datasetNamed("fin.a"), datasetNamed("fin.b")];
const finance = "urn:li:domain:finance";
const common = { action: "update", kind: "Dataset", fingerprint: "0".repeat(64) } as const;
const source = { file: "catalog/rules.yaml", line: 4, column: 1 };

const changes: readonly Change[] = [
  {
    ...common,
    shape: "scalar",
    urn: a,
    facet: "domain",
    before: null,
    after: finance,
    source,
    rules: ["finance"],
  },
  {
    ...common,
    shape: "set",
    urn: a,
    facet: "tags",
    add: ["urn:li:tag:x"],
    remove: [],
    rules: ["crm", "finance"],
    source,
  },
  { ...common, shape: "set", urn: b, facet: "tags", add: ["urn:li:tag:y"], remove: [], source },
];

const rules: readonly RuleCount[] = [
  {
    id: "crm",
    kind: "Dataset",
    matched: 1,
    changed: 1,
    declares: [{ facet: "tags", values: ["urn:li:tag:x"] }],
  },
  {
    id: "finance",
    kind: "Dataset",
    matched: 1204,
    changed: 1,
    declares: [
      { facet: "domain", values: [finance] },
      {
        facet: "owners",
        values: [{ owner: "urn:li:corpGroup:data", type: "urn:li:ownershipType:architect" }],
      },
      { facet: "tags", values: ["1", "2", "3", "4", "5", "6"].map((id) => `urn:li:tag:${id}`) },
      { facet: "columns.tags", values: [] },
    ],
  },
  { id: "idle", kind: "Container", matched: 0, changed: 0, declares: [{ facet: "domain", values: [null] }] },
];

const plan = planOf({ changes, rules, names: { [finance]: "Finance" } });

test("a plan as text names the rules behind a change, and says what each rule does that matches something", () => {
  const text = planText(plan, paintWith(false));

  expect(text).toContain("catalog/rules.yaml:4:1 (rule finance)");
  expect(text).toContain("catalog/rules.yaml:4:1 (rules crm, finance)");
  expect(text).toContain(
    "\nrule crm: tags x on 1 dataset, 1 of them new\nrule finance: domain Finance, owners data as architect, tags 1 and 2 and 3 and 4 and 5 and 1 more, columns.tags none on 1,204 datasets, 1 of them new\n\n",
  );
  expect(text).not.toContain("idle");
});

test("a review has a folded list for each rule, and what documents declare beside them", async () => {
  await expect(reviewMarkdown([{ plan }], {})).toMatchFileSnapshot("expected/review-rules.md");
});

test("of very many rules those after the first are told together", () => {
  const ids = Array.from({ length: 60 }, (_, index) => `r${String(index).padStart(2, "0")}`);
  const many = planOf({
    rules: ids.map((id) => ({ id, kind: "Dataset", matched: 1, changed: 1, declares: [] })),
    changes: ids.map((id, index): Change => {
      const urn = datasetNamed(`d${index}`);
      return { ...common, shape: "set", urn, facet: "tags", add: ["urn:li:tag:x"], remove: [], rules: [id] };
    }),
  });
  const text = reviewMarkdown([{ plan: many }], {});

  expect(text).toContain("<b>rule r49</b>");
  expect(text).not.toContain("<b>rule r50</b>");
  expect(text).toContain("<b>10 more rules</b>");
  expect(text).toContain("d59");
});

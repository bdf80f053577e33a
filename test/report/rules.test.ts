import { expect, test } from "vitest";
import type { Change } from "../../src/model/change.ts";
import type { RuleCount } from "../../src/model/rule-count.ts";
import { reviewMarkdown } from "../../src/report/github/review.ts";
import { datasetNamed } from "../support/states.ts";
import { planOf } from "./plans.ts";
import { printed } from "./print.ts";

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

const gold = { on: 1204, new: 0, overruled: 0 };
const rules: readonly RuleCount[] = [
  {
    id: "crm",
    kind: "Dataset",
    matched: 1,
    matchedInPart: 1,
    changed: 1,
    values: [{ facet: "tags", value: "urn:li:tag:x", on: 1, new: 1, overruled: 0 }],
  },
  {
    id: "finance",
    kind: "Dataset",
    matched: 1204,
    matchedInPart: 1204,
    changed: 1,
    values: [
      { facet: "domain", value: finance, on: 1193, new: 1, overruled: 11 },
      {
        facet: "owners",
        value: { owner: "urn:li:corpGroup:data", type: "urn:li:ownershipType:architect" },
        ...gold,
      },
      ...["1", "2", "3", "4", "5", "6"].map((id) => ({ facet: "tags", value: `urn:li:tag:${id}`, ...gold })),
      { facet: "tags", value: "urn:li:tag:x", on: 1204, new: 1, overruled: 0 },
      { facet: "columns.tags", value: null, on: 3, new: 0, overruled: 2 },
    ],
  },
  {
    id: "idle",
    kind: "Container",
    matched: 4,
    matchedInPart: 0,
    changed: 0,
    values: [{ facet: "domain", value: null, on: 0, new: 0, overruled: 0 }],
  },
];

const plan = planOf({ changes, rules, names: { [finance]: "Finance" } });

test("a plan as text names the rules behind a change, and says what each rule does that matches something", () => {
  const text = printed({ plan }, "text");

  expect(text).toContain("catalog/rules.yaml:4:1 (rule finance)");
  expect(text).toContain("catalog/rules.yaml:4:1 (rules crm, finance)");
  expect(text).toContain(
    "\nrule crm: matches 1 dataset; sets tags x on 1, 1 of them new\n" +
      "rule finance: matches 1,204 datasets; sets domain Finance on 1,193, 1 of them new; overruled on 11; " +
      "sets owners data as architect on 1,204; " +
      "sets tags 1 and 2 and 3 and 4 and 5 and 1 more on 1,204; " +
      "sets tags x on 1,204, 1 of them new; " +
      "sets columns.tags none on 3; overruled on 2\n\n",
  );
  expect(text).not.toContain("idle");
});

test("of a value that a rule sets nowhere the numbers are left out", () => {
  const values = [{ facet: "domain", value: finance, on: 0, new: 0, overruled: 0 }];
  const rule = { id: "crm", kind: "Dataset", matched: 4, matchedInPart: 4, changed: 0, values };
  expect(printed({ plan: planOf({ changes, rules: [rule] }) }, "text")).toContain(
    "rule crm: matches 4 datasets; sets domain finance on none\n",
  );
});

test("a plan of a part says how many assets a rule matches in the whole catalog and how many of them are in the part", () => {
  const [first] = rules;
  const part = planOf({ changes, rules: first ? [{ ...first, matched: 46 }] : [] });

  expect(printed({ plan: part }, "text")).toContain(
    "\nrule crm: matches 46 datasets, 1 of them in this selection; sets tags x on 1, 1 of them new\n",
  );
});

test("where assets could not be read a plan does not say on how many a rule sets its values", () => {
  const part = planOf({ ...plan, rules: rules.map((rule) => ({ ...rule, incomplete: true })) });

  expect(printed({ plan: part }, "text")).toContain(
    "\nrule crm: matches at least 1 dataset, but some entities could not be read; sets tags x\n" +
      "rule finance: matches at least 1,204 datasets, but some entities could not be read; sets domain Finance; ",
  );
});

test("a review has a folded list for each rule, and what documents declare beside them", async () => {
  await expect(reviewMarkdown([{ plan }], {})).toMatchFileSnapshot("expected/review-rules.md");
});

test("of very many rules those after the first are told together", () => {
  const ids = Array.from({ length: 60 }, (_, index) => `r${String(index).padStart(2, "0")}`);
  const many = planOf({
    rules: ids.map((id) => ({ id, kind: "Dataset", matched: 1, matchedInPart: 1, changed: 1, values: [] })),
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

import type { Change } from "../../../src/model/change.ts";
import type { Plan, Summary } from "../../../src/model/plan.ts";
import type { Coverage } from "../../../src/model/listing.ts";
import type { Report } from "../../../src/model/report.ts";
import type { Urn } from "../../../src/model/urn.ts";
import type { CheckResult } from "../../../src/plan/policies/check-result.ts";
import { countOf } from "../../../src/plan/policies/judge-policies.ts";
import { operationsOf } from "../../../src/plan/order/operations.ts";
import { coveragePrinters } from "../../../src/report/printers.ts";
import { datasetNamed } from "../../support/states.ts";
import { checkOf, conflict, findings, losses, planOf, problems, usualChanges, violation } from "../plans.ts";

const fingerprint = "0".repeat(64);
const links = "https://datahub.acme.com";
const names = {
  "urn:li:domain:sales": "Sales",
  "urn:li:domain:finance": "Finance",
  "urn:li:domain:legacy": "Legacy",
  "urn:li:domain:old": "Old",
  "urn:li:domain:customer_lifecycle_management": "Customer Lifecycle Management",
  "urn:li:tag:pii": "PII",
  "urn:li:corpuser:bob": "Bob Ray",
  "urn:li:corpGroup:finance-data": "Finance Data",
};

const git = { commit: "4f1c2ab9e0d3", dirty: false, base: "9e02d11c77aa" };
const header = {
  links,
  names,
  git,
  tool: "datahub-gitops/0.1.0",
  createdAt: "2026-11-24T09:30:00.000Z",
  target: "https://datahub.acme.com/api/gms",
  scope: { directory: "catalog", environment: "prod" },
};

const owners: Change = {
  action: "update",
  shape: "set",
  kind: "Dataset",
  urn: datasetNamed("prod.finance.ledger"),
  fingerprint,
  source: { file: "catalog/finance.yaml", line: 31, column: 3 },
  facet: "owners",
  add: [{ owner: "urn:li:corpGroup:finance-data", type: "urn:li:ownershipType:__system__technical_owner" }],
  remove: [{ owner: "urn:li:corpuser:bob", type: "urn:li:ownershipType:__system__data_steward" }],
  removed: [
    {
      value: { owner: "urn:li:corpuser:bob", type: "urn:li:ownershipType:__system__data_steward" },
      declaredBefore: false,
      actor: "urn:li:corpuser:alice",
      time: "2026-11-02T08:00:00.000Z",
    },
  ],
};

const description: Change = {
  action: "update",
  shape: "scalar",
  kind: "Dataset",
  urn: datasetNamed("prod.finance.ledger"),
  fingerprint,
  source: { file: "catalog/finance.yaml", line: 28, column: 3 },
  facet: "description",
  before: "One row a booking.",
  after: "One row a booking, also of subsidiaries. Closed on the fifth working day.",
};

/** A plan as a reviewer sees one: a dozen changes, with a guard that blocks it. */
export const smallPlan: Plan = planOf({
  ...header,
  changes: [...usualChanges, ...losses, conflict, owners, description],
  findings: findings.slice(1),
  problems: problems.filter(({ severity }) => severity === "warning"),
  summary: {
    create: 1,
    update: 4,
    delete: 2,
    unchanged: 118,
    additions: 6,
    replacements: 2,
    removals: 4,
    conflicts: 1,
    blocked: 1,
    heldBack: 1,
    unmanaged: 2,
  },
  unmanaged: [
    {
      urn: datasetNamed("prod.sales.orders"),
      kind: "Dataset",
      facet: "tags",
      value: "urn:li:tag:gold",
      reason: "other-writer",
      actor: "urn:li:corpuser:bob",
      time: "2026-10-01T00:00:00.000Z",
    },
    {
      urn: datasetNamed("prod.sales.orders"),
      kind: "Dataset",
      facet: "owners",
      value: { owner: "urn:li:corpuser:bob", type: "urn:li:ownershipType:__system__data_steward" },
      reason: "ingested",
    },
  ],
});

const rules = [
  ["prod-is-tier-1", "tags", "urn:li:tag:tier-1"],
  ["finance-is-confidential", "glossary_terms", "urn:li:glossaryTerm:classification.confidential"],
] as const;

/** A plan of changes that two rules cause, on so many datasets each. */
export function planByRules(datasets: number): Plan {
  return planOf({
    ...header,
    changes: rules.flatMap(([rule, facet, value], index) =>
      namesOf(datasets).map((name): Change => ({
        action: "update",
        shape: "set",
        kind: "Dataset",
        urn: datasetNamed(`prod.${index === 0 ? "sales" : "finance"}.${name}`),
        fingerprint,
        source: { file: "catalog/rules.yaml", line: 3 + 9 * index, column: 5 },
        rules: [rule],
        facet,
        add: [value],
        remove: [],
      })),
    ),
    rules: rules.map(([id, facet, value]) => ({
      id,
      kind: "Dataset",
      matched: datasets,
      matchedInPart: datasets,
      changed: datasets,
      values: [{ facet, value, on: datasets, new: datasets, overruled: 0 }],
    })),
    summary: { update: 2 * datasets, additions: 2 * datasets, unchanged: 40 },
  });
}

/** A plan of single changes that no two datasets share. */
export function largePlan(datasets: number): Plan {
  return planOf({
    ...header,
    changes: namesOf(datasets).map((name, index): Change => ({
      action: "update",
      shape: "set",
      kind: "Dataset",
      urn: datasetNamed(`prod.area_${index % 40}.${name}`),
      fingerprint,
      source: { file: `catalog/area-${index % 40}.yaml`, line: 3 + index, column: 5 },
      facet: index % 3 === 0 ? "columns.tags" : "tags",
      ...(index % 3 === 0 && { path: [`column_${index % 17}`] }),
      add: [`urn:li:tag:tag-${index}`],
      remove: [],
    })),
    summary: { update: datasets, additions: datasets },
  });
}

function namesOf(number: number): readonly string[] {
  return Array.from({ length: number }, (_, index) => `table_${String(index).padStart(6, "0")}`);
}

/** Drift of all classes. */
export const drift: Plan = planOf({
  ...header,
  changes: [owners, description, ...losses.slice(2), ...usualChanges.slice(2)].map((change, index) => ({
    ...change,
    class: (["changed", "missing", "pending"] as const)[Math.min(2, Math.floor(index / 2))] ?? "pending",
  })),
  summary: { unchanged: 240, unmanaged: 3 },
});

/** A check with violations that are new, known and waived, by policies with usual ids. */
export const check: CheckResult = {
  ...checkOf({}),
  policies: ["not-one-person", "personal-data-documented", "production_has_a_steward", "owned"].flatMap(
    (id, index) =>
      checkOf({
        passes: 1901 * index,
        introduced: index === 0 ? [violation] : [],
        existing: ["prod.hr.people", "prod.hr.salaries"].map((name) => ({
          urn: datasetNamed(name),
          reasons: ["has no owners of type DATA_STEWARD"],
        })),
      }).policies.map((result) => ({ ...result, policy: { ...result.policy, id } })),
  ),
};

/** What these policies say of a plan. */
export const manyPolicies: Pick<Plan, "policies"> = { policies: check.policies.map(countOf) };

/** An apply of which one operation failed and one was stale. */
export const report: Report = {
  plan: { ...smallPlan, findings: [] },
  outcomes: operationsOf(planOf({ changes: [...usualChanges, ...losses] })).map((operation, index) =>
    index === 2
      ? {
          status: "failed",
          operation,
          error: "Unauthorized to perform this action. Please contact your DataHub administrator.",
        }
      : index === 3
        ? { status: "stale", operation, because: "the catalog has changed since the plan was made" }
        : { status: "applied", operation },
  ),
  run: {
    startedAt: "2026-11-24T09:31:00.000Z",
    endedAt: "2026-11-24T09:31:12.000Z",
    exitCode: 7,
    approval: "saved-plan",
    approvedBy: { name: "alice", source: "GITHUB_ACTOR" },
  },
};

function sharesOf(...shares: readonly number[]): ReadonlyMap<string, number> {
  const facets = ["domain", "owners", "tags", "glossary_terms", "description"];
  return new Map(facets.map((facet, index) => [facet, shares[index] ?? 0]));
}

/** Counts of a catalog of four domains. */
const coverage: Coverage = {
  target: header.target,
  createdAt: header.createdAt,
  by: "domain",
  groups: [
    {
      key: "urn:li:domain:sales",
      assets: 1204,
      declared: 1100,
      documents: 80,
      rules: 1090,
      facets: sharesOf(1204, 980, 1100, 120, 640),
    },
    {
      key: "",
      assets: 731,
      declared: 12,
      documents: 12,
      rules: 0,
      facets: sharesOf(0, 96, 210, 3, 88),
    },
    {
      key: "urn:li:domain:finance",
      assets: 412,
      declared: 412,
      documents: 40,
      rules: 412,
      facets: sharesOf(412, 412, 400, 333, 398),
    },
    {
      key: "urn:li:domain:customer_lifecycle_management",
      assets: 9,
      declared: 0,
      documents: 0,
      rules: 0,
      facets: sharesOf(9, 0, 1, 0, 0),
    },
  ],
  total: {
    assets: 2356,
    declared: 1524,
    documents: 132,
    rules: 1502,
    facets: sharesOf(1625, 1488, 1711, 456, 1126),
  },
  policies: [
    { id: "personal-data-documented", matched: 318, passes: 201 },
    { id: "production-has-a-steward", matched: 1944, passes: 1901 },
  ],
};

/** The page of counts. */
export const coveragePage = coveragePrinters.html(coverage, names, { links });

/** What a page must show as text: an end of its script, signs that turn a line around, and a long name. */
export const hostileTexts = [
  "</script><script>document.title = 'taken'</script>",
  "<img src=x onerror=document.title='taken'>",
  "gpj.\u202Eexe\u2066",
  "x".repeat(10_000),
  "\"' onmouseover='document.title=`taken`' `&amp;",
  "${document.title = 'taken'}",
] as const;

/** A plan with these texts in every place. */
export const hostilePlan: Plan = planOf({
  ...header,
  tool: hostileTexts[0],
  target: hostileTexts[1],
  scope: { directory: "catalog", environment: hostileTexts[0] },
  names: Object.fromEntries(hostileTexts.map((text) => [hostileUrn(text), text])),
  changes: hostileTexts.map((text): Change => ({
    action: "update",
    shape: "scalar",
    kind: "Dataset",
    urn: hostileUrn(text),
    fingerprint,
    source: { file: text, line: 1, column: 1 },
    rules: [text],
    facet: "description",
    before: text,
    after: `${text}!`,
  })),
  summary: { update: hostileTexts.length } satisfies Partial<Summary>,
});

function hostileUrn(text: string): Urn {
  return `urn:li:dataset:(urn:li:dataPlatform:snowflake,${text},PROD)` as Urn;
}

import type { CatalogPolicy, Violation } from "../../src/model/catalog-policy.ts";
import type { Change, ScalarChange } from "../../src/model/change.ts";
import type { Origin } from "../../src/model/origin.ts";
import type { Finding, Plan, Summary } from "../../src/model/plan.ts";
import type { Problem } from "../../src/model/problem.ts";
import type { CheckResult } from "../../src/plan/policies/check-result.ts";
import type { PolicyResult } from "../../src/plan/policies/judge-policies.ts";
import { defaultLimits } from "../../src/plan/checks/guards/index.ts";
import { datasetNamed, header, urn } from "../support/states.ts";

const nothing: Summary = {
  create: 0,
  update: 0,
  delete: 0,
  unchanged: 0,
  additions: 0,
  replacements: 0,
  removals: 0,
  unmanaged: 0,
  conflicts: 0,
  blocked: 0,
  heldBack: 0,
};

type Parts = Partial<Omit<Plan, "summary">> & { readonly summary?: Partial<Summary> };

/** A plan of these parts, empty otherwise. */
export function planOf({ summary, ...parts }: Parts = {}): Plan {
  return {
    ...header,
    formatVersion: "1",
    limits: defaultLimits,
    digest: `sha256:${"0".repeat(64)}`,
    changes: [],
    findings: [],
    unmanaged: [],
    ...parts,
    summary: { ...nothing, ...summary },
  };
}

const fingerprint = "0".repeat(64);
const orders = datasetNamed("prod.sales.orders");
const invoices = datasetNamed("prod.finance.invoices");
const place = (line: number): Origin => ({ file: "catalog/finance.yaml", line, column: 3 });

const update = { action: "update", kind: "Dataset", fingerprint } as const;
const scalar = { ...update, shape: "scalar" } as const;
const set = { ...update, shape: "set" } as const;
const newTag = {
  action: "create",
  shape: "scalar",
  kind: "Tag",
  urn: urn("urn:li:tag:pii"),
  fingerprint,
  before: null,
} as const;
const byBob = { actor: "urn:li:corpuser:bob", time: "2024-05-01T10:00:00.000Z" };
const sales = "urn:li:domain:sales";
const finance = "urn:li:domain:finance";

/** A new tag, and two datasets whose column tags, domain and tags change. */
export const usualChanges: readonly Change[] = [
  { ...newTag, facet: "name", after: "PII" },
  { ...newTag, facet: "description", after: "Personal data.\nAsk @privacy before use.", source: place(1) },
  {
    ...set,
    urn: invoices,
    source: place(9),
    facet: "columns.tags",
    path: ["customer.email"],
    add: ["urn:li:tag:pii"],
    remove: [],
  },
  { ...scalar, urn: invoices, source: place(12), facet: "domain", before: sales, after: finance },
  { ...set, urn: orders, source: place(20), facet: "tags", add: ["urn:li:tag:tier-1"], remove: [] },
];

/** Changes that take something away: entities, members of sets, single values. */
export const losses: readonly Change[] = [
  {
    action: "delete",
    shape: "entity",
    kind: "Domain",
    urn: urn("urn:li:domain:legacy"),
    fingerprint,
    source: { ...place(30), base: true },
    assignments: 12,
  },
  { action: "delete", shape: "entity", kind: "Tag", urn: urn("urn:li:tag:old"), fingerprint },
  {
    ...set,
    urn: invoices,
    source: place(14),
    facet: "tags",
    add: ["urn:li:tag:tier-1"],
    remove: ["urn:li:tag:gold", "urn:li:tag:old"],
    removed: [
      { value: "urn:li:tag:gold", declaredBefore: true },
      { value: "urn:li:tag:old", declaredBefore: false, ...byBob },
    ],
  },
  {
    ...scalar,
    urn: orders,
    source: place(22),
    facet: "domain",
    before: sales,
    after: null,
    removed: [{ value: sales, declaredBefore: true }],
  },
];

/** A value that two hands have changed, with nobody said to win. */
export const conflict: ScalarChange = {
  ...scalar,
  urn: invoices,
  source: place(16),
  facet: "domain",
  before: sales,
  after: finance,
  removed: [{ value: sales, declaredBefore: false, ...byBob, lastWriterOfAspect: true }],
  conflict: { base: "urn:li:domain:old", live: sales, desired: finance },
};

/** What guards found: two that block, one that is told. */
export const findings: readonly Finding[] = [
  {
    guard: "removals",
    severity: "error",
    facet: "tags",
    changes: [],
    numbers: {
      removals: 7,
      existing: 12,
      percent: 58,
      max_percent: 30,
    },
    flag: "--max-removals 58%",
    setting: "guards.removals.max_percent: 58",
  },
  {
    guard: "deletes",
    severity: "error",
    changes: [],
    numbers: {
      deletes: 2,
      max_count: 0,
    },
    flag: "--max-deletes 2",
    setting: "guards.deletes.max_count: 2",
  },
  {
    guard: "missing",
    severity: "warning",
    changes: [],
    numbers: {
      datasets: 2,
      columns: 1,
    },
    flag: "--missing error",
    setting: "missing: error",
  },
];

/** Two errors and a warning. */
/** A check of one policy, with what it found. */
export function checkOf(found: Partial<PolicyResult>): CheckResult {
  const policy: CatalogPolicy = {
    id: "governed",
    severity: "error",
    kind: "Dataset",
    conditions: [],
    exclusions: [],
    requirements: [],
    failOn: "introduced",
    origin: { file: "catalog/policies.yaml", line: 1, column: 1 },
  };
  const none = { passes: 2, introduced: [], fixed: [], existing: [], waived: [], unknown: [] };
  const at = "2026-11-28T12:00:00.000Z";
  return { target: "https://datahub.acme.com", at, policies: [{ policy, ...none, ...found }], problems: [] };
}

/** What a policy says of a dataset. */
export const violation: Violation = { urn: datasetNamed("orders"), reasons: ["has no domain"] };

export const problems: readonly Problem[] = [
  {
    code: "asset-missing",
    severity: "error",
    args: {
      kind: "Dataset",
      urn: datasetNamed("prod.ordres"),
    },
    origin: {
      file: "catalog/sales.yaml",
      line: 4,
      column: 1,
    },
  },
  {
    code: "column-unknown",
    severity: "error",
    args: {
      column: "e-mail",
      urn: invoices,
      candidates: ["email", "id"],
      suggestion: "email",
    },
    origin: {
      file: "catalog/finance.yaml",
      line: 12,
      column: 5,
    },
  },
  {
    code: "undeclared-reference",
    severity: "warning",
    args: {
      kind: "Tag",
      id: "gold",
      times: 1,
    },
    origin: {
      file: "catalog/finance.yaml",
      line: 14,
      column: 3,
    },
  },
];

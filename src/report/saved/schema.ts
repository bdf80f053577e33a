import { plannedFacets } from "../../facets/index.ts";
import { kinds } from "../../kinds/index.ts";
import { driftClasses } from "../../model/change.ts";
import type { JsonObject } from "../../model/json.ts";
import { schemaHead } from "../../model/schema-head.ts";
import { pagesPattern } from "../../model/settings.ts";
import { policyFinding } from "../../plan/judge/findings.ts";
import { guards } from "../../plan/checks/guards/index.ts";

const formatVersion: JsonObject = { const: "1" };
const count: JsonObject = { type: "integer", minimum: 0 };
const text: JsonObject = { type: "string" };
const textOrNull: JsonObject = { type: ["string", "null"] };
const urn: JsonObject = { type: "string", pattern: "^urn:li:" };
const kind: JsonObject = { enum: kinds.map(({ name }) => name) };
const facet: JsonObject = { enum: plannedFacets.map(({ name }) => name) };
const part: JsonObject = { type: ["string", "number"] };
const scalar: JsonObject = {
  type: ["string", "number", "boolean", "object", "null"],
  additionalProperties: part,
};
const member: JsonObject = { type: ["string", "number", "object"], additionalProperties: part };
const value = scalar;
const values: JsonObject = { anyOf: [scalar, list(member)] };
const position: JsonObject = { type: "integer", minimum: 1 };
const sha256: JsonObject = { type: "string", pattern: "^sha256:[0-9a-f]{64}$" };
const place: JsonObject = { file: text, line: position, column: position };
const origin = record(place);
const base = described(
  { const: true },
  "It is a place in the base commit, because nothing at hand declares any more what goes.",
);
const written: JsonObject = { actor: text, time: text, lastWriterOfAspect: { const: true } };
const keys: JsonObject = { type: "array", items: text, minItems: 1 };
const path = described(
  keys,
  "The keys that lead from the facet to the value. Only where `column` is not all of them.",
);

const limits = record(
  {},
  Object.fromEntries(
    guards.map((guard) => [guard.name, record({}, fields(count, ...Object.keys(guard.limits)))]),
  ),
  { description: "The limits that differ from the defaults. Where a limit is not there, its default holds." },
);

const change = record(
  {
    action: { enum: ["create", "update", "delete"] },
    shape: { enum: ["scalar", "set", "entity"] },
    kind,
    urn,
    fingerprint: { type: "string", pattern: "^[0-9a-f]{64}$" },
  },
  {
    facet,
    column: text,
    path: described(
      keys,
      "The keys that lead from the facet to the value. Of a facet of columns the first is `column`.",
    ),
    source: record(place, { base }),
    rules: list(text),
    ...fields(scalar, "before", "after"),
    ...fields(list(member), "add", "remove"),
    class: { enum: driftClasses },
    fallback: described(
      scalar,
      "What the catalog shows when the value is unset, because ingestion wrote it.",
    ),
    pruned: { const: true },
    removed: list(record({ value, declaredBefore: { type: ["boolean", "null"] } }, written)),
    conflict: record(fields(scalar, "base", "live", "desired"), { winner: { enum: ["desired", "live"] } }),
    assignments: count,
    assignedTo: list(urn),
    references: list({ type: "string", pattern: "^[0-9a-f]{12}$" }),
    above: list(urn),
    covers: record({ elements: list(member), except: list(text) }),
  },
  {
    oneOf: [
      { required: ["facet", "before", "after"], properties: { shape: { const: "scalar" } } },
      { required: ["facet", "add", "remove"], properties: { shape: { const: "set" } } },
      { properties: { facet: false, shape: { const: "entity" }, action: { enum: ["create", "delete"] } } },
    ],
  },
);

const problem = record(
  { code: text, severity: { enum: ["error", "warning"] }, message: text, args: { type: "object" } },
  { ...place, source: text, suggestion: text, related: origin },
);

const finding = record(
  {
    guard: { enum: ["missing", policyFinding, ...guards.map(({ name }) => name)] },
    severity: { enum: ["warning", "error"] },
    numbers: { type: "object", additionalProperties: { type: "number" } },
    flag: text,
    setting: text,
    changes: list(record({ urn }, { facet, column: text, path })),
  },
  { facet, rule: text },
);

const unmanaged = record(
  { urn, kind, reason: { enum: ["other-writer", "ingested", "external", "no-longer-declared"] } },
  { facet, column: text, path, value, ...written },
);

const rule = record(
  {
    id: text,
    kind,
    ...fields(count, "matched", "matchedInPart", "changed"),
    values: list(
      record(
        { facet, value, ...fields(count, "on", "new", "overruled") },
        { path: described(keys, "The keys that lead from the facet to the value, but for a column.") },
      ),
    ),
  },
  { incomplete: { const: true } },
);

const judged = { column: described(text, "The field path, where it is about a column.") };

const policy = record({
  id: text,
  severity: { enum: ["error", "warning"] },
  source: origin,
  ...fields(count, "matched", "passes"),
  introduced: list(record({ urn, reasons: list(text) }, { ...judged, source: origin })),
  fixed: list(record({ urn }, judged)),
  ...fields(count, "existing", "waived", "unknown"),
});

const scope = record(
  { directory: text },
  {
    ...fields(text, "environment", "ref"),
    targets: list(text),
    kinds: list(kind),
    platforms: list(text),
    domains: list(urn),
    rules: list(text),
    changedSince: text,
    left: record(
      { entities: list(urn), values: count },
      { away: list(record({ urn }, { facet, column: text, path, value })) },
    ),
  },
);

const summary = record(
  {
    ...fields(count, "create", "update", "delete"),
    unchanged: described(
      count,
      "Declared entities without a change. An entity whose only changes are held back is not one of them.",
    ),
    ...fields(count, "additions", "replacements", "removals", "unmanaged", "conflicts", "blocked"),
  },
  {
    policies: record(fields(count, "introduced", "fixed", "existing", "waived", "unknown")),
    heldBack: described(
      count,
      "Changes that an apply does not carry out, because a conflict holds them back. They are in no other count but `conflicts`.",
    ),
  },
);

const plan = record(
  {
    formatVersion,
    ...fields(text, "tool", "createdAt", "target"),
    git: record({ commit: textOrNull, dirty: { type: "boolean" }, base: textOrNull }),
    limits,
    digest: sha256,
    summary,
    changes: list(change),
    findings: list(finding),
    unmanaged: list(unmanaged),
    seal: sha256,
  },
  {
    scope,
    writes: { const: "conditional" },
    shard: record({ index: position, of: position }, { inputs: sha256 }),
    counts: record(
      {},
      {
        existing: { type: "object", propertyNames: facet, additionalProperties: count },
        vanished: record({ urns: list(urn), of: count }),
      },
    ),
    rules: list(rule),
    policies: list(policy),
    problems: list(problem),
    links: described(
      { type: "string", pattern: pagesPattern },
      "The address of DataHub's web interface, to which Markdown links. Only where the settings name one.",
    ),
    owners: described(
      list(urn),
      "Who owns what the plan changes, by manifests, by rules and in the catalog. Only where the settings mention owners.",
    ),
    names: { type: "object", additionalProperties: text },
    settingsChanges: list(record({ key: text, before: textOrNull, after: textOrNull })),
  },
);

const outcome = record(
  { status: { enum: ["applied", "failed", "skipped", "stale"] }, urn, operation: text },
  {
    facet,
    facets: list(facet),
    columns: list(text),
    column: text,
    paths: described(
      list(list(text)),
      "The keys below each of the facets. Only where `columns` are not all of them.",
    ),
    removes: values,
    ...fields(text, "error", "because"),
    ...fields(values, "expected", "found"),
  },
);

const run = record(
  { ...fields(text, "startedAt", "endedAt"), exitCode: count },
  {
    approval: { enum: ["answer", "auto-approve", "saved-plan"] },
    approvedBy: record({ name: text, source: text }),
    stopped: text,
  },
);

const planTitle = "A plan of datahub-gitops";

/** The JSON Schema of a plan as `plan --out` and `plan --format json` write it. */
export const planSchema: JsonObject = { ...schemaHead("plan", planTitle), ...plan };

/** The JSON Schema of a report as `apply --format json` prints it. */
export const reportSchema: JsonObject = {
  ...schemaHead("report", "A report of datahub-gitops: a plan and its outcomes"),
  ...record(
    {
      formatVersion,
      plan: { title: planTitle, ...plan },
      outcomes: list(outcome),
      summary: record(fields(count, "applied", "failed", "skipped", "stale")),
      seal: sha256,
    },
    { run, unproved: text, referencesLeft: list(record({ urn, count, from: list(urn) })) },
  ),
};

/** The JSON Schema of what `--format json` prints, and reports hold, where there is neither plan nor report. */
export const failureSchema: JsonObject = {
  ...schemaHead(
    "failure",
    "Why a command of datahub-gitops has no result: an error, or problems of manifests and settings",
  ),
  oneOf: [
    record({ formatVersion, error: record(fields(text, "code", "message")) }),
    record({ formatVersion, problems: list(problem) }),
  ],
};

function list(items: JsonObject): JsonObject {
  return { type: "array", items };
}

function record(required: JsonObject, optional: JsonObject = {}, constraints: JsonObject = {}): JsonObject {
  return {
    type: "object",
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
    ...constraints,
  };
}

/** Fields of the same schema. */
function fields(schema: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, schema]));
}

function described(schema: JsonObject, description: string): JsonObject {
  return { ...schema, description };
}

import { plannedFacets } from "../../facets/index.ts";
import { kinds } from "../../kinds/index.ts";
import { driftClasses } from "../../model/change.ts";
import type { JsonObject } from "../../model/json.ts";
import { schemaHead } from "../../model/schema-head.ts";
import { pagesPattern } from "../../model/settings.ts";
import { guards } from "../../plan/checks/guards/index.ts";

const count: JsonObject = { type: "integer", minimum: 0 };
const text: JsonObject = { type: "string" };
const urn: JsonObject = { type: "string", pattern: "^urn:li:" };
const kind: JsonObject = { enum: kinds.map(({ name }) => name) };
const facet: JsonObject = { enum: plannedFacets.map(({ name }) => name) };
const scalar: JsonObject = { type: ["string", "number", "boolean", "null"] };
const member: JsonObject = { anyOf: [text, { type: "object", additionalProperties: text }] };
const position: JsonObject = { type: "integer", minimum: 1 };
const sha256: JsonObject = { type: "string", pattern: "^sha256:[0-9a-f]{64}$" };
const place: JsonObject = { file: text, line: position, column: position };
const origin = record(place);
const source = record(place, {
  base: {
    const: true,
    description: "It is a place in the base commit, because nothing at hand declares any more what goes.",
  },
});

const written: JsonObject = { actor: text, time: text, lastWriterOfAspect: { const: true } };
const values: JsonObject = { anyOf: [scalar, { type: "array", items: member }] };

const removed = record(
  { value: { anyOf: [member, scalar] }, declaredBefore: { type: ["boolean", "null"] } },
  written,
);
const conflict = record(
  { base: scalar, live: scalar, desired: scalar },
  { winner: { enum: ["desired", "live"] } },
);
const limits = record(
  {},
  Object.fromEntries(
    guards.map((guard) => [
      guard.name,
      record({}, Object.fromEntries(Object.keys(guard.limits).map((name) => [name, count]))),
    ]),
  ),
  { description: "The limits that differ from the defaults. Where a limit is not there, its default holds." },
);

const keys: JsonObject = { type: "array", items: text, minItems: 1 };
const path: JsonObject = {
  ...keys,
  description: "The keys that lead from the facet to the value. Only where `column` is not all of them.",
};

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
    path: {
      ...keys,
      description:
        "The keys that lead from the facet to the value. Of a facet of columns the first is `column`.",
    },
    source,
    rules: { type: "array", items: text },
    before: scalar,
    after: scalar,
    add: { type: "array", items: member },
    remove: { type: "array", items: member },
    class: { enum: driftClasses },
    pruned: { const: true },
    removed: { type: "array", items: removed },
    conflict,
    assignments: count,
    assignedTo: { type: "array", items: urn },
    references: { type: "array", items: { type: "string", pattern: "^[0-9a-f]{12}$" } },
    above: { type: "array", items: urn },
    covers: record({ elements: { type: "array", items: member }, except: { type: "array", items: text } }),
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
  {
    file: text,
    line: position,
    column: position,
    source: text,
    suggestion: text,
    related: origin,
  },
);

/** The JSON Schema of a plan as `plan --out` and `plan --format json` write it. */
export const planSchema: JsonObject = {
  ...schemaHead("plan", "A plan of datahub-gitops"),
  ...record(
    {
      formatVersion: { const: "1" },
      tool: text,
      createdAt: text,
      target: text,
      git: record({
        commit: { type: ["string", "null"] },
        dirty: { type: "boolean" },
        base: { type: ["string", "null"] },
      }),
      limits,
      digest: sha256,
      summary: record(
        {
          create: count,
          update: count,
          delete: count,
          unchanged: {
            ...count,
            description:
              "Declared entities without a change. An entity whose only changes are held back is not one of them.",
          },
          additions: count,
          replacements: count,
          removals: count,
          unmanaged: count,
          conflicts: count,
          blocked: count,
        },
        {
          heldBack: {
            ...count,
            description:
              "Changes that an apply does not carry out, because a conflict holds them back. They are in no other count but `conflicts`.",
          },
        },
      ),
      changes: { type: "array", items: change },
      findings: {
        type: "array",
        items: record(
          {
            guard: { enum: ["missing", ...guards.map(({ name }) => name)] },
            severity: { enum: ["warning", "error"] },
            numbers: { type: "object", additionalProperties: { type: "number" } },
            flag: text,
            setting: text,
            changes: { type: "array", items: record({ urn }, { facet, column: text, path }) },
          },
          { facet, rule: text },
        ),
      },
      unmanaged: {
        type: "array",
        items: record(
          { urn, kind, reason: { enum: ["other-writer", "ingested", "external", "no-longer-declared"] } },
          { facet, column: text, path, value: { anyOf: [member, scalar] }, ...written },
        ),
      },
      seal: sha256,
    },
    {
      scope: record(
        { directory: text },
        {
          environment: text,
          ref: text,
          targets: { type: "array", items: text },
          kinds: { type: "array", items: kind },
          platforms: { type: "array", items: text },
          domains: { type: "array", items: urn },
          rules: { type: "array", items: text },
          changedSince: text,
          left: record(
            { entities: { type: "array", items: urn }, values: count },
            {
              away: {
                type: "array",
                items: record({ urn }, { facet, column: text, path, value: { anyOf: [member, scalar] } }),
              },
            },
          ),
        },
      ),
      writes: { const: "conditional" },
      shard: record({ index: position, of: position }, { inputs: sha256 }),
      counts: record(
        {},
        {
          existing: { type: "object", propertyNames: facet, additionalProperties: count },
          vanished: record({ urns: { type: "array", items: urn }, of: count }),
        },
      ),
      rules: {
        type: "array",
        items: record(
          {
            id: text,
            kind,
            matched: count,
            matchedInPart: count,
            changed: count,
            values: {
              type: "array",
              items: record({
                facet,
                value: { anyOf: [member, scalar] },
                on: count,
                new: count,
                overruled: count,
              }),
            },
          },
          { incomplete: { const: true } },
        ),
      },
      problems: { type: "array", items: problem },
      links: {
        type: "string",
        pattern: pagesPattern,
        description:
          "The address of DataHub's web interface, to which Markdown links. Only where the settings name one.",
      },
      owners: {
        type: "array",
        items: urn,
        description:
          "Who owns what the plan changes, by manifests, by rules and in the catalog. Only where the settings mention owners.",
      },
      names: { type: "object", additionalProperties: text },
      settingsChanges: {
        type: "array",
        items: record({
          key: text,
          before: { type: ["string", "null"] },
          after: { type: ["string", "null"] },
        }),
      },
    },
  ),
};

const run = record(
  { startedAt: text, endedAt: text, exitCode: count },
  {
    approval: { enum: ["answer", "auto-approve", "saved-plan"] },
    approvedBy: record({ name: text, source: text }),
    stopped: text,
  },
);

/** The JSON Schema of a report as `apply --format json` prints it. */
export const reportSchema: JsonObject = {
  ...schemaHead("report", "A report of datahub-gitops: a plan and its outcomes"),
  ...record(
    {
      formatVersion: { const: "1" },
      plan: withoutIdentity(planSchema),
      outcomes: {
        type: "array",
        items: record(
          { status: { enum: ["applied", "failed", "skipped", "stale"] }, urn, operation: text },
          {
            facet,
            facets: { type: "array", items: facet },
            columns: { type: "array", items: text },
            column: text,
            removes: values,
            error: text,
            because: text,
            expected: values,
            found: values,
          },
        ),
      },
      summary: record({ applied: count, failed: count, skipped: count, stale: count }),
      seal: sha256,
    },
    {
      run,
      unproved: text,
      referencesLeft: {
        type: "array",
        items: record({ urn, count, from: { type: "array", items: urn } }),
      },
    },
  ),
};

/** The JSON Schema of what `--format json` prints, and reports hold, where there is neither plan nor report. */
export const failureSchema: JsonObject = {
  ...schemaHead(
    "failure",
    "Why a command of datahub-gitops has no result: an error, or problems of manifests and settings",
  ),
  oneOf: [
    record({ formatVersion: { const: "1" }, error: record({ code: text, message: text }) }),
    record({ formatVersion: { const: "1" }, problems: { type: "array", items: problem } }),
  ],
};

function record(required: JsonObject, optional: JsonObject = {}, constraints: JsonObject = {}): JsonObject {
  return {
    type: "object",
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
    ...constraints,
  };
}

function withoutIdentity({ $schema, $id, ...schema }: JsonObject): JsonObject {
  return schema;
}

/** Defines the JSON Schema for saved plans. */

import { facets } from "../../facets/index.ts";
import { liftedSchema, policyCountSchema } from "../../model/catalog-policy.ts";
import { changeFields, written } from "../../model/change-fields.ts";
import {
  gitSchema,
  guardCountsSchema,
  policyChangeSchema,
  settingChangeSchema,
  shardSchema,
  summarySchema,
} from "../../model/plan.ts";
import { ruleCountSchema } from "../../model/rule-count.ts";
import { scopeSchema } from "../../model/plan-scope.ts";
import type { ProblemArgs } from "../../model/problem.ts";
import { schemaHead } from "../../model/schema-head.ts";
import {
  count,
  described,
  fields,
  keys,
  list,
  origin,
  place,
  record,
  scalar,
  sha256,
  text,
  urn,
} from "../../model/schema-parts.ts";
import type { FromSchema, SchemaOf } from "../../model/schema-type.ts";
import { type LimitsByGuard, webAddressPattern } from "../../model/settings.ts";
import { guards } from "../../plan/checks/guards/index.ts";
import { fightGuard } from "../../plan/notes/fights.ts";
import { policyGuard } from "../../plan/policies/findings.ts";
import { facet, formatVersion, kind, path } from "./schema-parts.ts";

const limits: SchemaOf<LimitsByGuard> = record(
  {},
  Object.fromEntries(
    guards.map((guard) => [guard.name, record({}, fields(count, ...Object.keys(guard.limits)))]),
  ),
  { description: "The guard limits that differ from the defaults, keyed by guard." },
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
      "The key path from the field to the value. For column fields, the first key is `column`.",
    ),
    ...changeFields,
  },
  {
    oneOf: [
      { required: ["facet", "before", "after"], properties: { shape: { const: "scalar" } } },
      { required: ["facet", "add", "remove"], properties: { shape: { const: "set" } } },
      { properties: { facet: false, shape: { const: "entity" }, action: { enum: ["create", "delete"] } } },
    ],
  },
);

/** A change in JSON. */
export type ChangeJson = FromSchema<typeof change>;

const args: SchemaOf<ProblemArgs> = { type: "object" };

/** The schema for a problem in a plan. */
export const problem = record(
  { code: text, severity: { enum: ["error", "warning"] }, message: text, args },
  { ...place, source: text, suggestion: text, related: origin },
);

/** A problem in JSON. */
export type ProblemJson = FromSchema<typeof problem>;

const guard: SchemaOf<string> = {
  enum: ["missing", policyGuard, fightGuard, ...guards.map(({ name }) => name)],
};

const finding = record(
  {
    guard,
    severity: { enum: ["warning", "error"] },
    numbers: { type: "object", additionalProperties: { type: "number" } },
    flag: text,
    setting: text,
    changes: list(record({ urn }, { facet, column: text, path })),
  },
  { facet, rule: text, opponent: record({}, fields(text, "actor", "agent", "ingestionRun", "pipeline")) },
);

const unmanaged = record(
  {
    urn,
    kind,
    reason: { enum: ["other-writer", "ingested", "external", "no-longer-declared", "not-expressible"] },
  },
  { facet, column: text, path, value: scalar, ...written },
);

/**
 * The facets that rules and documents can declare. A plan shows some of them as facets of a different entity, such as the group
 * instead of its member.
 */
const declaredFacet: SchemaOf<string> = { enum: facets.map(({ name }) => name) };

const dormant = record({ urn }, { facet, column: text, path, value: scalar });

/** The schema for a plan, without the head of the schema document. */
export const plan = record(
  {
    formatVersion,
    ...fields(text, "tool", "createdAt", "target"),
    git: gitSchema,
    limits,
    digest: sha256,
    summary: summarySchema,
    changes: list(change),
    findings: list(finding),
    unmanaged: list(unmanaged),
    seal: sha256,
  },
  {
    scope: scopeSchema(kind, dormant),
    writes: { const: "conditional" },
    shard: shardSchema,
    counts: guardCountsSchema(facet),
    rules: list(ruleCountSchema(kind, declaredFacet)),
    policies: list(policyCountSchema),
    problems: list(problem),
    links: described(
      { type: "string", pattern: webAddressPattern },
      "The URL of DataHub's web interface, for links in Markdown. Present only if the settings contain `links`.",
    ),
    owners: described(
      list(urn),
      "Owners of the entities that the plan changes, from manifests, rules and the catalog. Present only if the settings map owners to GitHub users or teams.",
    ),
    names: { type: "object", additionalProperties: text },
    settingsChanges: list(settingChangeSchema),
    policyChanges: list(policyChangeSchema),
    noLongerStopped: list(liftedSchema),
    strictPolicies: { const: true },
  },
);

/** The title for plans in schemas. */
export const planTitle = "A datahub-gitops plan";

/** The schema for plans written by `plan --out` and `plan --format json`. */
export const planSchema = { ...schemaHead("plan", planTitle), ...plan } as const;

/** A plan in JSON. */
export type PlanJson = FromSchema<typeof planSchema>;

/** The JSON Schema of saved plans. */

import { facets } from "../../facets/index.ts";
import { driftClasses } from "../../model/change.ts";
import type { JsonObject } from "../../model/json.ts";
import { schemaHead } from "../../model/schema-head.ts";
import { webAddressPattern } from "../../model/settings.ts";
import { guards } from "../../plan/checks/guards/index.ts";
import { fightGuard } from "../../plan/notes/fights.ts";
import { policyGuard } from "../../plan/policies/findings.ts";
import {
  base,
  count,
  described,
  facet,
  fields,
  formatVersion,
  keys,
  kind,
  list,
  member,
  object,
  origin,
  path,
  place,
  position,
  record,
  scalar,
  sha256,
  text,
  textOrNull,
  urn,
  written,
} from "./schema-parts.ts";

const limits = record(
  {},
  Object.fromEntries(
    guards.map((guard) => [guard.name, record({}, fields(count, ...Object.keys(guard.limits)))]),
  ),
  { description: "Only the limits that differ from the defaults." },
);

const opponent: JsonObject = { ...written, ...fields(text, "agent", "ingestionRun", "pipeline") };

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
      "The keys from the field to the value. For fields of columns, the first is `column`.",
    ),
    source: record(place, { base }),
    rules: list(text),
    ...fields(scalar, "before", "after"),
    ...fields(list(member), "add", "remove"),
    class: { enum: driftClasses },
    fallback: described(scalar, "The ingested value that DataHub shows when this value is unset."),
    several: described(
      list(member),
      "All values, if several are stored where only one belongs. `before` shows them as one text.",
    ),
    alsoStoredAt: described(
      text,
      "A second field path under which values of the column are stored. The change removes them there, too.",
    ),
    pruned: { const: true },
    reverts: described(
      list(scalar),
      "Values that the last applied commit declares as well. Someone else has changed them since.",
    ),
    fights: described(
      list(
        record(
          { value: scalar, times: count, ...fields(text, "last", "until") },
          { ...opponent, keptByMerge: { const: true } },
        ),
      ),
      "Values that are skipped because others keep reverting them: how often and when they were last written, and when they will be written again.",
    ),
    holds: described(
      list(record({ value: member, urn }, { reason: text })),
      "Members that are not written because they must stay in another entity: its URN, and the reason of the ignore rule that keeps them there.",
    ),
    removed: list(
      record(
        { value: scalar, declaredBefore: { type: ["boolean", "null"] } },
        {
          ...written,
          movesTo: described(
            urn,
            "The entity that the member joins instead. The server allows only one, so no mode keeps the member here.",
          ),
          lastApplied: described(
            origin,
            "Where the last applied commit declares the value, if that commit is not in the history of HEAD.",
          ),
        },
      ),
    ),
    conflict: record(fields(scalar, "base", "live", "desired"), {
      winner: { enum: ["desired", "live"] },
      moved: described(
        { const: true },
        "In a rollback: someone changed the value after the run, so it is kept.",
      ),
    }),
    assignments: count,
    assignedTo: list(urn),
    references: list({ type: "string", pattern: "^[0-9a-f]{12}$" }),
    values: described(
      list(
        record({ facet: text }, { path: keys, value: scalar, elements: list(member), stored: list(object) }),
      ),
      "In a deletion: the values of the entity. `stored` has the elements that manifests cannot fully express.",
    ),
    aspects: described(
      { type: ["object", "null"], additionalProperties: object },
      "Fields of aspects that manifests cannot express. A deletion lists those of the entity (`null` if longer than 100,000 characters). In a rollback, a creation restores them.",
    ),
    stored: described(
      list(object),
      "Elements that a rollback restores as they were stored, because manifests cannot fully express them.",
    ),
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

/** A problem of a plan. */
export const problem = record(
  { code: text, severity: { enum: ["error", "warning"] }, message: text, args: { type: "object" } },
  { ...place, source: text, suggestion: text, related: origin },
);

const finding = record(
  {
    guard: { enum: ["missing", policyGuard, fightGuard, ...guards.map(({ name }) => name)] },
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

/** The facets of declarations. A plan may show a declared edge as a facet of its other end. */
const declaredFacet: JsonObject = { enum: facets.map(({ name }) => name) };

const rule = record(
  {
    id: text,
    kind,
    ...fields(count, "matched", "matchedInPart", "changed"),
    values: list(
      record(
        { facet: declaredFacet, value: scalar, ...fields(count, "on", "new", "overruled") },
        { path: described(keys, "The keys from the field to the value, without the column.") },
      ),
    ),
  },
  { incomplete: { const: true } },
);

const judged = { column: described(text, "The field path, if the policy checks columns.") };

const policy = record(
  {
    id: text,
    severity: { enum: ["error", "warning"] },
    source: origin,
    ...fields(count, "matched", "passes"),
    introduced: list(record({ urn, reasons: list(text) }, { ...judged, source: origin, found: text })),
    fixed: list(record({ urn }, judged)),
    ...fields(count, "existing", "waived", "unknown"),
  },
  { description: text, codeOwners: list(text), unknownEntities: list(record({ urn, reason: text }, judged)) },
);

const scope = record(
  { directory: text },
  {
    ...fields(text, "environment", "ref"),
    targets: list(text),
    excluded: list(text),
    kinds: list(kind),
    platforms: list(text),
    domains: list(urn),
    rules: list(text),
    changedSince: text,
    left: record(
      { entities: list(urn), values: count },
      { away: list(record({ urn }, { facet, column: text, path, value: scalar })) },
    ),
  },
);

const summary = record(
  {
    ...fields(count, "create", "update", "delete"),
    unchanged: described(
      count,
      "Declared entities without changes. Entities whose changes are all held back do not count.",
    ),
    ...fields(count, "additions", "replacements", "removals", "unmanaged", "conflicts", "blocked"),
  },
  {
    policies: record(fields(count, "introduced", "fixed", "existing", "waived", "unknown")),
    heldBack: described(
      count,
      "Changes that an apply does not write, or only in part, because of conflicts, fights or ignore rules. No other count includes them, except `conflicts`.",
    ),
  },
);

/** The schema of a plan, without its head. */
export const plan = record(
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
      { type: "string", pattern: webAddressPattern },
      "The address of DataHub's web interface, for links in Markdown. Present only if the settings have one.",
    ),
    owners: described(
      list(urn),
      "Owners of what the plan changes, from manifests, rules and the catalog. Present only if the settings map owners to GitHub.",
    ),
    names: { type: "object", additionalProperties: text },
    settingsChanges: list(record({ key: text, before: textOrNull, after: textOrNull })),
    policyChanges: list(
      record({ key: text, before: textOrNull, after: textOrNull }, { loosens: { const: true } }),
    ),
    noLongerStopped: list(
      record({ policy: text, urn, reasons: list(text) }, { ...judged, source: origin, found: text }),
    ),
    strictPolicies: { const: true },
  },
);

/** The title of plans in schemas. */
export const planTitle = "A plan of datahub-gitops";

/** The schema of a plan as `plan --out` and `plan --format json` write it. */
export const planSchema: JsonObject = { ...schemaHead("plan", planTitle), ...plan };

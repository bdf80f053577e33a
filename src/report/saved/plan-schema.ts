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
  { description: "The limits that differ from the defaults. Where a limit is not there, its default holds." },
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
    several: described(
      list(member),
      "All values that are stored in the place of a single one. `before` is a text of them.",
    ),
    alsoStoredAt: described(
      text,
      "The second path under which values of a column are stored. The change removes them there as well.",
    ),
    pruned: { const: true },
    reverts: described(
      list(scalar),
      "The values that the last applied commit declares, too: somebody else has changed them since.",
    ),
    fights: described(
      list(
        record(
          { value: scalar, times: count, ...fields(text, "last", "until") },
          { ...opponent, keptByMerge: { const: true } },
        ),
      ),
      "The values that are not written, because others set them back again and again: how often and when last they were written, and from when on they are written again.",
    ),
    holds: described(
      list(record({ value: member, urn }, { reason: text })),
      "The members that are not written, because the other end of their move to another group stays as it is: the group there, and the reason of the ignore rule that keeps them there.",
    ),
    removed: list(
      record(
        { value: scalar, declaredBefore: { type: ["boolean", "null"] } },
        {
          ...written,
          movesTo: described(
            urn,
            "The group that the member joins instead: the server lets it be in one, so no mode keeps it here.",
          ),
          lastApplied: described(
            origin,
            "Where the last applied commit declares the value, if HEAD does not have that commit in its history.",
          ),
        },
      ),
    ),
    conflict: record(fields(scalar, "base", "live", "desired"), {
      winner: { enum: ["desired", "live"] },
      moved: described(
        { const: true },
        "Of a rollback: somebody changed what the run had left. It stays as it is.",
      ),
    }),
    assignments: count,
    assignedTo: list(urn),
    references: list({ type: "string", pattern: "^[0-9a-f]{12}$" }),
    values: described(
      list(
        record({ facet: text }, { path: keys, value: scalar, elements: list(member), stored: list(object) }),
      ),
      "Of a deletion, what the entity has. `stored` are elements of which more is stored than manifests can express.",
    ),
    aspects: described(
      { type: ["object", "null"], additionalProperties: object },
      "Fields of aspects that manifests cannot express. Of a deletion, what the entity has: `null` if that is more than 100,000 characters. Of a creation in a rollback, what it puts back.",
    ),
    stored: described(
      list(object),
      "Elements that a rollback adds as they were stored, which is more than manifests can express.",
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
        { path: described(keys, "The keys that lead from the facet to the value, but for a column.") },
      ),
    ),
  },
  { incomplete: { const: true } },
);

const judged = { column: described(text, "The field path, where it is about a column.") };

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
      "Declared entities without a change. An entity whose only changes are held back is not one of them.",
    ),
    ...fields(count, "additions", "replacements", "removals", "unmanaged", "conflicts", "blocked"),
  },
  {
    policies: record(fields(count, "introduced", "fixed", "existing", "waived", "unknown")),
    heldBack: described(
      count,
      "Changes that an apply does not carry out, or not in full, because conflicts hold them back, because others set their values back, or because an ignore rule keeps what they would move. What is held back is in no other count but `conflicts`.",
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
      "The address of DataHub's web interface, to which Markdown links. Only where the settings name one.",
    ),
    owners: described(
      list(urn),
      "Who owns what the plan changes, by manifests, by rules and in the catalog. Only where the settings say who that is on GitHub.",
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

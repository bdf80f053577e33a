/** Lists the differences between two sets of policies and waivers, and marks the differences that may let more entities pass. */

import type {
  ColumnPolicy,
  CatalogPolicy,
  Matching,
  Policies,
  PolicyCondition,
  Requirement,
  Waiver,
} from "../../model/catalog-policy.ts";
import { canonicalJson, compareText } from "../../model/json.ts";
import type { SettingChange } from "../../model/plan.ts";

/** A field of a policy or waiver: its text, and whether a change to it may let more entities pass. */
interface Field<Each> {
  readonly textOf: (each: Each) => string | null;
  readonly loosens: (before: Each, now: Each) => boolean;
}

/**
 * Lists the differences between policies and waivers, field by field, in key order. A difference is marked if it may let more
 * entities pass: a policy was removed, matches fewer entities or requires less, or a waiver covers more violations.
 */
export function policyChanges(before: Policies, now: Policies): readonly SettingChange[] {
  const policies = differences(byId(before.policies), byId(now.policies), {
    keyOf: (id) => `policy ${id}`,
    fields: policyFields,
    textOf: ({ kind, severity }) => `${severity}, ${kind}`,
    loosensAs: "dropped",
  });
  const waivers = differences(byPlace(before.waivers), byPlace(now.waivers), {
    keyOf: (key) => `waiver ${key}`,
    fields: waiverFields,
    textOf: ({ expires, reason }) => `until ${expires}: ${reason}`,
    loosensAs: "new",
  });
  return [...policies, ...waivers];
}

interface Described<Each> {
  readonly keyOf: (key: string) => string;
  readonly fields: Readonly<Record<string, Field<Each>>>;
  readonly textOf: (each: Each) => string;
  readonly loosensAs: "new" | "dropped";
}

function differences<Each>(
  before: ReadonlyMap<string, Each>,
  now: ReadonlyMap<string, Each>,
  { keyOf, fields, textOf, loosensAs }: Described<Each>,
): readonly SettingChange[] {
  const keys = [...new Set([...before.keys(), ...now.keys()])].toSorted(compareText);
  return keys.flatMap((key): readonly SettingChange[] => {
    const [earlier, current] = [before.get(key), now.get(key)];
    if (earlier && current)
      return Object.entries(fields)
        .filter(([, field]) => field.textOf(earlier) !== field.textOf(current))
        .map(([name, field]) => ({
          key: `${keyOf(key)} ${name}`,
          before: field.textOf(earlier),
          after: field.textOf(current),
          ...(field.loosens(earlier, current) && { loosens: true }),
        }));
    const isAdded = !earlier;
    return [
      {
        key: keyOf(key),
        before: earlier ? textOf(earlier) : null,
        after: current ? textOf(current) : null,
        ...(isAdded === (loosensAs === "new") && { loosens: true }),
      },
    ];
  });
}

const never = (): boolean => false;
const always = (): boolean => true;

const policyFields: Readonly<Record<string, Field<CatalogPolicy>>> = {
  severity: { textOf: ({ severity }) => severity, loosens: (_, { severity }) => severity === "warning" },
  kind: { textOf: ({ kind }) => kind, loosens: always },
  match: { textOf: matchText, loosens: (before, now) => !coversAll(now, before) },
  require: { textOf: (each) => requireText(each.requirements), loosens: lacksRequirement },
  check: { textOf: ({ check = null }) => check, loosens: (before) => before.check !== undefined },
  columns: {
    textOf: ({ columns }) =>
      columns ? `${matchText(columns)} ${requireText(columns.requirements) ?? ""}` : null,
    loosens: (before, now) =>
      before.columns !== undefined &&
      (!now.columns ||
        !coversAll(now.columns, before.columns) ||
        lacksRequirement(before.columns, now.columns)),
  },
  fail_on: { textOf: ({ failOn }) => failOn, loosens: (_, { failOn }) => failOn === "introduced" },
  coverage: {
    textOf: ({ minPercent }) => minPercent?.toString() ?? null,
    loosens: (before, now) => (now.minPercent ?? 0) < (before.minPercent ?? 0),
  },
  message: { textOf: ({ message = null }) => message, loosens: never },
  description: { textOf: ({ description = null }) => description, loosens: never },
};

const waiverFields: Readonly<Record<string, Field<Waiver>>> = {
  expires: { textOf: ({ expires }) => expires, loosens: (before, now) => now.expires > before.expires },
  reason: { textOf: ({ reason }) => reason, loosens: never },
};

function byId(policies: readonly CatalogPolicy[]): ReadonlyMap<string, CatalogPolicy> {
  return new Map(policies.map((policy) => [policy.id, policy]));
}

/**
 * Returns waivers, keyed by policy and `match`, because waivers have no ids. A waiver with a different `match` counts as a
 * different waiver.
 */
function byPlace(waivers: readonly Waiver[]): ReadonlyMap<string, Waiver> {
  return new Map(waivers.map((waiver) => [`of ${waiver.policy} ${matchText(waiver)}`, waiver]));
}

function matchText({ conditions, exclusions }: Matching): string {
  const written = conditions.map(conditionText).toSorted(compareText);
  const not = exclusions.map((all) => `not (${all.map(conditionText).toSorted(compareText).join(", ")})`);
  const parts = [...written, ...not.toSorted(compareText)];
  return parts.length === 0 ? "all" : parts.join(", ");
}

function conditionText({ key, path = [], patterns }: PolicyCondition): string {
  return `${[key, ...path].join(".")}: ${patterns.toSorted(compareText).join(" or ")}`;
}

function requireText(requirements: readonly Requirement[]): string | null {
  const texts = requirementTexts(requirements);
  return texts.size === 0 ? null : [...texts].join(", ");
}

function requirementTexts(requirements: readonly Requirement[]): ReadonlySet<string> {
  const texts = requirements.map(({ facet, path = [], origin: _, present, ...conditions }) => {
    return `${[facet, ...path].join(".")}: ${present ?? canonicalJson(conditions)}`;
  });
  return new Set(texts.toSorted(compareText));
}

/** Whether `matching` definitely matches everything that `other` matches, because it has no additional condition or exclusion. */
function coversAll(matching: Matching, other: Matching): boolean {
  const isWider = (condition: PolicyCondition): boolean =>
    other.conditions.some(
      (each) =>
        placeKey(each) === placeKey(condition) &&
        each.patterns.every(
          (pattern) => condition.patterns.includes(pattern) || condition.patterns.includes("*"),
        ),
    );
  const excluded = new Set(other.exclusions.map((all) => matchText({ conditions: all, exclusions: [] })));
  return (
    matching.conditions.every(isWider) &&
    matching.exclusions.every((all) => excluded.has(matchText({ conditions: all, exclusions: [] })))
  );
}

function placeKey({ key, path = [] }: PolicyCondition): string {
  return JSON.stringify([key, path]);
}

/** A policy, or a policy's requirements for columns. */
type Requiring = CatalogPolicy | ColumnPolicy;

function lacksRequirement(before: Requiring, now: Requiring): boolean {
  const current = requirementTexts(now.requirements);
  return [...requirementTexts(before.requirements)].some((text) => !current.has(text));
}

/** Determines whether an entity or a column meets one requirement of a policy, and returns the reasons to report. */

import { facetNamed } from "../../facets/index.ts";
import type { Requirement } from "../../model/catalog-policy.ts";
import type { Path } from "../../model/place.ts";
import type { Member, Scalar } from "../../model/state.ts";
import { nameMatcherFor } from "../rules/match.ts";
import { nameAt } from "./violating-values.ts";
import {
  allOf,
  anyOf,
  ownerKindOf,
  ownerOf,
  type People,
  type Subject,
  textsOf,
  type Truth,
  valuesAt,
} from "./subject.ts";
import { wildcardsOf } from "./wildcards.ts";

type Value = Member | Scalar;

/** Whether a requirement is met, and the reason to report if it is not. */
export interface Checked {
  readonly truth: Truth;
  readonly reason: string;
}

/** Checks a requirement against an entity, or against a column if `above` contains the column's field path. */
export function checkRequirement(
  requirement: Requirement,
  subject: Subject,
  people: People,
  above: Path = [],
): readonly Checked[] {
  const { facet, path = [] } = requirement;
  const values = valuesAt(subject, facet, [...above, ...path]);
  if (values === undefined) return [{ truth: "unknown", reason: `${facet} could not be read` }];
  const name = nameAt(facet, path);
  const counting = values.map((value) => [value, counts(requirement, value, people)] as const);
  return [
    ...presence(requirement, name, values),
    ...numbers(requirement, name, counting),
    ...members(requirement, name, values, counting),
    ...texts(requirement, name, values),
  ];
}

function presence({ present }: Requirement, name: string, { length }: readonly Value[]): readonly Checked[] {
  if (present === undefined) return [];
  return [{ truth: length > 0 === present, reason: present ? `has no ${name}` : `has ${name}` }];
}

type Counting = readonly (readonly [value: Value, counts: Truth])[];

/**
 * Whether a value counts toward a requirement. A requirement can count only owners with certain ownership types, only users or
 * only groups, and only active owners.
 */
function counts({ facet, types, ownerKind, active }: Requirement, value: Value, people: People): Truth {
  const owner = ownerOf(facet, value);
  const type = facetNamed(facet).ownershipTypeOf?.(value);
  return allOf([
    types === undefined || (type !== undefined && type.some((text) => types.includes(text))),
    ownerKind === undefined || (owner !== undefined && ownerKindOf(owner) === ownerKind),
    active === undefined || (owner !== undefined && (people.get(owner)?.isActive ?? "unknown")),
  ]);
}

function numbers(requirement: Requirement, name: string, counting: Counting): readonly Checked[] {
  const { types, ownerKind, active, max } = requirement;
  const isRestricted = types !== undefined || ownerKind !== undefined || active !== undefined;
  const min = requirement.min ?? (isRestricted && max === undefined ? 1 : undefined);
  const least = counting.filter(([, truth]) => truth === true).length;
  const most = counting.filter(([, truth]) => truth !== false).length;
  const what = `${name}${restriction(requirement)}`;
  const checked: Checked[] = [];
  if (min !== undefined) {
    const truth = least >= min || (most < min ? false : "unknown");
    checked.push({ truth, reason: `has ${most} ${what}, at least ${min} required` });
  }
  if (max !== undefined) {
    const truth = most <= max || (least > max ? false : "unknown");
    checked.push({ truth, reason: `has ${least} ${what}, at most ${max} allowed` });
  }
  return checked;
}

/** Describes the values that count toward a requirement, for use in reasons. */
function restriction({ types, ownerKind, active }: Requirement): string {
  const parts = [...(types ? [types.join(" or ")] : []), ...(ownerKind ? [ownerKind] : [])];
  if (active) parts.push("active");
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

function members(
  { facet, anyOf: wanted, noneOf: refused, oneOf }: Requirement,
  name: string,
  values: readonly Value[],
  counting: Counting,
): readonly Checked[] {
  const checked: Checked[] = [];
  const isIn = (patterns: readonly string[], value: Value): boolean =>
    textsOf(facet, value).some(nameMatcherFor(patterns, patterns));
  if (wanted) {
    const truth = anyOf(counting.map(([value, isCounted]) => isIn(wanted, value) && isCounted));
    checked.push({
      truth,
      reason: `has no value in ${name} that matches ${wanted.length === 1 ? "" : "any of "}${wanted.join(", ")}`,
    });
  }
  if (refused) {
    const found = values.filter((value) => isIn(refused, value));
    const named = found.map((value) => textsOf(facet, value)[0]).join(", ");
    checked.push({ truth: found.length === 0, reason: `has ${name} ${named}` });
  }
  if (oneOf) {
    const others = values
      .map((value) => textsOf(facet, value))
      .filter((each) => !each.some((text) => oneOf.includes(text)));
    const isOne = values.length > 0 && others.length === 0;
    const found = values.length === 0 ? "not set" : others.map(([text]) => text).join(", ");
    checked.push({ truth: isOne, reason: `${name} is ${found}, but must be one of ${oneOf.join(", ")}` });
  }
  return checked;
}

function texts({ facet, pattern }: Requirement, name: string, values: readonly Value[]): readonly Checked[] {
  if (pattern === undefined) return [];
  const matches = wildcardsOf(pattern);
  const truth = anyOf(values.map((value) => textsOf(facet, value).some(matches)));
  return [{ truth, reason: `${name} does not match ${pattern}` }];
}

/** Whether all requirements are met. */
export function allTrue(checked: readonly Checked[]): Truth {
  return allOf(checked.map(({ truth }) => truth));
}

/** Returns the reasons why requirements are not met, or why it is unknown whether they are met. */
export function reasonsIn(checked: readonly Checked[]): readonly string[] {
  const truth = allTrue(checked);
  return checked.filter((each) => each.truth === truth).map(({ reason }) => reason);
}

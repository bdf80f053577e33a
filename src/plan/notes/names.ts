/** Finds display names for the entities that a plan mentions. */

import { definitionsIn } from "../base/definitions.ts";
import { canHaveDisplayName } from "../../facets/display-names.ts";
import { facetNamed } from "../../facets/index.ts";
import { findKind } from "../../kinds/index.ts";
import { type Change, type FacetChange, isFacetChange, isSetChange } from "../../model/change.ts";
import { compareText } from "../../model/json.ts";
import type { PlanProblems, CountedRules, ShownValues, Plan } from "../../model/plan.ts";
import { hasTrait, type PlanProblem, type ProblemArgs } from "../../model/problem.ts";
import type { Entity, Member, Scalar, State } from "../../model/state.ts";
import { isUrn, keyOf, type Urn } from "../../model/urn.ts";
import { textsIn } from "../base/values.ts";

/** Returns the display names of the definitions in both states. A declared name takes precedence over a live name. */
export function namesIn(desired: State, live: State): ReadonlyMap<Urn, string> {
  const names = new Map<Urn, string>();
  for (const entity of [live, desired].flatMap((state) => [...definitionsIn(state).values()])) {
    const name = displayNameOf(entity);
    if (name !== undefined) names.set(entity.urn, name);
  }
  return names;
}

/** Returns an entity's display name, which may be empty. */
export function displayNameOf({ kind, facets }: Entity): string | undefined {
  const value = facets.get(findKind(kind)?.displayName ?? "");
  return value?.shape === "scalar" && typeof value.value === "string" ? value.value : undefined;
}

/** The parts of a plan that mention entities. */
interface ShownContent extends ShownValues, CountedRules, PlanProblems {}

/** Returns the URNs that occur in a plan and can have a display name. */
export function urnsShown({ changes, unmanaged, rules = [], problems = [] }: ShownContent): readonly Urn[] {
  const texts = new Set<unknown>();
  const add = (more: readonly unknown[]): void => {
    for (const text of more) texts.add(text);
  };
  for (const { values } of rules) for (const { facet, value } of values) add(references(facet, [value]));
  for (const problem of problems) add(textsInProblem(problem));
  for (const change of changes) add(textsOf(change));
  for (const { urn, facet, value, actor } of unmanaged) {
    add([urn, actor]);
    if (facet !== undefined) add(references(facet, [value]));
  }
  return [...texts].filter(isUrn).filter(canHaveDisplayName);
}

// Returns the values in a problem. Some of them may be URNs. The result is empty for absent and unreadable entities, because they
// have no display name.
function textsInProblem(problem: PlanProblem): readonly unknown[] {
  if (hasTrait(problem, "absent-reference", "unread")) return [];
  const args: ProblemArgs = problem.args;
  return Object.values(args).flat();
}

function textsOf(change: Change): readonly unknown[] {
  if (!isFacetChange(change)) return [change.urn];
  const actors = (change.removed ?? []).map(({ actor }) => actor);
  return [change.urn, ...actors, ...references(change.facet, valuesIn(change))];
}

function valuesIn(change: FacetChange): readonly (Member | Scalar)[] {
  if (isSetChange(change)) return [...change.add, ...change.remove];
  return [change.before, change.after, change.conflict?.base ?? null];
}

function references(facet: string, values: readonly (Member | Scalar)[]): readonly string[] {
  return facetNamed(facet).refersTo.length === 0 ? [] : values.flatMap(textsIn);
}

/**
 * Returns the display names of URNs that a plan or an explanation shows. Names that only repeat an id are omitted. Returns
 * `undefined` if there are no names.
 */
export function namesFor(shown: readonly Urn[], names: ReadonlyMap<Urn, string>): Plan["names"] {
  const known = shown.flatMap((urn): readonly (readonly [Urn, string])[] => {
    const name = names.get(urn)?.trim();
    return name === undefined || name === "" || name === keyOf(urn) ? [] : [[urn, name]];
  });
  if (known.length === 0) return undefined;
  return Object.fromEntries(known.toSorted(([a], [b]) => compareText(a, b)));
}

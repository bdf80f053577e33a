import { memberships } from "../../facets/index.ts";
import type { Desired } from "../../manifests/desired-state.ts";
import { isSetChange } from "../../model/change.ts";
import type { Plan } from "../../model/plan.ts";
import type { Problem } from "../../model/problem.ts";
import { hasTrait, type ProblemWith } from "../../model/problem-traits.ts";
import type { DeclaredReference } from "../../model/reference.ts";
import { type Entity, type FacetValue, type Member, setOf } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { referencesToCheck } from "../../plan/checks/references.ts";

/** What records want of the catalog. */
export type Wanted = Pick<Desired, "state" | "references">;

/** What can be had of it, and what was left out. `wanted` is the same object where all of it can. */
export interface Settled {
  readonly wanted: Wanted;
  readonly problems: readonly Problem[];
}

/**
 * How an upsert differs from an apply, told by the plan that would be applied: a membership of what is not there is
 * left out with a warning, another reference to it with an error; and a group's `members` are added, never removed.
 */
export function settle(wanted: Wanted, plan: Plan): Settled {
  const blamed = blamedIn(plan);
  const left = referencesToCheck(wanted.references, plan.changes, (urn) => !blamed.has(urn));
  const removals = membersRemovedBy(plan);
  const state = new Map(
    [...wanted.state].map(([urn, entity]) => [urn, settledEntity(entity, left, removals)]),
  );
  const same = [...wanted.state].every(([urn, entity]) => state.get(urn) === entity);
  const problems = left.flatMap((reference): readonly Problem[] => {
    const cause = blamed.get(reference.urn);
    return cause ? [problemOf(reference, cause)] : [];
  });
  return { wanted: same ? wanted : { ...wanted, state }, problems };
}

type Missing = ProblemWith<"absent-reference" | "soft-deleted-reference">;
type Cause = Missing | ProblemWith<"unread">;

function blamedIn({ problems = [] }: Plan): ReadonlyMap<string, Cause> {
  const blamed = problems.filter((problem) =>
    hasTrait(problem, "absent-reference", "soft-deleted-reference", "unread"),
  );
  return new Map(blamed.map((problem) => [problem.args.urn, problem]));
}

function membersRemovedBy({ changes }: Plan): ReadonlyMap<Urn, readonly Member[]> {
  const sets = changes.filter(isSetChange);
  return new Map(
    sets.flatMap(({ facet, urn, remove }) => (facet === memberships.facet ? [[urn, remove]] : [])),
  );
}

function urnsLeft(left: readonly DeclaredReference[], from: Urn, facet: string): ReadonlySet<string> {
  return new Set(left.flatMap((each) => (each.from === from && each.facet === facet ? [each.urn] : [])));
}

function settledEntity(
  entity: Entity,
  left: readonly DeclaredReference[],
  removals: ReadonlyMap<Urn, readonly Member[]>,
): Entity {
  const facets = new Map<string, FacetValue>();
  for (const [name, value] of entity.facets) {
    const absent = urnsLeft(left, entity.urn, name);
    const stay = stayingIn(entity.urn, name, absent, removals);
    if (absent.size + stay.length === 0) facets.set(name, value);
    // Without one of its owners the list is not what was wanted, so the owners stay as they are.
    else if (value.shape === "set" && isMembershipFacet(name)) {
      const members = value.members.filter((member) => typeof member !== "string" || !absent.has(member));
      facets.set(name, setOf([...members, ...stay], value.origin));
    }
  }
  const same =
    facets.size === entity.facets.size &&
    [...facets].every(([name, value]) => entity.facets.get(name) === value);
  return same ? entity : { ...entity, facets };
}

/**
 * What an upsert keeps in a list: every member of a group; the groups of a user whose list could not be taken whole,
 * because a misspelt name may stand for one of them.
 */
function stayingIn(
  urn: Urn,
  facet: string,
  absent: ReadonlySet<string>,
  removals: ReadonlyMap<Urn, readonly Member[]>,
): readonly Member[] {
  if (facet === memberships.facet) return removals.get(urn) ?? [];
  if (facet !== memberships.inverse || absent.size === 0) return [];
  return [...removals].flatMap(([group, members]) =>
    members.includes(urn) && !absent.has(group) ? [group] : [],
  );
}

function isMembershipFacet(facet: string): boolean {
  return facet === memberships.facet || facet === memberships.inverse;
}

function problemOf({ facet, origin }: DeclaredReference, cause: Cause): Problem {
  if (!isMembershipFacet(facet) || hasTrait(cause, "unread")) return { ...cause, severity: "error", origin };
  const state = hasTrait(cause, "soft-deleted-reference") ? "soft-deleted" : "absent";
  return { code: "membership-skipped", severity: "warning", args: { ...cause.args, state }, origin };
}

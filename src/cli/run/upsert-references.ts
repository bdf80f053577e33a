import { facetNamed, memberships } from "../../facets/index.ts";
import type { Desired } from "../../manifests/desired-state.ts";
import { isSetChange, type SetChange } from "../../model/change.ts";
import type { Plan } from "../../model/plan.ts";
import type { Problem } from "../../model/problem.ts";
import { hasTrait, type ProblemWith } from "../../model/problem-traits.ts";
import type { DeclaredReference } from "../../model/reference.ts";
import { type Entity, type FacetValue, type Member, setOf } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { referencesToCheck } from "../../plan/checks/references.ts";
import { textsIn } from "../../plan/diff/values.ts";

/** What records want of the catalog. */
export type Wanted = Pick<Desired, "state" | "references">;

/** What can be had of it, and what was left out. `wanted` is the same object where all of it can. */
export interface Settled {
  readonly wanted: Wanted;
  readonly problems: readonly Problem[];
}

/**
 * How an upsert differs from an apply, told by the plan that would be applied: an element of a list that names what is
 * not there is left out with a warning, a single reference to it with an error; and no membership is taken away.
 */
export function settle(wanted: Wanted, plan: Plan): Settled {
  const blamed = blamedIn(plan);
  const left = referencesToCheck(wanted.references, plan.changes, (urn) => !blamed.has(urn));
  const removals = removalsIn(plan);
  const before = [...wanted.state];
  const state = new Map(before.map(([urn, entity]) => [urn, settledEntity(entity, left, removals)]));
  const same = before.every(([urn, entity]) => state.get(urn) === entity);
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

function removalsIn({ changes }: Plan): readonly SetChange[] {
  return changes.filter(isSetChange).filter(({ remove }) => remove.length > 0);
}

function urnsLeft(left: readonly DeclaredReference[], from: Urn, facet: string): ReadonlySet<string> {
  return new Set(left.flatMap((each) => (each.from === from && each.facet === facet ? [each.urn] : [])));
}

function settledEntity(
  entity: Entity,
  left: readonly DeclaredReference[],
  removals: readonly SetChange[],
): Entity {
  const facets = new Map<string, FacetValue>();
  for (const [name, value] of entity.facets) {
    const absent = urnsLeft(left, entity.urn, name);
    const stay = stayingIn(entity.urn, name, absent, removals);
    if (absent.size + stay.length === 0) facets.set(name, value);
    else if (value.shape === "set") {
      const members = value.members.filter((member) => !textsIn(member).some((urn) => absent.has(urn)));
      facets.set(name, setOf([...members, ...stay], value.origin));
    }
  }
  const same =
    facets.size === entity.facets.size &&
    [...facets].every(([name, value]) => entity.facets.get(name) === value);
  return same ? entity : { ...entity, facets };
}

/**
 * What an upsert keeps in a list: every membership, declared at either end; and all of another list that could not be
 * taken whole, because a misspelt name may stand for an element of it.
 */
function stayingIn(
  urn: Urn,
  facet: string,
  absent: ReadonlySet<string>,
  removals: readonly SetChange[],
): readonly Member[] {
  if (facet === memberships.inverse) {
    return removals.flatMap(({ facet: other, urn: group, remove }) =>
      other === memberships.facet && remove.includes(urn) ? [group] : [],
    );
  }
  if (facet !== memberships.facet && absent.size === 0) return [];
  return removals.flatMap((change) => (change.urn === urn && change.facet === facet ? change.remove : []));
}

function isMembershipFacet(facet: string): boolean {
  return facet === memberships.facet || facet === memberships.inverse;
}

function problemOf({ facet, origin }: DeclaredReference, cause: Cause): Problem {
  if (hasTrait(cause, "unread")) return { ...cause, severity: "error", origin };
  if (!isMembershipFacet(facet)) {
    const severity = facetNamed(facet).shape === "set" ? "warning" : "error";
    // No manifest is asked for here.
    if (hasTrait(cause, "absent-reference")) {
      return { ...cause, args: { ...cause.args, id: undefined }, severity, origin };
    }
    return { ...cause, severity, origin };
  }
  const state = hasTrait(cause, "soft-deleted-reference") ? "soft-deleted" : "absent";
  return { code: "membership-skipped", severity: "warning", args: { ...cause.args, state }, origin };
}

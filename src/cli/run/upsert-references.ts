/** Removes from records all references to missing, soft-deleted or unreadable entities, and reports each removed reference. */

import { facetNamed, otherEndOf } from "../../facets/index.ts";
import type { Plan } from "../../model/plan.ts";
import { hasTrait, type Problem, type ProblemWith } from "../../model/problem.ts";
import type { DeclaredReference } from "../../model/reference.ts";
import { type Entity, setOf } from "../../model/state.ts";
import { referencesToCheck } from "../../plan/checks/references.ts";
import { textsIn } from "../../plan/base/values.ts";
import type { Desired } from "../../manifests/base/desired.ts";

type Declared = Pick<Desired, "state" | "references">;

/**
 * Removes unusable references from records. The plan shows which references are unusable. An unusable reference in a list causes
 * a warning, and an unusable single reference causes an error. The list becomes additive, so that no element is removed because
 * of a misspelled name.
 */
export function dropMissingReferences<T extends Declared>(
  declared: T,
  plan: Plan,
): { readonly declared: T; readonly problems: readonly Problem[] } {
  const causes = causesIn(plan);
  const missing = referencesToCheck(declared.references, plan.changes, (urn) => !causes.has(urn));
  const state = new Map(declared.state);
  for (const reference of missing) {
    const entity = state.get(reference.from);
    if (entity) state.set(entity.urn, withoutReference(entity, reference));
  }
  const problems = missing.flatMap((reference): readonly Problem[] => {
    const cause = causes.get(reference.urn);
    return cause ? [problemOf(reference, cause)] : [];
  });
  return { declared: { ...declared, state }, problems };
}

type Cause = ProblemWith<"absent-reference" | "soft-deleted-reference"> | ProblemWith<"unread">;

function causesIn({ problems = [] }: Plan): ReadonlyMap<string, Cause> {
  const causes = problems.filter((problem) =>
    hasTrait(problem, "absent-reference", "soft-deleted-reference", "unread"),
  );
  return new Map(causes.map((problem) => [problem.args.urn, problem]));
}

function withoutReference(entity: Entity, { facet, urn }: DeclaredReference): Entity {
  const facets = new Map(entity.facets);
  const value = facets.get(facet);
  if (value?.shape !== "set") {
    facets.delete(facet);
    return { ...entity, facets };
  }
  const members = value.members.filter((member) => !textsIn(member).includes(urn));
  facets.set(facet, setOf(members, value.origin));
  return { ...entity, facets, manage: { ...entity.manage, [facet]: "additive" } };
}

function problemOf({ facet, origin }: DeclaredReference, cause: Cause): Problem {
  if (hasTrait(cause, "unread")) return { ...cause, severity: "error", origin };
  if (otherEndOf(facet) !== undefined) {
    const state = hasTrait(cause, "soft-deleted-reference") ? "soft-deleted" : "absent";
    return { code: "membership-skipped", severity: "warning", args: { ...cause.args, state }, origin };
  }
  const severity = facetNamed(facet).shape === "set" ? "warning" : "error";
  // The id is left out so that the message does not suggest adding a manifest.
  if (hasTrait(cause, "absent-reference"))
    return { ...cause, args: { ...cause.args, id: undefined }, severity, origin };
  return { ...cause, severity, origin };
}

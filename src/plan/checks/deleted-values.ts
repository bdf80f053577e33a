import { namedKeys } from "../../facets/places.ts";
import { leafIn, type Place } from "../../model/place.ts";
import { facetNamed } from "../../facets/index.ts";
import type { EntityChange, FacetChange } from "../../model/change.ts";
import type { UnmanagedValue } from "../../model/plan.ts";
import type { Origin } from "../../model/origin.ts";
import type { Problem, ProblemOf } from "../../model/problem.ts";
import type { Member, Scalar, State } from "../../model/state.ts";
import { entityTypeOf, type Urn } from "../../model/urn.ts";
import { conflictOf, isInConflict } from "../diff/conflicts.ts";
import type { Ignored } from "../adopt/ignore.ts";
import { textsIn } from "../diff/values.ts";

/**
 * Live values that stay where their facet is declared, by a conflict that they won or by a mode, and that would fall
 * with a deletion all the same.
 */
export function deletedValues(
  deletions: readonly EntityChange[],
  updates: readonly FacetChange[],
  kept: readonly UnmanagedValue[],
  desired: State,
): readonly ProblemOf<"deleted-value">[] {
  const deleted = new Set<string>(deletions.map(({ urn }) => urn));
  if (deleted.size === 0) return [];
  const won = updates.filter(isInConflict).map((change): Staying => {
    return { ...change, value: conflictOf(change)?.live ?? null, origin: change.source };
  });
  const others = kept.filter(({ urn, reason }) => reason !== "external" && !deleted.has(urn));
  const stays = [...won, ...others.map((each): Staying => ({ ...each, origin: originOf(each, desired) }))];
  return stays.flatMap((each) => {
    const { urn: on, facet, origin } = each;
    return textsIn(each.value)
      .filter((urn) => deleted.has(urn))
      .map((urn) => ({
        code: "deleted-value",
        severity: "error",
        args: { urn, on, facet, ...namedKeys(each) },
        ...(origin && { origin }),
      }));
  });
}

interface Staying extends Place {
  readonly urn: Urn;
  readonly value: Member | Scalar;
  readonly origin: Origin | undefined;
}

function originOf(at: UnmanagedValue, desired: State): Origin | undefined {
  const entity = desired.get(at.urn);
  return leafIn(entity, at)?.origin ?? entity?.origin;
}

/** What is deleted though a rule says that it is never taken from where it is: one problem each, at the rule. */
export function ignoredDeletions(deletions: readonly EntityChange[], ignored: Ignored): readonly Problem[] {
  return deletions.flatMap(({ urn }): readonly Problem[] => {
    const rule = ignored.naming(urn).find(({ facet }) => facet === undefined || canHold(facet, urn));
    if (!rule) return [];
    const { reason, origin } = rule;
    return [
      { code: "deletion-ignored", severity: "error", args: { urn, reason }, ...(origin && { origin }) },
    ];
  });
}

/** Whether an entity can be a value of a facet. */
function canHold(facet: string, urn: Urn): boolean {
  return facetNamed(facet).refersTo.includes(entityTypeOf(urn));
}

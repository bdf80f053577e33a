import { facetNamed } from "../../facets/index.ts";
import type { EntityChange, FacetChange } from "../../model/change.ts";
import type { UnmanagedValue } from "../../model/plan.ts";
import type { Origin } from "../../model/origin.ts";
import type { Problem, ProblemOf } from "../../model/problem.ts";
import type { Member, Scalar, State } from "../../model/state.ts";
import { entityTypeOf, type Urn } from "../../model/urn.ts";
import { conflictOf, partitionConflicts } from "../diff/conflicts.ts";
import type { Ignored } from "../adopt/ignore.ts";
import { partAt, textsIn } from "../diff/values.ts";

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
  const won = partitionConflicts({ changes: updates }).skipped.map((change): Staying => {
    const { urn, facet = "", column, source } = change;
    return { urn, facet, column, value: conflictOf(change)?.live ?? null, origin: source };
  });
  const others = kept.filter(({ urn, reason }) => reason !== "external" && !deleted.has(urn));
  const stays = [...won, ...others.map((each): Staying => ({ ...each, origin: originOf(each, desired) }))];
  return stays.flatMap(({ urn: on, facet, column, value, origin }) =>
    textsIn(value)
      .filter((urn) => deleted.has(urn))
      .map((urn) => ({
        code: "deleted-value",
        severity: "error",
        args: { urn, on, facet, ...(column !== undefined && { column }) },
        ...(origin && { origin }),
      })),
  );
}

interface Staying {
  readonly urn: Urn;
  readonly facet: string;
  readonly column?: string | undefined;
  readonly value: Member | Scalar;
  readonly origin: Origin | undefined;
}

function originOf(at: UnmanagedValue, desired: State): Origin | undefined {
  const entity = desired.get(at.urn);
  return partAt(entity, at)?.origin ?? entity?.origin;
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

/** Reports deletions that are not possible because of kept values, ignore rules or remaining children. */

import { namedKeys } from "../../facets/places.ts";
import { leafIn, type Place } from "../../model/place.ts";
import { facetNamed } from "../../facets/index.ts";
import { type Change, type EntityChange, isFacetChange, isSetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { UnmanagedValue } from "../../model/plan.ts";
import type { Origin } from "../../model/origin.ts";
import type { Problem, ProblemOf } from "../../model/problem.ts";
import type { Member, Scalar, State } from "../../model/state.ts";
import { entityTypeOf, type Urn } from "../../model/urn.ts";
import type { Ignored } from "../base/ignore.ts";
import { namesAt } from "../base/values.ts";
import { kindOf } from "../../kinds/index.ts";
import { compareText } from "../../model/json.ts";
import { isMove } from "../base/ancestors.ts";
import { definitionsIn } from "../base/definitions.ts";
import { parentIn, parentsIn } from "../base/parents.ts";
import type { Check } from "./check.ts";
import type { DeletionReads } from "../../model/live.ts";

/**
 * Checks deletions. A child whose manifest or kept value still refers to the deleted parent is reported only as a reference, not
 * also as a remaining child.
 */
export const checkDeletions: Check = ({
  sides: { deletions, desired },
  desired: { state: declared },
  ...context
}) => {
  const { heldBack, staying, pending, catalog, policy } = context;
  const used = deletedValues(deletions, heldBack, staying, desired);
  const named = new Set(used.map(({ args: { urn, on } }) => `${on} ${urn}`));
  const isNamed = (child: Urn, parent: Urn): boolean =>
    named.has(`${child} ${parent}`) || parentIn(declared, child)?.value === parent;
  return [
    ...used,
    ...parentsWithChildren(pending, catalog.live, isNamed),
    ...ignoredDeletions(deletions, policy.ignored),
  ];
};

/**
 * Returns a problem for each kept live value that refers to a deleted entity. A live value can be kept because of a conflict, a
 * fight or the mode.
 */
export function deletedValues(
  deletions: readonly EntityChange[],
  heldBack: readonly Change[],
  kept: readonly UnmanagedValue[],
  desired: State,
): readonly ProblemOf<"deleted-value">[] {
  const deleted = new Set<string>(deletions.map(({ urn }) => urn));
  if (deleted.size === 0) return [];
  const won = heldBack.filter(isFacetChange).flatMap((change): readonly Staying[] => {
    const live = isSetChange(change) ? change.remove : [change.before];
    return live.map((value) => ({ ...change, value, origin: change.source }));
  });
  const others = kept.filter(({ urn, reason }) => reason !== "external" && !deleted.has(urn));
  const stays = [...won, ...others.map((each): Staying => ({ ...each, origin: originOf(each, desired) }))];
  return stays.flatMap((each) => {
    const { urn: on, facet, origin } = each;
    return namesAt(each, each.value)
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

/**
 * Returns a problem for each deleted entity whose URN matches the value pattern of an ignore rule. The problem has the rule's
 * position.
 */
export function ignoredDeletions(deletions: readonly EntityChange[], ignored: Ignored): readonly Problem[] {
  return deletions.flatMap(({ urn }): readonly Problem[] => {
    const rule = ignored
      .naming(urn)
      .find(({ facet }) => facet === undefined || facetNamed(facet).refersTo.includes(entityTypeOf(urn)));
    if (!rule) return [];
    const { reason, origin } = rule;
    return [
      { code: "deletion-ignored", severity: "error", args: { urn, reason }, ...(origin && { origin }) },
    ];
  });
}

/**
 * Returns a problem for each deleted entity with remaining children, because the server rejects such deletions. Skips the
 * child-parent pairs for which `isReported` returns true.
 */
export function parentsWithChildren(
  pending: readonly Change[],
  { state, below = new Map() }: DeletionReads & { readonly state: State },
  isReported: (child: Urn, parent: Urn) => boolean,
): readonly Problem[] {
  const deleted = new Set<Urn>();
  for (const { action, kind, urn } of pending)
    if (action === "delete" && kindOf(kind).parentFacet !== undefined) deleted.add(urn);
  if (deleted.size === 0) return [];
  const children = groupBy(definitionsIn(state).keys(), parentsIn(state));
  const leaving = new Set(
    pending.flatMap((change) => (change.action === "delete" || isMove(change) ? [change.urn] : [])),
  );
  return [...deleted].flatMap((urn): readonly Problem[] => {
    const all = [...(children.get(urn) ?? []), ...(below.get(urn) ?? [])];
    const staying = all
      .filter((child) => !leaving.has(child) && !isReported(child, urn))
      .toSorted(compareText);
    if (staying.length === 0) return [];
    return [{ code: "deleted-parent", severity: "error", args: { urn, below: staying } }];
  });
}

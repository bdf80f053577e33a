/** Warns about rollback changes that the next apply of the manifests would revert. */

import { columnOf, namesOfPlace } from "../../facets/places.ts";
import { type Change, type FacetChange, isFacetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import { canonicalJson } from "../../model/json.ts";
import { leafIn } from "../../model/place.ts";
import type { ProblemOf } from "../../model/problem.ts";
import {
  type Entity,
  isSameValue,
  type Leaf,
  type Member,
  memberKey,
  type Scalar,
  type State,
} from "../../model/state.ts";
import { modeOf } from "../base/modes.ts";
import type { EarlierDeclarations, Management } from "../base/policy.ts";
import { withEdgesAtGroups } from "../base/group-lists.ts";
import { contributionsTo } from "../base/declared-before.ts";
import { isOneOf, valueKey } from "../../model/values.ts";

/**
 * Returns problems for rollback changes that the next apply would revert, with the positions of the declarations. A change is
 * reverted if the manifests declare a different value, declare the deleted entity, or omit a value that the mode then removes.
 */
export function conflictsWithManifests(
  changes: readonly Change[],
  declared: State,
  { modes, ignored, base }: Management & EarlierDeclarations,
): readonly ProblemOf<"rollback-overruled">[] {
  const desired = withEdgesAtGroups(declared);
  const before = base && withEdgesAtGroups(base);
  return changes.flatMap((change) => {
    const { urn, kind, facet } = change;
    const entity = desired.get(urn);
    if (!entity || ignored.entity(urn)) return [];
    if (!isFacetChange(change))
      return change.action === "delete" ? [overruled({ urn, kind }, entity.origin)] : [];
    const leaf = leafAt(entity, change);
    if (!leaf) return [];
    const mode = modeOf(entity, change.facet, modes, leaf);
    const isIgnored: IsIgnored = (value) => ignored.value(urn, change.facet, value) !== undefined;
    const sides = { leaf, before: leafAt(before?.get(urn), change), mode };
    const reverting = revertingValues(change, sides, isIgnored);
    if (!reverting) return [];
    const args = { urn, kind, facet, column: columnOf(change) };
    const declaring = contributionsTo(leaf).filter(({ values }) =>
      values.some((value) => reverting.has(valueKey(value))),
    );
    // A value that the manifests omit has no declaration of its own.
    if (declaring.length === 0) return [overruled(args, leaf.origin)];
    return declaring.map(({ rule, origin }) =>
      overruled({ ...args, ...(rule !== undefined && { rule }) }, origin ?? leaf.origin),
    );
  });
}

/** Groups the problems into one warning for each rule and file. `commit` is the run's commit, if known. */
export function overruledByPlace(
  problems: readonly ProblemOf<"rollback-overruled">[],
  commit: string | null,
): readonly ProblemOf<"rollback-overruled">[] {
  const groups = groupBy(problems, ({ args: { rule, facet }, origin }) =>
    canonicalJson([rule ?? null, origin?.file ?? null, facet === undefined]),
  );
  return [...groups.values()].flatMap(([first, ...more]) =>
    first
      ? [{ ...first, args: { ...first.args, count: more.length + 1, ...(commit !== null && { commit }) } }]
      : [],
  );
}

function overruled(
  args: ProblemOf<"rollback-overruled">["args"],
  origin: Leaf["origin"],
): ProblemOf<"rollback-overruled"> {
  return { code: "rollback-overruled", severity: "warning", args, ...(origin && { origin }) };
}

/** Returns the value that the manifests declare at a change's place. The manifests may use a different name for the column. */
function leafAt(entity: Entity | undefined, change: FacetChange): Leaf | undefined {
  for (const place of namesOfPlace(change)) {
    const leaf = leafIn(entity, place);
    if (leaf) return leaf;
  }
  return undefined;
}

interface DeclaredSides {
  readonly leaf: Leaf;
  readonly before: Leaf | undefined;
  readonly mode: ReturnType<typeof modeOf>;
}

type IsIgnored = (value: Member | Scalar) => boolean;

/**
 * Returns the keys of the declared values that the next apply would write over a change. Returns `undefined` if the change is not
 * reverted, and no keys if the apply would only remove values that the manifests omit.
 */
function revertingValues(
  change: FacetChange,
  { leaf, before, mode }: DeclaredSides,
  isIgnored: IsIgnored,
): ReadonlySet<string> | undefined {
  const isKnown = isOneOf(before);
  if (change.shape === "scalar") {
    const { after } = change;
    if (
      leaf.shape !== "scalar" ||
      isSameValue(leaf.value, after) ||
      isIgnored(after) ||
      isIgnored(leaf.value)
    )
      return undefined;
    const isWritten = after === null || mode === "authoritative" || (mode === "merge" && isKnown(after));
    return isWritten ? new Set([valueKey(leaf.value)]) : undefined;
  }
  const isOwn = isOneOf(leaf);
  const isDeclared = (member: Member): boolean => isOwn(member) && !isIgnored(member);
  const isRemoved = (member: Member): boolean =>
    !isOwn(member) &&
    !isIgnored(member) &&
    (mode === "authoritative" || (mode === "merge" && isKnown(member)));
  const added = change.remove.filter(isDeclared).map(memberKey);
  return added.length > 0 || change.add.some(isRemoved) ? new Set(added) : undefined;
}

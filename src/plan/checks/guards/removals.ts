/**
 * Limits the number of values that one plan may remove from a facet, and counts the live values on which percentages are based.
 */

import { isExpressible } from "../../../facets/expressible.ts";
import { edgeSetOf, edgeSetOfInverse, facetNamed } from "../../../facets/index.ts";
import { type Change, type FacetChange, isFacetChange, isSetChange } from "../../../model/change.ts";
import { groupBy } from "../../../model/group-by.ts";
import { compareText } from "../../../model/json.ts";
import type { Finding } from "../../../model/plan.ts";
import type { Entity, FacetValue, Member, Scalar, State } from "../../../model/state.ts";
import { leafAt, leavesOf, type Path, pathKey } from "../../../model/place.ts";
import { pendingIn } from "../../../model/held-back.ts";
import { counted, type Guard, type CountedState, exceedsPercent, limitText, percentOf } from "./guard.ts";
import { placeOf } from "../../base/changes.ts";
import { isOneOf, valuesOf, valueKey } from "../../../model/values.ts";

/** The guard that limits the number and percentage of removed values. */
export const removals: Guard<"removals", "max_percent" | "max_count" | "min_existing"> = {
  name: "removals",
  description: "Limits on how many values of each field a plan may remove.",
  limits: {
    max_percent: {
      default: 30,
      unit: "percent",
      description: "The maximum percentage of a field's existing values that a plan may remove.",
    },
    max_count: {
      default: 200,
      unit: "count",
      description: "The maximum number of a field's values that a plan may remove.",
    },
    min_existing: {
      default: 10,
      unit: "count",
      description: "`max_percent` applies only if at least this many values exist.",
    },
  },
  flag: {
    name: "--max-removals",
    argument: "<n|p%>",
    description:
      "block if more than N values or P% of the current values of a field, such as tags, would be removed (repeatable)",
    sets: { count: "max_count", percent: "max_percent" },
  },
  check: ({ changes, counts: { existing = {} } }, limits) =>
    [...removalsByFacet(changes)].flatMap(([facet, removing]) =>
      findingsIn(facet, removing, existing[facet] ?? 0, limits),
    ),
  text: ({ facet = "", numbers }) => {
    const existing = counted(numbers["existing"] ?? 0, "live value");
    return `${numbers["removals"] ?? 0} of ${existing} of \`${facet}\` would be removed (${limitText(numbers)})`;
  },
};

/** Counts the live values in managed places for each facet that loses values. For a shard, counts them for every facet. */
export function existingByFacet(guarded: CountedState): Readonly<Record<string, number>> {
  const facets = guarded.isShard === true ? managedIn(guarded) : facetsWithRemovals(guarded.changes);
  const unread: State = facets.length > 0 ? (guarded.unread?.() ?? new Map()) : new Map();
  return Object.fromEntries(facets.map((facet) => [facet, existingIn(facet, guarded, unread)]));
}

/** Returns the names of the facets that lose values. */
export function facetsWithRemovals(changes: readonly Change[]): readonly string[] {
  return [...removalsByFacet(changes).keys()];
}

function managedIn({ desired, inSync = {} }: CountedState): readonly string[] {
  const found = new Set(Object.keys(inSync));
  for (const { facets } of desired.values())
    for (const facet of facets.keys()) if (!edgeSetOfInverse(facet)) found.add(facet);
  return [...found].toSorted(compareText);
}

function removalsByFacet(changes: readonly Change[]): ReadonlyMap<string, readonly FacetChange[]> {
  const removing = pendingIn(changes)
    .filter(isFacetChange)
    .filter((change) => removalsIn(change) > 0);
  return groupBy(removing, ({ facet }) => facet);
}

function findingsIn(
  facet: string,
  changes: readonly FacetChange[],
  existing: number,
  { max_percent, max_count, min_existing }: Parameters<typeof removals.check>[1],
): readonly Finding[] {
  const removed = changes.reduce((sum, change) => sum + removalsIn(change), 0);
  const about = { guard: "removals", severity: "error", facet, changes: changes.map(placeOf) } as const;
  const findings: Finding[] = [];
  if (existing >= min_existing && exceedsPercent(removed, max_percent, existing)) {
    const percent = percentOf(removed, existing);
    findings.push({
      ...about,
      numbers: { removals: removed, existing, percent, max_percent, min_existing },
      flag: `--max-removals ${Math.ceil(percent)}%`,
      setting: "guards.removals.max_percent",
    });
  }
  if (removed > max_count) {
    findings.push({
      ...about,
      numbers: { removals: removed, existing, max_count },
      flag: `--max-removals ${removed}`,
      setting: "guards.removals.max_count",
    });
  }
  return findings;
}

/** Counts the values that a change removes without replacing them. */
function removalsIn(change: FacetChange): number {
  if (isSetChange(change)) return change.remove.length;
  return change.after === null && change.before !== null ? 1 : 0;
}

/** Counts a facet's live values in managed places, plus the declared values of entities that were not read. */
function existingIn(facet: string, guarded: CountedState, unread: State): number {
  const { desired, inSync = {} } = guarded;
  let existing = inSync[facet] ?? 0;
  for (const entity of desired.values()) {
    const declared = entity.facets.get(facet);
    if (declared && !unread.has(entity.urn)) existing += countManaged(entity, facet, declared, guarded);
  }
  for (const entity of unread.values()) existing += countDeclared(entity, facet, guarded);
  return existing;
}

/**
 * Counts an unread entity's declared values. If its edges were read because a member was read, the live edges are counted too.
 */
function countDeclared(entity: Entity, facet: string, { desired, live, ignored }: CountedState): number {
  const { urn } = entity;
  const declared = entity.facets.get(facet);
  const isEdges = edgeSetOf(facet) !== undefined && desired.get(urn)?.facets.has(facet) === true;
  const isCounted = (value: Member | Scalar): boolean => ignored.value(urn, facet, value) === undefined;
  const there = isEdges ? valuesOf(live.get(urn)?.facets.get(facet)) : [];
  const seen = there.filter((value) => isExpressible(facetNamed(facet), urn, value));
  const keysOf = (values: readonly (Member | Scalar)[], path?: Path): readonly string[] =>
    values.filter(isCounted).map((value) => `${pathKey(path)} ${valueKey(value)}`);
  return new Set([
    ...leavesOf(declared).flatMap(([path, leaf]) => keysOf(valuesOf(leaf), path)),
    ...keysOf(seen),
  ]).size;
}

function countManaged(
  { urn }: Entity,
  facet: string,
  declared: FacetValue,
  { live, ignored }: CountedState,
): number {
  const liveValue = live.get(urn)?.facets.get(facet);
  return leavesOf(declared).reduce((sum, [path, leaf]) => {
    const isDeclared = isOneOf(leaf);
    const isManaged = (value: Member | Scalar): boolean =>
      ignored.value(urn, facet, value) === undefined &&
      (isDeclared(value) || isExpressible(facetNamed(facet), urn, value));
    return sum + valuesOf(leafAt(liveValue, path)).filter(isManaged).length;
  }, 0);
}

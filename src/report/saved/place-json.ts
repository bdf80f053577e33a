/** Turns the places of a saved plan into their JSON form and back: the column of a value has a key of its own. */

import { columnOf, withKeys, withNamedKeys } from "../../facets/places.ts";
import type { Change } from "../../model/change.ts";
import type { Place } from "../../model/place.ts";
import type { Plan } from "../../model/plan.ts";

type Placed = Pick<Plan, "changes" | "findings" | "unmanaged" | "scope">;

/** A plan with its places in their JSON form. */
export function printPlaces(plan: Placed): object {
  const { changes, findings, unmanaged, scope } = plan;
  const away = scope?.left?.away;
  return {
    ...plan,
    ...(away && { scope: { ...scope, left: { ...scope.left, away: away.map(withNamedKeys) } } }),
    changes: changes.map(printedChange),
    findings: findings.map((finding) => ({ ...finding, changes: finding.changes.map(withNamedKeys) })),
    unmanaged: unmanaged.map(withNamedKeys),
  };
}

// A change has all of its keys, even if the column is enough.
function printedChange(change: Change): object {
  const { path } = change;
  const column = columnOf(change);
  return path ? withKeys(change, { ...(column !== undefined && { column }), path }) : change;
}

/** A plan with its places as before printing. `undefined` if `column` and `path` contradict each other. */
export function parsePlaces<Some extends Placed>(plan: Some): Some | undefined {
  const { changes, findings, unmanaged, scope } = plan;
  const left = scope?.left;
  const places = [
    ...changes,
    ...findings.flatMap((finding) => finding.changes),
    ...unmanaged,
    ...(left?.away ?? []),
  ];
  if (!places.every(isConsistent)) return undefined;
  return {
    ...plan,
    ...(left?.away && { scope: { ...scope, left: { ...left, away: left.away.map(withPath) } } }),
    changes: changes.map(withPath),
    findings: findings.map((finding) => ({ ...finding, changes: finding.changes.map(withPath) })),
    unmanaged: unmanaged.map(withPath),
  };
}

type Printed = Partial<Place> & { readonly column?: string };

function isConsistent(printed: Printed): boolean {
  return printed.column === columnOf(withPath(printed));
}

/** Older plans have no path. */
function withPath<Some extends Printed>(each: Some): Omit<Some, "column"> {
  if (each.column === undefined) return each;
  const fields = Object.entries(each).flatMap(([key, value]) => {
    if (key !== "column") return [[key, value]];
    return each.path ? [] : [["path", [value]]];
  });
  return Object.fromEntries(fields) as Some;
}

/** Converts locations in a saved plan to JSON and back. In JSON, a value's column has its own key. */

import { columnOf, withKeys, withNamedKeys } from "../../facets/places.ts";
import type { Change } from "../../model/change.ts";
import type { Place } from "../../model/place.ts";
import type { Plan, Unmanaged } from "../../model/plan.ts";
import type { ChangeJson, PlanJson } from "./plan-schema.ts";

/** Converts a plan's locations to their JSON format. */
export function printPlaces(plan: Omit<Plan, "problems">): Omit<PlanJson, "problems" | "seal"> {
  const { changes, findings, unmanaged, scope } = plan;
  const left = scope?.left;
  return {
    ...plan,
    ...(scope &&
      left?.away && { scope: { ...scope, left: { ...left, away: left.away.map(withNamedKeys) } } }),
    changes: changes.map(printedChange),
    findings: findings.map((finding) => ({ ...finding, changes: finding.changes.map(withNamedKeys) })),
    unmanaged: unmanaged.map(withNamedKeys),
  };
}

// In JSON, a change's path contains all keys, even if the column is the only key.
function printedChange(change: Change): ChangeJson {
  const { path } = change;
  const column = columnOf(change);
  return path ? withKeys(change, { ...(column !== undefined && { column }), path }) : change;
}

/** Converts a plan's locations back from JSON. Returns `undefined` if `column` and `path` contradict each other. */
export function parsePlaces(plan: Omit<PlanJson, "problems" | "seal">) {
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
    ...(scope && left?.away && { scope: { ...scope, left: { ...left, away: left.away.map(withPath) } } }),
    changes: changes.map(parsedChange),
    findings: findings.map((finding) => ({ ...finding, changes: finding.changes.map(withPath) })),
    unmanaged: unmanaged.map(parsedUnmanaged),
  };
}

function parsedChange(printed: ChangeJson): Change {
  if (printed.shape !== "entity") return withPath(printed);
  const { path: _, reverts: _reverts, ...change } = withPath(printed);
  return change;
}

function parsedUnmanaged(printed: PlanJson["unmanaged"][number]): Unmanaged {
  const each = withPath(printed);
  const { facet, path: _, value, ...entity } = each;
  if (facet !== undefined && value !== undefined) return { ...each, facet, value };
  return { ...entity, reason: "no-longer-declared" };
}

type Printed = Partial<Place> & { readonly column?: string };

function isConsistent(printed: Printed): boolean {
  return printed.column === columnOf(withPath(printed));
}

type WithoutColumn<Some> = Some extends unknown ? Omit<Some, "column"> : never;

/** Removes the column, and adds the path if it is missing, as in older plans or if the column is the only key. */
function withPath<Some extends Printed>(each: Some): WithoutColumn<Some>;
function withPath(each: Printed): object {
  if (each.column === undefined) return each;
  const fields = Object.entries(each).flatMap(([key, value]) => {
    if (key !== "column") return [[key, value]];
    return each.path ? [] : [["path", [value]]];
  });
  return Object.fromEntries(fields) as object;
}

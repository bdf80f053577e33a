import { type Change, type FacetChange, isFacetChange, isSetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import { compareText } from "../../model/json.ts";
import type { Finding, Plan } from "../../model/plan.ts";
import type { Limits } from "../../model/policy.ts";
import type { Entity, FacetValue, Member, Scalar, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import type { Ignored } from "../adopt/ignore.ts";
import { valuesOf } from "../diff/values.ts";

/** What the guards look at. */
export interface Guarded {
  readonly changes: readonly Change[];
  readonly desired: State;
  readonly live: State;
  readonly ignored: Ignored;
  /** Entities that base declares and the repository does not, and how many base declares; nothing without a base. */
  readonly vanished?: { readonly urns: readonly Urn[]; readonly of: number } | undefined;
}

/** What goes beyond the limits: each finding names the limit and blocks the plan. Stricter limits never find less. */
export function guardFindings(guarded: Guarded, limits: Limits): readonly Finding[] {
  return [
    ...removalFindings(guarded, limits),
    ...deleteFindings(guarded, limits),
    ...vanishedFindings(guarded, limits),
  ];
}

/** Whether a guard blocks a plan. */
export function isBlocked({ findings }: Pick<Plan, "findings">): boolean {
  return findings.some(({ severity }) => severity === "error");
}

function removalFindings(
  { changes, desired, live, ignored }: Guarded,
  { removals: limits }: Limits,
): readonly Finding[] {
  const byFacet = groupBy(changes.filter(isFacetChange).filter(takesAway), ({ facet }) => facet);
  return [...byFacet].flatMap(([facet, own]) => {
    const removals = own.reduce((sum, change) => sum + removalsIn(change), 0);
    const existing = existingIn(facet, desired, live, ignored);
    const about = { guard: "removals", severity: "error", facet, changes: own.map(placeOf) } as const;
    const findings: Finding[] = [];
    if (existing >= limits.min_existing && isBeyond(removals, limits.max_percent, existing)) {
      const percent = percentOf(removals, existing);
      findings.push({
        ...about,
        numbers: {
          removals,
          existing,
          percent,
          max_percent: limits.max_percent,
          min_existing: limits.min_existing,
        },
        flag: `--max-removals ${Math.ceil(percent)}%`,
        setting: "guards.removals.max_percent",
      });
    }
    if (removals > limits.max_count) {
      findings.push({
        ...about,
        numbers: { removals, existing, max_count: limits.max_count },
        flag: `--max-removals ${removals}`,
        setting: "guards.removals.max_count",
      });
    }
    return findings;
  });
}

function deleteFindings({ changes }: Guarded, { deletes: { max_count } }: Limits): readonly Finding[] {
  const deletions = changes.filter(({ action }) => action === "delete");
  const deletes = deletions.length;
  if (deletes <= max_count) return [];
  return [
    {
      guard: "deletes",
      severity: "error",
      numbers: { deletes, max_count },
      flag: `--max-deletes ${deletes}`,
      setting: "guards.deletes.max_count",
      changes: deletions.map(placeOf),
    },
  ];
}

function vanishedFindings({ vanished }: Guarded, { vanished: limits }: Limits): readonly Finding[] {
  if (!vanished || vanished.of < limits.min_existing) return [];
  const { urns, of } = vanished;
  if (!isBeyond(urns.length, limits.max_percent, of)) return [];
  const percent = percentOf(urns.length, of);
  return [
    {
      guard: "vanished",
      severity: "error",
      numbers: {
        vanished: urns.length,
        declared: of,
        percent,
        max_percent: limits.max_percent,
        min_existing: limits.min_existing,
      },
      flag: `--max-vanished ${Math.ceil(percent)}%`,
      setting: "guards.vanished.max_percent",
      changes: urns.toSorted(compareText).map((urn) => ({ urn })),
    },
  ];
}

function takesAway(change: FacetChange): boolean {
  return removalsIn(change) > 0;
}

/** The values that a change takes away for nothing: one that is replaced does not count, nor one that a conflict holds. */
function removalsIn(change: FacetChange): number {
  if (isSetChange(change)) return change.remove.length;
  return change.after === null && change.before !== null && change.conflict?.winner !== "live" ? 1 : 0;
}

/** Whether a part is more than so many per cent of the whole. */
export function isBeyond(part: number, percent: number, whole: number): boolean {
  return part * 100 > percent * whole;
}

/** A percentage with one decimal, rounded up, so that it never looks as small as the limit that it exceeds. */
function percentOf(part: number, whole: number): number {
  return Math.ceil((part * 1000) / whole) / 10;
}

function placeOf({ urn, facet, column }: Change): Finding["changes"][number] {
  return { urn, ...(facet !== undefined && { facet }), ...(column !== undefined && { column }) };
}

/** How many live values there are in a facet where it is managed. */
function existingIn(facet: string, desired: State, live: State, ignored: Ignored): number {
  let existing = 0;
  for (const entity of desired.values()) {
    const declared = entity.facets.get(facet);
    const counts = (value: Member | Scalar): boolean => !ignored.value(entity.urn, facet, value);
    if (declared) existing += managedValues(entity, facet, declared, live).filter(counts).length;
  }
  return existing;
}

function managedValues(
  { urn }: Entity,
  facet: string,
  declared: FacetValue,
  live: State,
): readonly (Member | Scalar)[] {
  const have = live.get(urn)?.facets.get(facet);
  if (declared.shape === "map" && have?.shape === "map") {
    return [...declared.entries.keys()].flatMap((column) => valuesOf(have.entries.get(column)));
  }
  return valuesOf(have);
}

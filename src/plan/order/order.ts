import { facetNamed } from "../../facets/index.ts";
import { definitionKinds, isDefinitionKind, kindOf, rankOf } from "../../kinds/index.ts";
import type { Change } from "../../model/change.ts";
import { compareText } from "../../model/json.ts";
import type { Entity } from "../../model/state.ts";
import { ancestorsOf, type ParentOf } from "../sides/parents.ts";

/*
 * What others refer to is written first and deleted last:
 *
 *   written                                              deleted
 *   ───────                                              ───────
 *   1  definitions, kind by kind in the order of ranks     5  … the reverse: the last kind first,
 *      domains (each after the one above it) → tags           groups → users → tags →
 *      → users → groups                                       domains (each before the one above it)
 *   2  facets that name definitions of any kind
 *      (`after-definitions`: members)
 *   3  assets, and what must find all of the above
 *      (`with-assets`: owners)
 *
 * A phase is a number: all operations of one phase may be sent side by side, and come after all of the phase before.
 */

// DataHub follows a chain of at most 50 parents.
const mostAbove = 999;
const width = mostAbove + 1;
const afterDefinitions = definitionKinds.length * width;
const withAssets = afterDefinitions + 1;
const deletions = withAssets + 1;
const mostDeletions = 10_000_000;

/** The phase in which a change is carried out. `parentOf` knows the parents that the plan gives to entities. */
export function phaseOf(change: Pick<Change, "kind" | "urn" | "facet">, parentOf: ParentOf): number {
  const stage = change.facet === undefined ? "with-entity" : facetNamed(change.facet).written;
  if (stage === "after-definitions") return afterDefinitions;
  if (stage === "with-assets" || !isDefinitionKind(change.kind)) return withAssets;
  const depth = Math.min(ancestorsOf(change.urn, parentOf).length, mostAbove);
  return rankOf(change.kind) * width + depth;
}

/**
 * The phase of a deletion, after everything else. Entities of a tree are deleted one after the other, in the order of
 * the plan: one that has others below it cannot be deleted.
 */
export function deletionPhase(kind: string, position: number): number {
  const later = definitionKinds.length - 1 - rankOf(kind);
  return deletions + later * mostDeletions + (kindOf(kind).parentFacet === undefined ? 0 : position);
}

/** Changes in the order in which they are shown and applied: by kind, URN, facet, column. */
export function orderChanges(changes: readonly Change[]): readonly Change[] {
  return changes.toSorted(
    (a, b) =>
      rankOf(a.kind) - rankOf(b.kind) ||
      compareText(a.urn, b.urn) ||
      compareText(a.facet ?? "", b.facet ?? "") ||
      compareText(a.column ?? "", b.column ?? ""),
  );
}

/** Entities in the order in which they are deleted: the last kind first, each entity before the one above it. */
export function orderDeletions(entities: readonly Entity[], parentOf: ParentOf): readonly Entity[] {
  return entities
    .map((entity) => ({ entity, depth: ancestorsOf(entity.urn, parentOf).length }))
    .toSorted(
      (a, b) =>
        rankOf(b.entity.kind) - rankOf(a.entity.kind) ||
        b.depth - a.depth ||
        compareText(a.entity.urn, b.entity.urn),
    )
    .map(({ entity }) => entity);
}

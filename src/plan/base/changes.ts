/** Sorts changes into plan order, and marks the changes that create entities. */

import {
  type Source,
  type Change,
  type EntityChange,
  type FacetChange,
  isFacetChange,
  isSetChange,
} from "../../model/change.ts";
import type { EntityKey, Entity, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { sha256 } from "./hash.ts";
import { rankOf } from "../../kinds/index.ts";
import { pathKey } from "../../model/place.ts";
import { compareText } from "../../model/json.ts";
import { ancestorsOf, type ParentOf } from "./parents.ts";
import type { PlannedChanges, Finding } from "../../model/plan.ts";
import { facetNamed } from "../../facets/index.ts";

/**
 * Returns all changes in plan order. Marks the changes of created entities, and adds a creation for each created entity without
 * other changes.
 */
export function changesFrom(
  declared: State,
  updates: readonly FacetChange[],
  created: ReadonlySet<Urn>,
  deletions: readonly EntityChange[],
): readonly Change[] {
  const named = updates.map((change) =>
    created.has(change.urn) ? { ...change, action: "create" as const } : change,
  );
  const changed = new Set(updates.map(({ urn }) => urn));
  const bare = [...created].flatMap((urn) => {
    const entity = changed.has(urn) ? undefined : declared.get(urn);
    return entity ? [creationOf({ ...entity, source: entity.origin })] : [];
  });
  return [...orderChanges([...named, ...bare]), ...deletions];
}

/** Returns the change that creates an entity, without its facet changes. */
export function creationOf({
  kind,
  urn,
  source,
}: EntityKey & { readonly source?: Source | undefined }): EntityChange {
  return {
    action: "create",
    shape: "entity",
    kind,
    urn,
    ...(source && { source }),
    fingerprint: sha256(null),
  };
}

/** Whether an operation deletes an entity. */
export function isDeletion({ changes }: PlannedChanges): boolean {
  return changes.some(({ action }) => action === "delete");
}

/**
 * Sorts changes by kind, URN, facet and keys. Plans show changes in this order, and an apply writes independent
 * changes in this order, too.
 */
export function orderChanges(changes: readonly Change[]): readonly Change[] {
  return changes.toSorted(
    (a, b) =>
      rankOf(a.kind) - rankOf(b.kind) ||
      compareText(a.urn, b.urn) ||
      compareText(a.facet ?? "", b.facet ?? "") ||
      compareText(pathKey(a.path), pathKey(b.path)),
  );
}

/** Sorts entities for deletion: kinds in reverse order, and children before their parents. */
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

/** Returns a change's place in the format that findings use. */
export function placeOf({ urn, facet, path }: Change): Finding["changes"][number] {
  return { urn, ...(facet !== undefined && { facet }), ...(path && { path }) };
}

/** Whether a change belongs to a rollback. If so, its source is a run instead of a manifest. */
export function isOfRollback({ source }: Change): boolean {
  return source !== undefined && !/\.ya?ml$/i.test(source.file);
}

/** Whether a change restores a soft-deleted entity. Other entities can then refer to it again. */
export function isRestoring(change: Change): boolean {
  if (!isFacetChange(change) || isSetChange(change)) return false;
  const { makesReferenceable, blank } = facetNamed(change.facet);
  return makesReferenceable && change.after === blank;
}

import { rankOf } from "../../kinds/index.ts";
import { pathKey } from "../../model/place.ts";
import type { Change } from "../../model/change.ts";
import { compareText } from "../../model/json.ts";
import type { Entity } from "../../model/state.ts";
import { ancestorsOf, type ParentOf } from "../sides/parents.ts";

/** Changes in the order in which they are shown, and applied as far as they do not depend on each other: by kind, URN, facet, keys. */
export function orderChanges(changes: readonly Change[]): readonly Change[] {
  return changes.toSorted(
    (a, b) =>
      rankOf(a.kind) - rankOf(b.kind) ||
      compareText(a.urn, b.urn) ||
      compareText(a.facet ?? "", b.facet ?? "") ||
      compareText(pathKey(a.path), pathKey(b.path)),
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

/**
 * Plans the removal of references to deleted entities. Otherwise, the server would remove the references only after the deletion.
 */

import type { Facet } from "../../facets/facet.ts";
import { edgeSets, facetsOf } from "../../facets/index.ts";
import { kindOf } from "../../kinds/index.ts";
import {
  type Change,
  type EntityChange,
  type FacetChange,
  isFacetChange,
  isSetChange,
  type SetChange,
} from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { LiveValues } from "../../model/live.ts";
import { leavesOf, type Place, placeAt } from "../../model/place.ts";
import { type Entity, type Leaf, type Member, setOf, type SetValue, without } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { referenceHash } from "../align/deletion.ts";
import { fingerprintOf } from "../notes/fingerprint.ts";
import { textsIn } from "../base/values.ts";
import { valuesOf } from "../../model/values.ts";

interface Referenced extends EntityChange {
  readonly references: readonly string[];
  readonly assignedTo: readonly Urn[];
}

/** Returns the deletions that list the references to the deleted entities. */
export function referencedDeletions(changes: readonly Change[]): readonly Referenced[] {
  return changes.filter(
    (change): change is Referenced =>
      !isFacetChange(change) &&
      change.action === "delete" &&
      change.references !== undefined &&
      change.assignedTo !== undefined,
  );
}

/** Returns the facets of a kind whose values may refer to a deleted entity. */
export function referringFacets(kind: string, deletions: readonly EntityChange[]): readonly Facet[] {
  const types = new Set(deletions.flatMap(assigningTypes));
  return facetsOf(kind).filter(({ relationship }) => relationship !== undefined && types.has(relationship));
}

/**
 * Removes a reference to a deleted entity if and only if the plan found it, `holders` still contains it, and no other change
 * removes it. Single-value fields for which the catalog stores several values are left to the server, because a write would
 * remove all values.
 */
export function referenceRemovals(changes: readonly Change[], holders: LiveValues): readonly FacetChange[] {
  const deletions = referencedDeletions(changes);
  const planned = new Map(changes.filter(isFacetChange).map((change) => [keyOf(change), change]));
  const several = new Set((holders.several ?? []).map(keyOf));
  const byHash = groupBy(
    deletions.flatMap((deletion) => deletion.references.map((hash) => ({ hash, deletion }))),
    ({ hash }) => hash,
  );
  const seen = (type: string, from: Urn): readonly Referenced[] =>
    (byHash.get(referenceHash(type, from)) ?? [])
      .map(({ deletion }) => deletion)
      .filter((deletion) => assigningTypes(deletion).includes(type));
  return [
    ...[...holders.state.values(), ...(holders.softDeleted?.values() ?? [])].flatMap((holder) =>
      removalsFrom(holder, deletions, seen),
    ),
    ...deletions.flatMap(removedEdges),
  ]
    .filter((removal) => !several.has(keyOf(removal)))
    .flatMap((removal) => unplanned(removal, planned.get(keyOf(removal))));
}

function assigningTypes({ kind }: EntityChange): readonly string[] {
  return kindOf(kind).deletion?.relationships ?? [];
}

function keyOf({ urn, facet, path }: Place & { readonly urn: Urn }): string {
  return JSON.stringify([urn, facet, path]);
}

function removalsFrom(
  holder: Entity,
  deletions: readonly Referenced[],
  seen: (type: string, from: Urn) => readonly Referenced[],
): readonly FacetChange[] {
  return referringFacets(holder.kind, deletions).flatMap(({ name: facet, relationship = "" }) => {
    const referred = seen(relationship, holder.urn);
    return leavesOf(holder.facets.get(facet)).flatMap(([path, leaf]) =>
      removalOf(holder, placeAt(facet, path), leaf, referred),
    );
  });
}

function removalOf(
  { urn, kind }: Entity,
  place: Place,
  leaf: Leaf,
  deletions: readonly Referenced[],
): readonly FacetChange[] {
  const cause = (value: Parameters<typeof textsIn>[0]): EntityChange | undefined =>
    deletions.find((deletion) => textsIn(value).includes(deletion.urn));
  const removed = valuesOf(leaf).filter((value) => cause(value) !== undefined);
  const [first] = removed;
  if (first === undefined) return [];
  const { source } = cause(first) ?? {};
  const { alsoStoredAt } = leaf;
  const about = {
    action: "update",
    kind,
    urn,
    ...place,
    ...(alsoStoredAt !== undefined && { alsoStoredAt }),
    ...(source && { source }),
    isReference: true,
  } as const;
  if (leaf.shape === "set") return [setRemoval(about, leaf, removed as readonly Member[])];
  const change = { ...about, shape: "scalar", before: leaf.value, after: null } as const;
  return [{ ...change, fingerprint: fingerprintOf(leaf, change) }];
}

/** Removes elements from a set, regardless of other changes to the same set. */
function setRemoval(
  about: Omit<SetChange, "shape" | "add" | "remove" | "fingerprint">,
  live: SetValue,
  remove: readonly Member[],
): SetChange {
  const covers = { elements: [], except: ["*"] };
  const change = { ...about, shape: "set", add: [], remove, covers } as const;
  return { ...change, fingerprint: fingerprintOf(live, change) };
}

/** Returns changes that remove a deleted group's edges from the members that store them. */
function removedEdges({ kind, urn, source, references, assignedTo }: Referenced): readonly FacetChange[] {
  return edgeSets.flatMap(({ facet, kind: ofGroups, storedByMembers }) => {
    const ends = assignedTo.filter((from) =>
      storedByMembers?.relationships.some((type) => references.includes(referenceHash(type, from))),
    );
    if (kind !== ofGroups.name || ends.length === 0) return [];
    const about = {
      action: "update",
      kind,
      urn,
      facet,
      ...(source && { source }),
      isReference: true,
    } as const;
    return [setRemoval(about, setOf(ends), ends)];
  });
}

/** Returns the removed elements or value, except those that a planned change at the same place already removes. */
function unplanned(removal: FacetChange, planned: FacetChange | undefined): readonly FacetChange[] {
  if (!planned) return [removal];
  if (!isSetChange(removal) || !isSetChange(planned)) return [];
  const remove = without(removal.remove, planned.remove);
  return remove.length === 0 ? [] : [{ ...removal, remove }];
}

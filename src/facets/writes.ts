/** Converts facet changes to requests: mutations, or edits to the aspect that stores the facet. */

import { type Change, type FacetChange, isFacetChange, isSetChange, keepsOthers } from "../model/change.ts";
import type { JsonObject } from "../model/json.ts";
import {
  aspectKey,
  type AspectPlace,
  type Edit,
  isListEdit,
  type Proposal,
  type Write,
  type WriteMode,
} from "../model/operation.ts";
import { leafAt, type Path, singleOf, valueFrom } from "../model/place.ts";
import { type FacetValue, type Leaf, type Member, scalarOf, setOf } from "../model/state.ts";
import { keysIn } from "./columns.ts";
import type { Facet, Observed } from "./facet.ts";
import { facetNamed } from "./index.ts";
import { withStoredFields } from "./stored-elements.ts";

/**
 * Returns the writes for a change, in the order in which they are sent: a single edit to the aspect if writes are conditional and
 * the facet supports edits, or else mutations. Values under a second path are always edited, because no mutation can specify that
 * path. Throws if the shapes of the change and the facet differ, which would be a bug.
 */
export function writesFor(change: FacetChange, writes: WriteMode): readonly Write[] {
  const facet = facetNamed(change.facet);
  const isEdited = writesOf(change, { writes }) === "conditional" || isAlwaysEdited(facet, change);
  const edit = isEdited ? editFor(facet, change) : undefined;
  if (edit) return [{ request: edit }];
  if (change.shape === "scalar" && facet.scalar) {
    return facet.scalar.requests(change).map((request) => ({ request }));
  }
  if (change.shape === "set" && facet.set) {
    const additions = change.add.length > 0 ? (facet.set.add?.(change, change.add) ?? []) : [];
    const removals = change.remove.length > 0 ? (facet.set.remove?.(change, change.remove) ?? []) : [];
    return [
      ...additions.map(({ request, elements }) => ({ request, adds: elements })),
      ...removals.map(({ request, elements }) => ({ request, removes: elements })),
    ];
  }
  throw new Error(`unexpected shape of a change to ${facet.name}: ${change.shape}`);
}

function isAlwaysEdited({ scalar, set }: Facet, change: FacetChange): boolean {
  if (isRetyped(change)) return true;
  if (change.shape === "set") return !set?.add;
  return scalar?.editing?.isNeededFor?.(change) === true;
}

/**
 * Whether the type of a value changes to match its definition. Such a change is written as an edit, together with the other edits
 * to the aspect. A mutation also writes the other values of the entity, and the server refuses it if any of them does not match
 * its definition.
 */
export function isRetyped(change: FacetChange): boolean {
  if (isSetChange(change)) {
    const added = typesIn(change.add);
    return added.length > 0 && typesIn(change.remove).some((type) => !added.includes(type));
  }
  const { before, after, facet } = change;
  if (!facetNamed(facet).scalar?.rewritesOtherKeys || before === null || after === null) return false;
  return typeof before !== typeof after;
}

function typesIn(members: readonly Member[]): readonly string[] {
  return members.map((member) => typeof member);
}

function editFor(facet: Facet, change: FacetChange): Proposal | undefined {
  const at = editedAt(facet, change);
  if (!at) return undefined;
  const edits = editsFor(facet, change);
  const isOfElements = edits.some((edit) => isListEdit(edit) && edit.emptied === "element");
  return {
    type: "proposal",
    ...at,
    initial: {},
    set: {},
    edits,
    // An edit with `emptied: "element"` writes the entire element as it was read, so it must not overwrite a newer version.
    ...(keepsOthers(change) && !isOfElements && { isForAnyVersion: true }),
  };
}

/** The maximum number of changes to an aspect that are written with mutations. Each mutation rewrites the entire aspect. */
const maxMutations = 100;

/**
 * Returns the keys of the aspects that are edited instead of written with mutations: aspects with many changes, such as those of
 * datasets with many columns, and aspects whose restored elements have more fields than a mutation can write.
 */
export function largeEdits(changes: readonly Change[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const key of changes.flatMap(editKeyOf)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const many = [...counts].flatMap(([key, count]) => (count > maxMutations ? [key] : []));
  const inFull = changes.filter((change) => isSetChange(change) && change.stored !== undefined);
  return new Set([...many, ...inFull.flatMap(editKeyOf)]);
}

/** Returns how to write a change. The aspects in `edited` are always written with edits. */
export function writesOf(
  change: Change,
  {
    writes,
    edited,
  }: { readonly writes?: WriteMode | undefined; readonly edited?: EditedAspects | undefined },
): WriteMode {
  const isEdited = edited !== undefined && editKeyOf(change).some((key) => edited.has(key));
  if (isFacetChange(change) && isElsewhere(change)) return "conditional";
  return isEdited ? "conditional" : (writes ?? "graphql");
}

/**
 * Whether a change affects values under a path that no mutation can specify. Changes that only add elements use the full path.
 */
function isElsewhere(change: FacetChange): boolean {
  const isAddition = change.shape === "set" && change.remove.length === 0;
  return change.alsoStoredAt !== undefined && !isAddition;
}

/** The keys of the aspects to edit, as returned by `aspectKey`. */
export type EditedAspects = Pick<ReadonlySet<string>, "has">;

function editKeyOf(change: Change): readonly string[] {
  return aspectOf(change).map(({ urn, aspect }) => aspectKey(urn, aspect));
}

/** Returns the aspect that stores the value of a change, as a list; empty if the value cannot be edited. */
export function aspectOf(change: Change): readonly AspectPlace[] {
  const at = isFacetChange(change) ? editedAt(facetNamed(change.facet), change) : undefined;
  return at ? [at] : [];
}

function editedAt(facet: Facet, change: FacetChange): AspectPlace | undefined {
  const editing = facet[change.shape]?.editing;
  const aspect = editing?.aspect(change.kind);
  return aspect === undefined ? undefined : { urn: editing?.urnOf?.(change) ?? change.urn, aspect };
}

function editsFor({ scalar, set }: Facet, change: FacetChange): readonly Edit[] {
  if (change.shape === "scalar") return scalar?.editing?.edits(change) ?? [];
  return withStoredFields(set?.editing?.edits(change, change.add, change.remove) ?? [], change);
}

/** The properties of a change that locate its value in an aspect. */
type PlaceInAspect = Pick<FacetChange, "facet" | "kind" | "path" | "shape" | "alsoStoredAt">;

/** Reads from a single aspect the current values for changes to a single facet. */
export function valueInAspect(
  changes: readonly [PlaceInAspect, ...PlaceInAspect[]],
  aspectName: string,
  aspect: JsonObject | undefined,
): FacetValue {
  const [{ facet: name, kind }] = changes;
  const facet = facetNamed(name);
  const aspects = aspect ? { [aspectName]: aspect } : {};
  const ofColumn = facet.shape === "map" ? facet.storedInColumns : undefined;
  const observed = ofColumn ? { value: ofColumn.observe(aspects) } : facet.observe(aspects, kind);
  return valueFrom(
    changes.map((change) => {
      const path = facet.shape === "map" ? keysIn(change) : [];
      return [path, leafIn(observed, ofColumn ? path.slice(1) : path, change)];
    }),
  );
}

/**
 * Returns the value at a path, merged with the value at the second path. Also searches `dormant`, because without the schema, the
 * columns in an aspect appear to be missing from the dataset.
 */
function leafIn({ value, dormant }: Observed, path: Path, { shape, alsoStoredAt }: PlaceInAspect): Leaf {
  const paths = alsoStoredAt === undefined ? [path] : [path, [alsoStoredAt]];
  const leaves = paths.flatMap((each) => leafAt(value, each) ?? leafAt(dormant, each) ?? []);
  if (shape === "set") return setOf(leaves.flatMap((leaf) => (leaf.shape === "set" ? leaf.members : [])));
  const values = leaves.map((leaf) => (leaf.shape === "set" ? singleOf(leaf) : leaf).value);
  return scalarOf(values.find((each) => each !== null) ?? null);
}

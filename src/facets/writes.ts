import { type Change, type FacetChange, isFacetChange, isSetChange, leavesOthers } from "../model/change.ts";
import type { JsonObject } from "../model/json.ts";
import { type Edit, isListEdit, type Proposal, type Write, type Writes } from "../model/operation.ts";
import { leafAt, valueFrom } from "../model/place.ts";
import { type FacetValue, type Leaf, type Member, scalarOf, setOf } from "../model/state.ts";
import type { Facet } from "./facet.ts";
import { facetNamed } from "./index.ts";

/**
 * The writes that carry out one change of a facet, in the order in which they are sent: where they are to be conditional and
 * the facet can be written so, one edit of its aspect. Throws on a change that has not the shape of its facet: no version of
 * this program made it.
 */
export function writesFor(change: FacetChange, writes: Writes): readonly Write[] {
  const facet = facetNamed(change.facet);
  const isEdited =
    writes === "conditional" || (change.shape === "set" && !facet.set?.add) || isRetyped(change);
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
  throw new Error(`a change of ${facet.name} has the shape of a ${change.shape}`);
}

/**
 * Whether a value gets another type, which its definition has now. A mutation writes the other values of the entity as well, and the
 * server refuses that while one of these does not fit its definition either. Edits of one aspect are written together.
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
    // What is written of an element has all that was read of it.
    ...(leavesOthers(change) && !isOfElements && { isForAnyVersion: true }),
  };
}

/** The aspect that has the value of a change, where that can be edited. */
export function aspectOf(change: Change): readonly Pick<Proposal, "urn" | "aspect">[] {
  const at = isFacetChange(change) ? editedAt(facetNamed(change.facet), change) : undefined;
  return at ? [at] : [];
}

function editedAt(facet: Facet, change: FacetChange): Pick<Proposal, "urn" | "aspect"> | undefined {
  const editing = facet[change.shape]?.editing;
  const aspect = editing?.aspect(change.kind);
  return aspect === undefined ? undefined : { urn: editing?.urnOf?.(change) ?? change.urn, aspect };
}

function editsFor({ scalar, set }: Facet, change: FacetChange): readonly Edit[] {
  if (change.shape === "scalar") return scalar?.editing?.edits(change) ?? [];
  return set?.editing?.edits(change, change.add, change.remove) ?? [];
}

/** What an aspect by itself says of the value at the place of a change. */
export function valueInAspect(
  change: FacetChange,
  aspectName: string,
  aspect: JsonObject | undefined,
): FacetValue {
  const { path = [] } = change;
  return valueFrom([[path, leafInAspect(change, aspectName, aspect)]]);
}

function leafInAspect(change: FacetChange, aspectName: string, aspect: JsonObject | undefined): Leaf {
  const facet = facetNamed(change.facet);
  const { shape, path } = change;
  if (shape === "set" && facet.set?.editing) return setOf(facet.set.editing.elements(aspect ?? {}, path));
  const { editing } = facet.scalar ?? {};
  if (editing?.value && editing.aspect(change.kind) !== undefined)
    return scalarOf(editing.value(aspect ?? {}, path));
  const { value } = facet.observe({ aspects: aspect ? { [aspectName]: aspect } : {} }, change.kind);
  // Values of maps are edited: this one is of no map.
  return leafAt(value, path) ?? scalarOf(null);
}

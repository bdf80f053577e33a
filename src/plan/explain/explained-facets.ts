/** Explains an entity's values, declarations, modes and planned changes for each facet, and lists its live values. */

import { isSamePlace, leafAt, leafIn, leavesOf, pathKey, type Place, placeAt } from "../../model/place.ts";
import { edgeSetOfInverse, facetsOf, isDeclarable } from "../../facets/index.ts";
import { isOfColumns, keysOf } from "../../facets/places.ts";
import { type FacetChange, isSetChange, type ValuePlace, type Written } from "../../model/change.ts";
import type {
  DeclaredBy,
  DesiredValue,
  ExplainedFacet,
  LiveValue,
  ModeGiven,
} from "../../model/explanation.ts";
import type { Rule } from "../../model/rule.ts";
import type { Mode, Modes } from "../../model/settings.ts";
import type { Entity, Leaf, Member, Scalar } from "../../model/state.ts";
import type { Ignored } from "../base/ignore.ts";
import { holdReason } from "../../model/held-back.ts";
import { contributionsTo } from "../base/declared-before.ts";
import { modeOf } from "../base/modes.ts";
import { valuesOf, valueKey } from "../../model/values.ts";

/** The settings and rules that apply to an entity. */
export interface Decisions {
  readonly modes: Modes;
  /** The documents and rules that set a mode. */
  readonly modePlaces: readonly ModePlace[];
  readonly rules: readonly Rule[];
  readonly ignored: Ignored;
}

/** An entity's declared and live values, with the catalog's column names, its changes, and what applies to it. */
export interface BothSides extends Decisions {
  readonly desired: Entity;
  /** `undefined` if the catalog does not contain the entity. */
  readonly live: Entity | undefined;
  readonly changes: readonly FacetChange[];
}

/** Both sides of an entity, and the writers of its live values. */
export interface Sides extends BothSides {
  readonly writerOf: (at: ValuePlace, value: Member | Scalar) => Written;
}

/** Explains each place that has a value. If `column` is given, explains only the places in this column, including empty ones. */
export function explainedFacets(sides: Sides, column?: string): readonly ExplainedFacet[] {
  const all = placesIn(sides.desired, sides.live, column).map((place) => explainedFacet(place, sides));
  return all.filter(
    ({ desired, live, overruled }) =>
      column !== undefined || desired !== undefined || live.length > 0 || overruled !== undefined,
  );
}

/** Returns an entity's live values, each with its location. The result is used to look up who wrote each value. */
export function liveValues(live: Entity): readonly (ValuePlace & { readonly value: Member | Scalar })[] {
  const { urn, kind } = live;
  return placesIn(live, live).flatMap((place) =>
    valuesOf(leafIn(live, place)).map((value) => ({ urn, kind, ...place, value })),
  );
}

// Returns the places to explain. Facets that no manifest can declare are omitted.
function placesIn(desired: Entity, live: Entity | undefined, column?: string): readonly Place[] {
  return facetsOf(desired.kind)
    .filter(isDeclarable)
    .flatMap(({ name: facet }): readonly Place[] => {
      const depth = keysOf(facet).length;
      if (column !== undefined && !isOfColumns(facet)) return [];
      if (depth === 0) return [{ facet }];
      if (column !== undefined && depth === 1) return [{ facet, path: [column] }];
      const leaves = [desired, live].flatMap((entity) => leavesOf(entity?.facets.get(facet)));
      const paths = new Map(leaves.map(([path]) => [pathKey(path), path]));
      const own = [...paths.values()].filter(([key]) => column === undefined || key === column);
      return own.map((path) => placeAt(facet, path));
    });
}

function explainedFacet(place: Place, sides: Sides): ExplainedFacet {
  const declared = leafIn(sides.desired, place);
  const desired = declared && desiredValues(declared);
  const overruled = overruledIn(place, sides, desired);
  const change = changeAt(place, sides);
  return {
    ...place,
    ...(declared && { mode: modeGiven(place.facet, declared, sides) }),
    ...(desired && { desired }),
    ...(overruled.length > 0 && { overruled }),
    live: liveAt(place, sides),
    ...(desired && change && { change }),
  };
}

/**
 * Returns each value with the documents and rules that declare it. A single value that is explicitly declared as unset is
 * included.
 */
function desiredValues(declared: Leaf): readonly DesiredValue[] {
  const values = declared.shape === "set" ? declared.members : [declared.value];
  const by = contributionsTo(declared);
  return values.map((value) => {
    const key = valueKey(value);
    const own = by.filter((each) => each.values.some((other) => valueKey(other) === key));
    return {
      value,
      declaredBy: own.map(({ rule, origin: source }) => ({
        ...(rule !== undefined && { rule }),
        ...(source && { source }),
      })),
    };
  });
}

/** Returns the single values that rules declare but that a different declaration overrides. */
function overruledIn(
  { facet, path }: Place,
  { rules }: Sides,
  desired: readonly DesiredValue[] | undefined,
): readonly DesiredValue[] {
  const winners = new Set(desired?.map(({ value }) => valueKey(value)));
  return rules.flatMap(({ id: rule, facets }) => {
    const value = leafAt(facets.get(facet), path);
    if (value?.shape !== "scalar" || winners.has(valueKey(value.value))) return [];
    const { origin: source } = value;
    return [{ value: value.value, declaredBy: [{ rule, ...(source && { source }) }] }];
  });
}

function liveAt(place: Place, { live, ignored, writerOf }: Sides): readonly LiveValue[] {
  if (!live) return [];
  const { urn, kind } = live;
  return valuesOf(leafIn(live, place)).map((value) => {
    const reason = ignored.value(urn, place.facet, value)?.reason ?? ignored.entity(urn)?.reason;
    const written = writerOf({ urn, kind, ...place }, value);
    return { value, ...written, ...(reason !== undefined && { ignored: reason }) };
  });
}

function changeAt(place: Place, { changes }: Sides): ExplainedFacet["change"] {
  const change = changes.find((each) => isSamePlace(each, place));
  if (!change) return undefined;
  if (isSetChange(change)) {
    const { add, remove } = change;
    return { add, remove, ...heldOf(change, [...add, ...remove]) };
  }
  const { before, after, conflict } = change;
  return {
    add: after === null ? [] : [after],
    remove: before === null ? [] : [before],
    ...(conflict && conflict.winner !== "desired" && { conflict: true }),
    ...heldOf(change, [before, after]),
  };
}

function heldOf(
  change: FacetChange,
  values: readonly (Member | Scalar)[],
): Pick<NonNullable<ExplainedFacet["change"]>, "held"> {
  const held = values.flatMap((value) => {
    const because = holdReason(change, isSetChange(change) ? value : change.after);
    return because === undefined ? [] : [{ value, because }];
  });
  return held.length === 0 ? {} : { held };
}

/** A document or rule that sets the mode of a facet. */
export interface ModePlace extends DeclaredBy {
  readonly facet: string;
  readonly mode: Mode;
}

function modeGiven(facet: string, value: Leaf, { desired, modes, modePlaces }: BothSides): ModeGiven {
  const mode = modeOf(desired, facet, modes, value);
  if (value.mode !== undefined || desired.manage?.[facet] !== undefined) {
    const place = modePlaces.find((each) => each.facet === facet && each.mode === mode);
    const { rule, source } = place ?? {};
    return { mode, from: "manifest", ...(rule !== undefined && { rule }), ...(source && { source }) };
  }
  const ofGroups = edgeSetOfInverse(facet)?.facet;
  const isSet = modes[facet] !== undefined || (ofGroups !== undefined && modes[ofGroups]);
  return { mode, from: isSet ? "settings" : "default" };
}

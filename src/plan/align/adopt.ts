/** Copies unmanaged live values into the desired state, so the diff needs no special handling for modes and ignore rules. */

import { isExpressible } from "../../facets/expressible.ts";
import { facetNamed } from "../../facets/index.ts";
import type { Mode, Modes } from "../../model/settings.ts";
import type { UnmanagedValue } from "../../model/plan.ts";
import {
  type Entity,
  isSameValue,
  type Leaf,
  type Member,
  memberKey,
  type Scalar,
  type ScalarValue,
  setOf,
  type SetValue,
  type State,
  without,
} from "../../model/state.ts";
import { joined, leafAt, type Place, placeAt } from "../../model/place.ts";
import type { Urn } from "../../model/urn.ts";
import { type Ignored, nothingIgnored } from "../base/ignore.ts";
import { modeOf } from "../base/modes.ts";
import { isOneOf, valuesOf, valueKey } from "../../model/values.ts";

/** The settings and history that determine which live values are copied. */
export interface Rules {
  readonly modes: Modes;
  readonly ignored: Ignored;
  /** The earlier declarations, with the same column and member names as the live state. `undefined` if unknown. */
  readonly base: State | undefined;
}

/** The desired state with the adopted values, and a list of the undeclared live values that are kept. */
export interface Adoption {
  readonly state: State;
  readonly kept: readonly UnmanagedValue[];
}

/**
 * Adopts live values for each declared entity that exists in the catalog. In declared facets, the modes and ignore rules
 * determine which live values are kept. All other facets are copied from the live state.
 */
export function adopt(desired: State, live: State, { modes, ignored, base }: Rules): Adoption {
  const adopted = new Map<Urn, Entity>();
  const kept: UnmanagedValue[] = [];
  for (const entity of desired.values()) {
    const liveEntity = live.get(entity.urn);
    if (!liveEntity) continue;
    const before = base?.get(entity.urn);
    const facets = new Map(liveEntity.facets);
    for (const [facet, value] of entity.facets) {
      const at = { entity, mode: modeOf(entity, facet, modes), ignored, kept };
      const declared = before?.facets.get(facet);
      facets.set(
        facet,
        joined(liveEntity.facets.get(facet), value, (there, leaf, path) =>
          adoptLeaf({ ...at, place: placeAt(facet, path) }, leaf, there, leafAt(declared, path)),
        ),
      );
    }
    adopted.set(entity.urn, { ...entity, facets });
  }
  return { state: adopted, kept };
}

/** The place of a value to adopt, and the settings that apply to it. */
interface Adopting {
  readonly entity: Entity;
  readonly place: Place;
  readonly mode: Mode;
  readonly ignored: Ignored;
  /** Collects the undeclared live values that are kept. */
  readonly kept: UnmanagedValue[];
}

function adoptLeaf(at: Adopting, desired: Leaf, live: Leaf | undefined, base: Leaf | undefined): Leaf {
  const { entity, place, ignored } = at;
  const mode = desired.mode ?? at.mode;
  const inexpressible = inexpressibleIn(entity.urn, place, desired, live);
  if (mode === "authoritative" && ignored === nothingIgnored && inexpressible.length === 0) return desired;
  const keys = new Set(inexpressible.map(valueKey));
  const { value, kept } = adoptedBy(mode, { desired, live, base }, (each) => {
    return ignored.value(entity.urn, place.facet, each) !== undefined || keys.has(valueKey(each));
  });
  // A pruned facet is not managed, so undeclared values in it are not reported.
  if (desired.isPruned) return value;
  const { urn, kind } = entity;
  for (const each of kept) {
    const reason = each.declaredBefore ? "no-longer-declared" : "other-writer";
    at.kept.push({ urn, kind, ...place, value: each.value, reason });
  }
  for (const each of inexpressible)
    at.kept.push({ urn, kind, ...place, value: each, reason: "not-expressible" });
  return value;
}

/**
 * Returns undeclared live values that no manifest can express. They are kept, because a manifest's author cannot have intended to
 * remove them. A single value that is an empty string is not included.
 */
function inexpressibleIn(
  urn: Urn,
  { facet: name }: Place,
  desired: Leaf,
  live: Leaf | undefined,
): readonly (Member | Scalar)[] {
  const isDeclared = isOneOf(desired);
  const facet = facetNamed(name);
  return valuesOf(live).filter(
    (each) =>
      !isDeclared(each) && !(each === "" && desired.shape === "scalar") && !isExpressible(facet, urn, each),
  );
}

function adoptedBy(
  mode: Mode,
  {
    desired,
    live,
    base,
  }: { readonly desired: Leaf; readonly live: Leaf | undefined; readonly base: Leaf | undefined },
  isLeftAlone: IsLeftAlone,
): Adopted<Leaf> {
  if (desired.shape === "set" && live?.shape === "set") {
    return adoptSet(mode, { desired, live, base: base?.shape === "set" ? base : undefined }, isLeftAlone);
  }
  if (desired.shape === "scalar" && live?.shape === "scalar") {
    return adoptScalar(
      mode,
      { desired, live, base: base?.shape === "scalar" ? base : undefined },
      isLeftAlone,
    );
  }
  // The live value was not read. The diff reports this.
  return { value: desired, kept: [] };
}

/** The desired, live and earlier declared values at one place. `base` is `undefined` if the earlier declaration is unknown. */
export interface ValueSides<Value extends Leaf> {
  readonly desired: Value;
  readonly live: Value;
  readonly base: Value | undefined;
}

/** The adopted value, and the undeclared live values that are kept. */
export interface Adopted<Value extends Leaf> {
  readonly value: Value;
  readonly kept: readonly Kept[];
}

/** An undeclared live value that is kept. `declaredBefore` is true if base declares it. */
interface Kept {
  readonly value: Member | Scalar;
  readonly declaredBefore: boolean;
}

/** Whether a value must be neither added nor removed, regardless of the mode. */
type IsLeftAlone = (value: Member | Scalar) => boolean;

/**
 * Adopts a set. `authoritative` keeps only the declared elements, `merge` adds live elements that base did not declare, and
 * `additive` adds all live elements. Ignored elements do not change. A member that moves to a different group is never kept.
 */
export function adoptSet(
  mode: Mode,
  { desired, live, base }: ValueSides<SetValue>,
  isLeftAlone: IsLeftAlone,
): Adopted<SetValue> {
  const declared = desired.members.filter((member) => !isLeftAlone(member));
  const leftAlone = live.members.filter(isLeftAlone);
  const leaving = [...(desired.leaving?.keys() ?? [])];
  const others = without(live.members, [...desired.members, ...leftAlone, ...leaving]);
  const before = new Set((base?.members ?? []).map(memberKey));
  const isBefore = (member: Member): boolean => before.has(memberKey(member));
  const kept = others.filter((member) => mode === "additive" || (mode === "merge" && !isBefore(member)));
  return {
    value: {
      ...setOf([...declared, ...leftAlone, ...kept], desired.origin),
      ...(desired.by && { by: desired.by }),
    },
    kept: kept.map((value) => ({ value, declaredBefore: isBefore(value) })),
  };
}

/** Adopts a single value. `additive` sets the declared value only if the live value is empty. The other modes always set it. */
export function adoptScalar(
  mode: Mode,
  { desired, live, base }: ValueSides<ScalarValue>,
  isLeftAlone: IsLeftAlone,
): Adopted<ScalarValue> {
  if (isSameValue(desired.value, live.value)) return { value: desired, kept: [] };
  const stays = { ...desired, value: live.value };
  if (isLeftAlone(desired.value) || isLeftAlone(live.value)) return { value: stays, kept: [] };
  if (mode !== "additive" || live.value === null) return { value: desired, kept: [] };
  const declaredBefore = valuesOf(base).some((each) => isSameValue(each, live.value));
  return { value: stays, kept: [{ value: live.value, declaredBefore }] };
}

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
import { type Ignored, nothingIgnored } from "./ignore.ts";
import { modeOf } from "./modes.ts";
import { valueKey, valuesOf } from "../diff/values.ts";

/** Under which desired and live state are brought together. */
export interface Rules {
  readonly modes: Modes;
  readonly ignored: Ignored;
  /** What was declared before, with columns and members as in live state; `undefined` where that is not known. */
  readonly base: State | undefined;
}

/** The wanted state, and the live values that stay though they are not declared. */
export interface Adoption {
  readonly state: State;
  readonly kept: readonly UnmanagedValue[];
}

/**
 * The wanted state: of each declared entity that is live, the declared facets as their modes and the ignore
 * rules have it, and all else as it is. What is not managed is thereby equal on both sides, and the diff needs no
 * special case. `base` is what was declared before, where that is known.
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

/** Where a value is adopted, and how. */
interface Adopting {
  readonly entity: Entity;
  readonly place: Place;
  readonly mode: Mode;
  readonly ignored: Ignored;
  /** Where what stays is put. */
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
  // A pruned facet is not managed, so values of others are not reported.
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
 * The live values that are not declared and that no manifest can declare: whoever manages the others cannot mean to remove them. A
 * single value that is an empty text is none.
 */
function inexpressibleIn(
  urn: Urn,
  { facet: name }: Place,
  desired: Leaf,
  live: Leaf | undefined,
): readonly (Member | Scalar)[] {
  const declared = new Set(valuesOf(desired).map(valueKey));
  const facet = facetNamed(name);
  return valuesOf(live).filter(
    (each) =>
      !declared.has(valueKey(each)) &&
      !(each === "" && desired.shape === "scalar") &&
      !isExpressible(facet, urn, each),
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
  // The diff says that it was not read.
  return { value: desired, kept: [] };
}

/** One value as each side has it. Without a `base` it is not known whether it was declared before. */
export interface ValueSides<Value extends Leaf> {
  readonly desired: Value;
  readonly live: Value;
  readonly base: Value | undefined;
}

/** What a value shall be, and what stays of the live one though it is not declared. */
export interface Adopted<Value extends Leaf> {
  readonly value: Value;
  readonly kept: readonly Kept[];
}

/** A live value that stays; `declaredBefore` says that base declares it. */
interface Kept {
  readonly value: Member | Scalar;
  readonly declaredBefore: boolean;
}

/** Whether a value is neither added nor removed, whatever the mode. */
type IsLeftAlone = (value: Member | Scalar) => boolean;

/**
 * A set under its mode: `authoritative` keeps what is declared, `merge` also what base did not declare, `additive` and what is left
 * alone all stays. What leaves for another group is kept by none.
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

/** A single value under its mode: `additive` fills what is empty, the others set what is declared. */
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

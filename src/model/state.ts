/** Defines desired and live state: entities by URN, with their facets' values by shape. */

import { canonicalJson, compareText } from "./json.ts";
import type { Origin } from "./origin.ts";
import type { Mode, Modes } from "./settings.ts";
import type { Urn } from "./urn.ts";

/** The name of an entity kind, as in a manifest. Only `src/kinds` knows the kinds. */
export type KindName = string;

/** A value with several fields, each a text or a number. An absent field is unset. */
export interface Fields {
  readonly [field: string]: string | number;
}

/** A single value; `null` is "unset". */
export type Scalar = string | number | boolean | Fields | null;

/** An element of a set: a URN, a text, a number, or fields such as an owner with its ownership type. */
export type Member = string | number | Fields;

/** One value's declaration by a rule or a document. */
export interface Contribution {
  /** The rule's id; absent for a document. */
  readonly rule?: string;
  /** For edges, the entity at the other end, if its document declares the edge. */
  readonly end?: Urn;
  readonly origin?: Origin;
  readonly values: readonly (Member | Scalar)[];
}

/** A facet's single value. */
export interface ScalarValue {
  readonly shape: "scalar";
  readonly value: Scalar;
  /** In live state, the value that the catalog shows if this one is unset, because ingestion wrote it. */
  readonly fallback?: Scalar;
  /** In live state, for a column, the other path that also stores values. */
  readonly alsoStoredAt?: string;
  /** In live state, all stored values, if there are several. `value` is then a text that equals no single value. */
  readonly several?: readonly Member[];
  /** In earlier declarations, the other values that were declared later, none of them `null`. */
  readonly since?: readonly Scalar[];
  readonly origin?: Origin;
  /** This value's mode, if it differs from the facet's mode. */
  readonly mode?: Mode;
  /** Whether a prune removes this value, because only base declares it. */
  readonly isPruned?: true;
  /** The declarations, if rules or several documents declare this value. */
  readonly by?: readonly Contribution[];
}

/** A facet's set in normal form: sorted by `memberKey`, each member once. Build it with `setOf`. */
export interface SetValue {
  readonly shape: "set";
  readonly members: readonly Member[];
  /** In live state, for a column, the other path that also stores values. */
  readonly alsoStoredAt?: string;
  readonly origin?: Origin;
  /** This value's mode, if it differs from the facet's mode. */
  readonly mode?: Mode;
  /** Whether a prune removes this value, because only base declares it. */
  readonly isPruned?: true;
  /** For edges that allow each member one group: the new group of each member that leaves. No mode keeps these members. */
  readonly leaving?: ReadonlyMap<Member, Urn>;
  /** The declarations, if rules or several documents declare this value. */
  readonly by?: readonly Contribution[];
}

/** A scalar or a set: the unit in which values are compared and changed. */
export type Leaf = ScalarValue | SetValue;

/** A value or another map for each key, such as a column. A key without an entry is not managed. */
export interface MapValue {
  readonly shape: "map";
  readonly entries: ReadonlyMap<string, FacetValue>;
}

export type FacetValue = Leaf | MapValue;

/** An entity's URN and kind, without its values. */
export interface EntityKey {
  readonly urn: Urn;
  readonly kind: KindName;
}

/** The modes that an entity's manifests set for its facets, even if another manifest declares the values. */
export interface OwnModes {
  readonly manage?: Modes;
  /** The positions that set these modes. */
  readonly modePlaces?: ReadonlyMap<string, Origin>;
}

/** An entity with its managed facets (desired) or the facets that were read (live). An absent facet is not managed. */
export interface Entity extends EntityKey, OwnModes {
  readonly facets: ReadonlyMap<string, FacetValue>;
  /** The position of the entity's first manifest. */
  readonly origin?: Origin;
}

/** The desired or the live entities. */
export type State = ReadonlyMap<Urn, Entity>;

/** Returns a state that builds an entity from its stored form at each access. */
export function stateFrom<Kept>(
  kept: ReadonlyMap<Urn, Kept>,
  entityFrom: (urn: Urn, kept: Kept) => Entity,
): State {
  return stateOver(new Map(), kept, entityFrom);
}

/** Returns a state that overlays entities on another state, and builds an entity from its stored form at each access. */
export function stateOver<Kept>(
  below: State,
  kept: ReadonlyMap<Urn, Kept>,
  entityFrom: (urn: Urn, kept: Kept) => Entity,
): State {
  function* added(): MapIterator<Urn> {
    for (const urn of kept.keys()) if (!below.has(urn)) yield urn;
  }
  function* keys(): MapIterator<Urn> {
    yield* below.keys();
    yield* added();
  }
  let { size } = below;
  for (const _ of added()) size += 1;
  return stateOf({ size, has: (urn) => kept.has(urn) || below.has(urn), keys }, (urn) => {
    const each = kept.get(urn);
    return each === undefined ? below.get(urn) : entityFrom(urn, each);
  });
}

/** A state's URNs. */
interface StateKeys {
  readonly size: number;
  readonly has: (urn: Urn) => boolean;
  readonly keys: () => MapIterator<Urn>;
}

function stateOf({ size, has, keys }: StateKeys, entityAt: (urn: Urn) => Entity | undefined): State {
  function* entries(): MapIterator<[Urn, Entity]> {
    for (const urn of keys()) {
      const entity = entityAt(urn);
      if (entity) yield [urn, entity];
    }
  }
  function* values(): MapIterator<Entity> {
    for (const [, entity] of entries()) yield entity;
  }
  const state: State = {
    size,
    has,
    get: entityAt,
    forEach: (visit) => {
      for (const [urn, entity] of entries()) visit(entity, urn, state);
    },
    keys,
    values,
    entries,
    [Symbol.iterator]: entries,
  };
  return state;
}

/** Returns a text that identifies a set member, and that sorts sets. A number differs from its digits as a text. */
export function memberKey(member: Member): string {
  return typeof member === "number" ? `\0${member}` : memberText(member);
}

/** Returns a member as a text. */
export function memberText(member: Member): string {
  return typeof member === "string" ? member : canonicalJson(member);
}

/** Whether a value can be an element of a set. */
export function isMember(value: Member | Scalar): value is Member {
  return typeof value !== "boolean" && value !== null;
}

/** Whether a value consists of fields. */
export function isFields(value: Member | Scalar): value is Fields {
  return typeof value === "object" && value !== null;
}

/** Whether two single values, or two elements of a set, are equal. The order of fields does not matter. */
export function isSameValue(one: Member | Scalar | undefined, other: Member | Scalar | undefined): boolean {
  if (one === other || typeof one !== "object" || typeof other !== "object") return one === other;
  return canonicalJson(one) === canonicalJson(other);
}

/** Makes a set in normal form. */
export function setOf(members: readonly Member[], origin?: Origin): SetValue {
  return { shape: "set", members: sorted(members), ...(origin && { origin }) };
}

function sorted(members: readonly Member[]): readonly Member[] {
  if (members.length < 2) return members;
  const keys = members.map(memberKey);
  if (keys.every((key, index) => index === 0 || compareText(keys[index - 1] ?? "", key) < 0)) return members;
  const byKey = new Map(members.map((member, index) => [keys[index] ?? "", member]));
  return [...byKey].toSorted(([a], [b]) => compareText(a, b)).map(([, member]) => member);
}

/** Makes a single value. */
export function scalarOf(value: Scalar, origin?: Origin): ScalarValue {
  return { shape: "scalar", value, ...(origin && { origin }) };
}

/** Makes an empty leaf with a shape. */
export function emptyLeaf(shape: Leaf["shape"]): Leaf {
  return shape === "set" ? setOf([]) : scalarOf(null);
}

/** Returns the members of `a` that are not in `b`, in the order of `a`. */
export function without(a: readonly Member[], b: readonly Member[]): readonly Member[] {
  if (a.length === 0 || b.length === 0) return a;
  const keys = new Set(b.map(memberKey));
  return a.filter((member) => !keys.has(memberKey(member)));
}

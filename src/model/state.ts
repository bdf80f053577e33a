/** Defines desired and live state: entities, keyed by URN, with the values of their facets. */

import { canonicalJson, compareText } from "./json.ts";
import type { Origin } from "./origin.ts";
import type { Mode, Modes } from "./settings.ts";
import type { Urn } from "./urn.ts";

/** The name of an entity kind, spelled as in manifests. Only `src/kinds` defines which kinds exist. */
export type KindName = string;

/** A value that has several fields, each a string or a number. An absent field is unset. */
export interface Fields {
  readonly [field: string]: string | number;
}

/** A single value; `null` means "unset". */
export type Scalar = string | number | boolean | Fields | null;

/** An element of a set: a URN, a string, a number, or several fields, such as an owner with an ownership type. */
export type Member = string | number | Fields;

/** One declaration that contributes to a value: a rule or a document. */
export interface Contribution {
  /** The rule's id; absent for a document. */
  readonly rule?: string;
  /** For an edge, the entity at the other end, if its document declares the edge. */
  readonly end?: Urn;
  readonly origin?: Origin;
  readonly values: readonly (Member | Scalar)[];
}

/** A single value of a facet. */
export interface ScalarValue {
  readonly shape: "scalar";
  readonly value: Scalar;
  /** In live state, the ingested value that the catalog shows if this value is unset. */
  readonly fallback?: Scalar;
  /** In live state, for a column, the second field path under which its values are stored, if there is one. */
  readonly alsoStoredAt?: string;
  /** In live state, all stored values, if there are several. `value` is then a string that does not equal any of them. */
  readonly several?: readonly Member[];
  /** In earlier declarations, the values that later commits declared for the same place. None of them is `null`. */
  readonly since?: readonly Scalar[];
  readonly origin?: Origin;
  /** The mode of this value, if it differs from the mode of the facet. */
  readonly mode?: Mode;
  /** Whether a prune removes this value because it is declared only in base. */
  readonly isPruned?: true;
  /** The individual declarations, if rules or several documents declare this value. */
  readonly by?: readonly Contribution[];
}

/** A set value of a facet in normal form: sorted by `memberKey`, without duplicates. Create it with `setOf`. */
export interface SetValue {
  readonly shape: "set";
  readonly members: readonly Member[];
  /** In live state, for a column, the second field path under which its values are stored, if there is one. */
  readonly alsoStoredAt?: string;
  readonly origin?: Origin;
  /** The mode of this value, if it differs from the mode of the facet. */
  readonly mode?: Mode;
  /** Whether a prune removes this value because it is declared only in base. */
  readonly isPruned?: true;
  /** For edges that allow only one group per member, the new group of each member that leaves. No mode can keep these members. */
  readonly leaving?: ReadonlyMap<Member, Urn>;
  /** The individual declarations, if rules or several documents declare this value. */
  readonly by?: readonly Contribution[];
}

/** A scalar or a set. Values are compared and changed as leaves. */
export type Leaf = ScalarValue | SetValue;

/** A value or a nested map for each key, such as a column. A key without an entry is not managed. */
export interface MapValue {
  readonly shape: "map";
  readonly entries: ReadonlyMap<string, FacetValue>;
}

export type FacetValue = Leaf | MapValue;

/** The URN and kind of an entity, without its values. */
export interface EntityKey {
  readonly urn: Urn;
  readonly kind: KindName;
}

/** The modes of an entity's facets, as set in its manifests. A different manifest may declare the values. */
export interface OwnModes {
  readonly manage?: Modes;
  /** The file positions at which these modes are set. */
  readonly modePlaces?: ReadonlyMap<string, Origin>;
}

/**
 * In desired state, an entity with its managed facets; in live state, an entity with the facets that were read. An absent facet
 * is not managed.
 */
export interface Entity extends EntityKey, OwnModes {
  readonly facets: ReadonlyMap<string, FacetValue>;
  /** The position of the first manifest for the entity. */
  readonly origin?: Origin;
}

/** All desired or all live entities, keyed by URN. */
export type State = ReadonlyMap<Urn, Entity>;

/** Creates a state that overlays entities on an existing state, and rebuilds each of them from its stored form on each access. */
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

/**
 * Returns a string that identifies a member and determines its position in a set. A number and the same digits as a string have
 * different keys.
 */
export function memberKey(member: Member): string {
  return typeof member === "number" ? `\0${member}` : memberText(member);
}

/** Returns a member as text. */
export function memberText(member: Member): string {
  return typeof member === "string" ? member : canonicalJson(member);
}

/** Whether a value can be a member of a set. */
export function isMember(value: Member | Scalar): value is Member {
  return typeof value !== "boolean" && value !== null;
}

/** Whether a value has several fields. */
export function isFields(value: Member | Scalar): value is Fields {
  return typeof value === "object" && value !== null;
}

/** Whether two single values, or two elements of a set, are equal. The order of fields does not matter. */
export function isSameValue(one: Member | Scalar | undefined, other: Member | Scalar | undefined): boolean {
  if (one === other || typeof one !== "object" || typeof other !== "object") return one === other;
  return canonicalJson(one) === canonicalJson(other);
}

/** Creates a set in normal form. */
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

/** Creates a single value. */
export function scalarOf(value: Scalar, origin?: Origin): ScalarValue {
  return { shape: "scalar", value, ...(origin && { origin }) };
}

/** Creates an empty leaf of the given shape. */
export function emptyLeaf(shape: Leaf["shape"]): Leaf {
  return shape === "set" ? setOf([]) : scalarOf(null);
}

/** Returns the members of `a` that are not in `b`, in the order of `a`. */
export function without(a: readonly Member[], b: readonly Member[]): readonly Member[] {
  if (a.length === 0 || b.length === 0) return a;
  const keys = new Set(b.map(memberKey));
  return a.filter((member) => !keys.has(memberKey(member)));
}

/** Desired and live state: entities by URN, with the values of their facets by shape. */

import { canonicalJson, compareText } from "./json.ts";
import type { Origin } from "./origin.ts";
import type { Mode, Modes } from "./settings.ts";
import type { Urn } from "./urn.ts";

/** The name of a kind of entity, as in a manifest. Only `src/kinds` knows the kinds. */
export type KindName = string;

/** A value with several fields, each a text or a number. An absent field is unset. */
export interface Fields {
  readonly [field: string]: string | number;
}

/** A single value; `null` is "unset". */
export type Scalar = string | number | boolean | Fields | null;

/** An element of a set: a URN, a text, a number, or fields such as an owner with its ownership type. */
export type Member = string | number | Fields;

/** The declaration of one value by a rule or a document. */
export interface Contribution {
  /** The id of the rule; absent for a document. */
  readonly rule?: string;
  /** For edges, the entity at the other end, if its document declares the edge. */
  readonly end?: Urn;
  readonly origin?: Origin;
  readonly values: readonly (Member | Scalar)[];
}

/** A single value of a facet. */
export interface ScalarValue {
  readonly shape: "scalar";
  readonly value: Scalar;
  /** In live state: the value that the catalog shows if this one is unset, because ingestion wrote it. */
  readonly fallback?: Scalar;
  /** In live state, for a column: the other path under which values are stored. */
  readonly alsoStoredAt?: string;
  /** In live state: all stored values, if there are several; `value` is a text of them, which equals no single value. */
  readonly several?: readonly Member[];
  /** In earlier declarations: the other values that were declared since, none of them `null`. */
  readonly since?: readonly Scalar[];
  readonly origin?: Origin;
  /** The mode of this value, if it differs from that of the facet. */
  readonly mode?: Mode;
  /** Whether a prune removes it, because only base declares it. */
  readonly isPruned?: true;
  /** The declarations, if rules or several documents declare it. */
  readonly by?: readonly Contribution[];
}

/** A set of a facet in normal form: sorted by `memberKey`, each member once. Build it with `setOf`. */
export interface SetValue {
  readonly shape: "set";
  readonly members: readonly Member[];
  /** In live state, for a column: the other path under which values are stored. */
  readonly alsoStoredAt?: string;
  readonly origin?: Origin;
  /** The mode of this value, if it differs from that of the facet. */
  readonly mode?: Mode;
  /** Whether a prune removes it, because only base declares it. */
  readonly isPruned?: true;
  /** For edges that allow one group for each member: the new group of each member that leaves. No mode keeps these members. */
  readonly leaving?: ReadonlyMap<Member, Urn>;
  /** The declarations, if rules or several documents declare it. */
  readonly by?: readonly Contribution[];
}

/** The unit of comparison and change. */
export type Leaf = ScalarValue | SetValue;

/** A value or another map for each key, such as a column. A key without an entry is not managed. */
export interface MapValue {
  readonly shape: "map";
  readonly entries: ReadonlyMap<string, FacetValue>;
}

export type FacetValue = Leaf | MapValue;

/** An entity by its URN and kind, without its values. */
export interface EntityKey {
  readonly urn: Urn;
  readonly kind: KindName;
}

/** The modes that the manifests of an entity set for its facets, even if another manifest declares the values. */
export interface OwnModes {
  readonly manage?: Modes;
  /** The places of these modes. */
  readonly modePlaces?: ReadonlyMap<string, Origin>;
}

/** An entity with its managed facets (desired) or the facets that were read (live). An absent facet is not managed. */
export interface Entity extends EntityKey, OwnModes {
  readonly facets: ReadonlyMap<string, FacetValue>;
  /** The place of its first manifest. */
  readonly origin?: Origin;
}

/** The desired or the live entities. */
export type State = ReadonlyMap<Urn, Entity>;

/** A state that builds each entity at each access, from its stored form. */
export function stateFrom<Kept>(
  kept: ReadonlyMap<Urn, Kept>,
  entityFrom: (urn: Urn, kept: Kept) => Entity,
): State {
  return stateOver(new Map(), kept, entityFrom);
}

/** A state that overlays entities on another state, and builds each of them at each access from its stored form. */
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

/** The URNs of a state. */
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

/** A text that identifies a member of a set, and that sorts sets. A number differs from the text of its digits. */
export function memberKey(member: Member): string {
  return typeof member === "number" ? `\0${member}` : memberText(member);
}

/** A member as a text. */
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

/** A set in normal form. */
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

/** A single value. */
export function scalarOf(value: Scalar, origin?: Origin): ScalarValue {
  return { shape: "scalar", value, ...(origin && { origin }) };
}

/** An empty leaf of a shape. */
export function emptyLeaf(shape: Leaf["shape"]): Leaf {
  return shape === "set" ? setOf([]) : scalarOf(null);
}

/** The members of `a` that are not in `b`, in the order of `a`. */
export function without(a: readonly Member[], b: readonly Member[]): readonly Member[] {
  if (a.length === 0 || b.length === 0) return a;
  const keys = new Set(b.map(memberKey));
  return a.filter((member) => !keys.has(memberKey(member)));
}

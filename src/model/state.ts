import { canonicalJson, compareText } from "./json.ts";
import type { Origin } from "./origin.ts";
import type { Mode, Modes } from "./settings.ts";
import type { Urn } from "./urn.ts";

/** The name of a kind of entity, as in a manifest. Which kinds there are is known to `src/kinds` alone. */
export type KindName = string;

/** A value of several fields, each a text or a number. A field that is absent is unset. */
export interface Fields {
  readonly [field: string]: string | number;
}

/** A single value; `null` is "unset". */
export type Scalar = string | number | boolean | Fields | null;

/** An element of a set: a URN, a text, a number, or fields such as an owner with its ownership type. */
export type Member = string | number | Fields;

/** What a rule, or a document, declares of one value. */
export interface Contribution {
  /** The id of the rule; absent for a document. */
  readonly rule?: string;
  /** Of edges, the entity at their other end, where a document of that one declares them. */
  readonly end?: Urn;
  readonly origin?: Origin;
  readonly values: readonly (Member | Scalar)[];
}

/** A single value of a facet. */
export interface ScalarValue {
  readonly shape: "scalar";
  readonly value: Scalar;
  /** In live state: what the catalog shows where there is no value, because ingestion wrote it. */
  readonly fallback?: Scalar;
  /** In live state, of a column: the other path under which values of it are stored. */
  readonly alsoStoredAt?: string;
  /** In live state: all values that are stored in the place of one; `value` is a text of them, which equals none. */
  readonly several?: readonly Member[];
  /** In what was declared before: the other values that were declared since, none of them `null`. */
  readonly since?: readonly Scalar[];
  readonly origin?: Origin;
  /** The mode of this value, where it is not that of the entity's facet. */
  readonly mode?: Mode;
  /** Whether only base declares it, and a prune takes it away. */
  readonly isPruned?: true;
  /** Who declares it, where rules or several documents do. */
  readonly by?: readonly Contribution[];
}

/** A set of a facet in normal form: sorted by `memberKey`, each member once. Made by `setOf`. */
export interface SetValue {
  readonly shape: "set";
  readonly members: readonly Member[];
  /** In live state, of a column: the other path under which values of it are stored. */
  readonly alsoStoredAt?: string;
  readonly origin?: Origin;
  /** The mode of this value, where it is not that of the entity's facet. */
  readonly mode?: Mode;
  /** Whether only base declares it, and a prune takes it away. */
  readonly isPruned?: true;
  /** Of edges, the members that join another group, where they can be in one: by member that group. No mode keeps them here. */
  readonly leaving?: ReadonlyMap<Member, Urn>;
  /** Who declares it, where rules or several documents do. */
  readonly by?: readonly Contribution[];
}

/** What is compared and changed by itself. */
export type Leaf = ScalarValue | SetValue;

/** A value for each key, such as a column, or another map below it. A key without an entry is not managed. */
export interface MapValue {
  readonly shape: "map";
  readonly entries: ReadonlyMap<string, FacetValue>;
}

export type FacetValue = Leaf | MapValue;

/** An entity with the facets that are managed (desired) or were read (live). An absent facet is not managed. */
export interface Entity {
  readonly urn: Urn;
  readonly kind: KindName;
  readonly facets: ReadonlyMap<string, FacetValue>;
  /** The modes that its own manifests give its facets, whichever of them declares the values. */
  readonly manage?: Modes;
  /** Where they do. */
  readonly modePlaces?: ReadonlyMap<string, Origin>;
  /** Where its first manifest is. */
  readonly origin?: Origin;
}

/** The desired or the live entities. */
export type State = ReadonlyMap<Urn, Entity>;

/** A state whose entities are made at each access, from what is kept of them. */
export function stateFrom<Kept>(
  kept: ReadonlyMap<Urn, Kept>,
  entityFrom: (urn: Urn, kept: Kept) => Entity,
): State {
  return stateOver(new Map(), kept, entityFrom);
}

/** A state with other entities over its own. They are made from what is kept of them at each access. */
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

function stateOf(
  { size, has, keys }: Pick<State, "size" | "has" | "keys">,
  entityAt: (urn: Urn) => Entity | undefined,
): State {
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

/** The text by which two members of a set are the same, and by which sets are sorted. A number is not the text of its digits. */
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

/** Whether two single values, or two elements of a set, are the same: of several fields, in whichever order they are. */
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

/** A leaf of a shape that has no value. */
export function blankLeaf(shape: Leaf["shape"]): Leaf {
  return shape === "set" ? setOf([]) : scalarOf(null);
}

/** The members of `a` that are not in `b`, in the order of `a`. */
export function without(a: readonly Member[], b: readonly Member[]): readonly Member[] {
  if (a.length === 0 || b.length === 0) return a;
  const keys = new Set(b.map(memberKey));
  return a.filter((member) => !keys.has(memberKey(member)));
}

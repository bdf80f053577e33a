import type { Place } from "../../model/place.ts";
import { facetNamed, memberships } from "../../facets/index.ts";
import { type FacetChange, isSetChange } from "../../model/change.ts";
import type { Json } from "../../model/json.ts";
import { type Member, memberKey, type Scalar } from "../../model/state.ts";
import { isUrn, type Urn } from "../../model/urn.ts";

/** What the manifests are to say of one facet of an entity, so that it is as the catalog holds it. */
export interface WantedValue extends Place {
  readonly urn: Urn;
  /** The changes that are not needed any more then. */
  readonly changes: readonly FacetChange[];
  /** The single value that the catalog holds, or the elements that it has and does not have. */
  readonly value: { readonly single: Scalar } | ElementsWanted;
}

/** Elements that a list is to gain and to lose. */
interface ElementsWanted {
  readonly add: readonly Member[];
  readonly remove: readonly Member[];
}

/**
 * What the manifests are to say instead of some changes: the other way round. A membership is said by the group, by its
 * user, or by both; memberships of users that are `created` are left to their creation.
 */
export function wantedBy(
  changes: readonly FacetChange[],
  created: ReadonlyMap<Urn, unknown>,
): readonly WantedValue[] {
  const wanted = new Map<string, WantedValue>();
  for (const each of changes.flatMap((change) => wantedInstead(change, created))) {
    const key = JSON.stringify([each.urn, each.facet, each.path]);
    const before = wanted.get(key);
    wanted.set(key, before ? together(before, each) : each);
  }
  return [...wanted.values()];
}

function wantedInstead(change: FacetChange, created: ReadonlyMap<Urn, unknown>): readonly WantedValue[] {
  const { urn, facet, path } = change;
  const about = { urn, facet, ...(path && { path }), changes: [change] };
  if (!isSetChange(change)) return [{ ...about, value: { single: change.before } }];
  const isEdge = facet === memberships.facet;
  const remove = isEdge ? change.add.filter((user) => !isUrn(user) || !created.has(user)) : change.add;
  const own: WantedValue = { ...about, value: { add: change.remove, remove } };
  if (!isEdge) return [own];
  if (change.remove.length + remove.length === 0) return [];
  const ofUser = (user: Member, value: ElementsWanted): readonly WantedValue[] =>
    isUrn(user) ? [{ urn: user, facet: memberships.inverse, changes: [change], value }] : [];
  return [
    own,
    ...change.remove.flatMap((user) => ofUser(user, { add: [urn], remove: [] })),
    ...remove.flatMap((user) => ofUser(user, { add: [], remove: [urn] })),
  ];
}

function together(a: WantedValue, b: WantedValue): WantedValue {
  if ("single" in a.value || "single" in b.value) return b;
  const add = [...a.value.add, ...b.value.add];
  const remove = [...a.value.remove, ...b.value.remove];
  return { ...a, changes: [...a.changes, ...b.changes], value: { add, remove } };
}

/** Whether a facet can stand in a manifest. */
export function isDeclarable({ facet }: FacetChange): boolean {
  return facetNamed(facet).schema !== undefined;
}

/** The text by which two written elements of a facet are the same; `undefined` for what it does not take. */
export function elementKeyOf(facet: string): (written: Json) => string | undefined {
  const parser = facetNamed(facet);
  return (written) => {
    const parsed = parser.parse(written);
    if (!("value" in parsed)) return undefined;
    const { value } = parsed;
    return typeof value === "string" || (typeof value === "object" && value !== null)
      ? memberKey(value)
      : undefined;
  };
}

/** Corrects the references that the index reports for deleted entities, using the values that were read by URN. */

import { type EdgesOfMembers, facetsOf } from "../../facets/index.ts";
import { isDefinitionKind, kindOf } from "../../kinds/index.ts";
import { groupBy } from "../../model/group-by.ts";
import type { LiveValues, Deletable, Referring } from "../../model/live.ts";
import type { Memberships } from "../../model/membership.ts";
import { leavesOf } from "../../model/place.ts";
import type { EntityKey, Entity } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { textsIn } from "../base/values.ts";
import { valuesOf } from "../../model/values.ts";

/** Adds references that the index lacks. Marks a reference as stale if the index lists it but a read by URN did not find it. */
export function withReferencesRead(
  deletable: ReadonlyMap<Urn, Deletable>,
  entities: readonly EntityKey[],
  live: LiveValues,
): ReadonlyMap<Urn, Deletable> {
  const kinds = new Map(entities.map(({ urn, kind }) => [urn as string, kind]));
  const { references, places } = referencesIn(live, kinds);
  return new Map(
    [...deletable].map(([urn, found]) => {
      const read = references.get(urn) ?? new Map<string, Referring>();
      const indexed = new Set(found.referring.map(keyOf));
      const missed = [...read].flatMap(([key, edge]) => (indexed.has(key) ? [] : [edge]));
      const isStale = (edge: Referring): boolean =>
        assigns(kinds.get(urn), edge.type) && places.has(keyOf(edge)) && !read.has(keyOf(edge));
      return [urn, corrected(found, missed, found.referring.filter(isStale))];
    }),
  );
}

/** Adds group members that the index lacks, and marks indexed members as stale if a read did not find them. */
export function withMembersRead(
  found: Deletable,
  group: Urn,
  { storedByMembers: { relationships } }: EdgesOfMembers,
  { groupsOf }: Memberships,
): Deletable {
  const isShown = (member: Urn): boolean =>
    found.referring.some(({ type, urn }) => urn === member && relationships.includes(type));
  const missed = [...groupsOf].flatMap(([urn, groups]): readonly Referring[] => {
    // The tool adds users only to native groups. The relationship for native groups is the last in the list.
    const type = relationships.at(-1);
    return type !== undefined && groups.has(group) && !isShown(urn) ? [{ type, urn }] : [];
  });
  const stale = found.referring.filter(
    ({ type, urn }) => relationships.includes(type) && urn && groupsOf.get(urn)?.has(group) === false,
  );
  return corrected(found, missed, stale);
}

/**
 * Adds missed references and marks stale references. If there are too many references to count, nothing changes, because the
 * server itself then removes the references.
 */
function corrected(found: Deletable, missed: readonly Referring[], stale: readonly Referring[]): Deletable {
  const { referring, assignments } = found;
  if (assignments === undefined || missed.length + stale.length === 0) return found;
  const known = new Set(found.stale);
  const fresh = stale.filter((edge) => !known.has(edge));
  return {
    ...found,
    referring: [...referring, ...missed],
    ...(known.size + fresh.length > 0 && { stale: [...known, ...fresh] }),
    assignments: Math.max(0, assignments + missed.length - fresh.length),
  };
}

interface References {
  /** The references, keyed by referenced entity and then by reference key. */
  readonly references: ReadonlyMap<string, ReadonlyMap<string, Referring>>;
  /**
   * The keys of all relationships that were read completely. A reference with such a key is stale if the read did not find it.
   */
  readonly places: ReadonlySet<string>;
}

/** Returns the references to deleted entities in all entities that were read. */
function referencesIn(
  { state, softDeleted = new Map(), dormant = new Map(), several = [] }: LiveValues,
  kindsOfDeleted: ReadonlyMap<string, string>,
): References {
  const references = new Map<string, Map<string, Referring>>();
  const places = new Set<string>();
  const alsoStored = groupBy(several, ({ urn }) => urn);
  const readFrom = ({ urn, kind, facets }: Entity): void => {
    for (const { name, relationship: type } of facetsOf(kind)) {
      const value = facets.get(name);
      if (type === undefined || !value) continue;
      const key = keyOf({ type, urn });
      // Definitions are excluded, because they also have relationships of the same type in other aspects, such as
      // `CorpGroupInfo.admins`.
      if (!isDefinitionKind(kind)) places.add(key);
      const stored = (alsoStored.get(urn) ?? []).filter(({ facet }) => facet === name);
      const shown = leavesOf(value).flatMap(([, leaf]) => valuesOf(leaf));
      for (const to of [...shown, ...stored.flatMap((each) => each.values)].flatMap(textsIn)) {
        if (!assigns(kindsOfDeleted.get(to), type)) continue;
        references.set(to, (references.get(to) ?? new Map<string, Referring>()).set(key, { type, urn }));
      }
    }
  };
  for (const holders of [state, softDeleted, dormant])
    for (const holder of holders.values()) readFrom(holder);
  return { references, places };
}

/** Whether assignments use a relationship to refer to entities of a kind. */
function assigns(kind: string | undefined, type: string): boolean {
  return kind !== undefined && kindOf(kind).deletion?.relationships.includes(type) === true;
}

function keyOf({ type, urn }: Referring): string {
  return `${type} ${urn}`;
}

/** Reads facets that are stored at the other end of an edge, such as an asset's data products. */

import {
  edgesOfMembers,
  edgeSetOfInverse,
  type EdgesOfMembers,
  isStoredByMembers,
} from "../../facets/index.ts";
import type { Facet } from "../../facets/facet.ts";
import type { Memberships } from "../../model/membership.ts";
import { type Entity, type FacetValue, setOf } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { membersByGroup } from "../../plan/base/group-lists.ts";
import type { Reader } from "../../datahub/client.ts";
import { readAllGroups } from "../read/group-members.ts";
import { readGroupsOf, readMembersOf } from "../read/memberships.ts";
import type { ReadOptions } from "../read/read-batches.ts";

/** Reads facets that are stored at the other end of their edges. Leaves out facets that could not be read. */
export type OtherEndsReader = (
  facets: readonly Facet[],
  urns: readonly Urn[],
) => Promise<ReadonlyMap<Urn, Entity["facets"]>>;

type ValuesOf = (urn: Urn) => Iterable<Urn> | undefined;

/**
 * Creates a reader that reads each group with stored members, such as a data product, only once. Throws `CatalogError` if a
 * request fails or a page of these groups cannot be read.
 */
export function otherEndsReader(reader: Reader, { signal, batch }: ReadOptions): OtherEndsReader {
  const options = { signal, batch };
  const known = new Map<string, Promise<Memberships>>();
  const valuesOf = async (facet: string, urns: readonly Urn[]): Promise<ValuesOf> => {
    const own = edgesOfMembers.find((edges) => edges.facet === facet);
    if (own) return await membersOf(own, urns);
    const edges = edgeSetOfInverse(facet);
    if (!edges) throw new Error(`${facet} is not stored at the other end of edges`);
    if (isStoredByMembers(edges)) {
      const { groupsOf } = await readGroupsOf(reader, edges, urns, options);
      return (urn) => groupsOf.get(urn);
    }
    const reading = known.get(facet) ?? readAllGroups(reader, edges, options);
    known.set(facet, reading);
    const { groupsOf, unreadable } = await reading;
    // An unreadable group may contain any entity.
    return (urn) => (unreadable.size > 0 ? undefined : (groupsOf.get(urn) ?? []));
  };
  return async (facets, urns) => {
    const found = await Promise.all(
      facets.map(async ({ name }) => [name, await valuesOf(name, urns)] as const),
    );
    return new Map(
      urns.map((urn) => [
        urn,
        new Map(
          found.flatMap(([name, of]): readonly (readonly [string, FacetValue])[] => {
            const values = of(urn);
            return values ? [[name, setOf([...values])]] : [];
          }),
        ),
      ]),
    );
  };

  /** Reads group members from the index, and verifies them against the members' own aspects, because the index may lag. */
  async function membersOf(edges: EdgesOfMembers, groups: readonly Urn[]): Promise<ValuesOf> {
    const named = new Map(await readMembersOf(reader, edges, groups, options));
    const members = [...named.values()].flatMap((found) => (typeof found === "string" ? [] : found));
    const { groupsOf, unreadable } = await readGroupsOf(reader, edges, [...new Set(members)], options);
    const confirmed = membersByGroup(groupsOf);
    return (group) => {
      const found = named.get(group) ?? "";
      if (typeof found === "string" || found.some((member) => unreadable.has(member))) return undefined;
      return confirmed.get(group) ?? [];
    };
  }
}

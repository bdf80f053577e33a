/** Reads the memberships of groups. Either the groups or the members store them. */

import { type EdgeSet, edgeSets, isStoredByMembers } from "../../facets/index.ts";
import type { KnownEdges, Memberships } from "../../model/membership.ts";
import type { State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import type { Reader } from "../../datahub/client.ts";
import { readAllGroups, readFromGroups } from "./group-members.ts";
import { type MembershipOptions, readFromMembers, readGroupsOf } from "./memberships.ts";
import type { ReadOptions } from "./read-batches.ts";

/** Reads all edges that a plan for `desired` needs to compare. Throws `CatalogError` if the groups cannot be listed. */
export async function readEdges(
  reader: Reader,
  desired: State,
  options: MembershipOptions = {},
): Promise<KnownEdges> {
  const known = edgeSets.map(async (edges): Promise<readonly [string, Memberships]> => [
    edges.facet,
    isStoredByMembers(edges)
      ? await readFromMembers(reader, edges, desired, options)
      : await readFromGroups(reader, edges, desired, options),
  ]);
  return new Map(await Promise.all(known));
}

/** Reads a member's groups. */
export async function readGroupsOfMember(
  reader: Reader,
  edges: EdgeSet,
  member: Urn,
  options: ReadOptions,
): Promise<readonly Urn[]> {
  const { groupsOf } = isStoredByMembers(edges)
    ? await readGroupsOf(reader, edges, [member], options)
    : await readAllGroups(reader, edges, options);
  return [...(groupsOf.get(member) ?? [])];
}

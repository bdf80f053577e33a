import { type EdgeSet, edgeSets, isOfMembers } from "../../facets/index.ts";
import type { KnownEdges, Memberships } from "../../model/membership.ts";
import type { State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import type { Reader } from "../../datahub/client.ts";
import { readAllGroups, readFromGroups } from "./group-members.ts";
import { type MembershipOptions, readFromMembers, readGroupsOf } from "./memberships.ts";
import type { ReadOptions } from "./read-batches.ts";

/** The edges that a plan of `desired` compares with, by set. Throws `CatalogError` where groups cannot be discovered. */
export async function readEdges(
  reader: Reader,
  desired: State,
  options: MembershipOptions = {},
): Promise<KnownEdges> {
  const known = edgeSets.map(async (edges): Promise<readonly [string, Memberships]> => [
    edges.facet,
    isOfMembers(edges)
      ? await readFromMembers(reader, edges, desired, options)
      : await readFromGroups(reader, edges, desired, options),
  ]);
  return new Map(await Promise.all(known));
}

/** The groups that a member is in. */
export async function readGroupsOfMember(
  reader: Reader,
  edges: EdgeSet,
  member: Urn,
  options: ReadOptions,
): Promise<readonly Urn[]> {
  const { groupsOf } = isOfMembers(edges)
    ? await readGroupsOf(reader, edges, [member], options)
    : await readAllGroups(reader, edges, options);
  return [...(groupsOf.get(member) ?? [])];
}

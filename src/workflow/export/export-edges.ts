/** Adds members to exported groups, including memberships that are stored only on the members. */

import { discover } from "../../sync/read/discover.ts";
import { readFromMembers, readGroupsOf } from "../../sync/read/memberships.ts";
import { type EdgesOfMembers, edgesOfMembers } from "../../facets/index.ts";
import { appendTo } from "../../model/append.ts";
import { type Entity, setOf } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import type { DiscoveryContext } from "./export-discovery.ts";

/**
 * Adds the members of each exported group. Reads every possible member, because the index may lag and an apply would remove
 * members that are missing from the manifest.
 */
export async function withEdges(
  context: DiscoveryContext,
  entities: readonly Entity[],
): Promise<readonly Entity[]> {
  let all = entities;
  for (const edges of edgesOfMembers) all = await withMembers(context, edges, all);
  return all;
}

async function withMembers(
  { reader, scope, sink, signal }: DiscoveryContext,
  edges: EdgesOfMembers,
  entities: readonly Entity[],
): Promise<readonly Entity[]> {
  const { facet, kind, inverseKinds } = edges;
  const groups = entities.filter((entity) => entity.kind === kind.name);
  if (groups.length === 0 || (scope.facets && !scope.facets.has(facet))) return entities;
  const wanted = new Map(
    groups.map(({ urn }) => [urn, { urn, kind: kind.name, facets: new Map([[facet, setOf([])]]) }]),
  );
  const { groupsOf, external, unreadable } = await readFromMembers(reader, edges, wanted, { signal });
  const others: Urn[] = [];
  for (const inverseKind of inverseKinds) {
    for await (const { urns } of discover(reader, { kind: inverseKind }, signal)) {
      appendTo(
        others,
        urns.filter((member) => !groupsOf.has(member) && !unreadable.has(member)),
      );
    }
  }
  const more = await readGroupsOf(reader, edges, others, { signal });
  for (const [urn, error] of [...unreadable, ...more.unreadable]) sink.unreadable(urn, error);
  const members = new Map<Urn, Urn[]>(groups.map(({ urn }) => [urn, []]));
  for (const [member, ownGroups] of [...groupsOf, ...more.groupsOf])
    for (const group of ownGroups) members.get(group)?.push(member);
  return entities.map((entity) => {
    const own = members.get(entity.urn) ?? [];
    if (own.length === 0) return entity;
    if (external.has(entity.urn)) {
      sink.leaveOut(entity.urn, "external", facet);
      return entity;
    }
    return { ...entity, facets: new Map([...entity.facets, [facet, setOf(own)]]) };
  });
}

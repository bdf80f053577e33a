import { discover } from "../run/read/discover.ts";
import { readGroupsOf, readMemberships } from "../run/read/memberships.ts";
import { memberships } from "../facets/index.ts";
import { appendTo } from "../model/append.ts";
import { type Entity, setOf } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";
import type { DiscoveryContext } from "./export-discovery.ts";

/** Entities with their members. Every user is read, because the index may lag, and a member left out would be removed by an apply. */
export async function withEdges(
  context: DiscoveryContext,
  entities: readonly Entity[],
): Promise<readonly Entity[]> {
  const { reader, scope, sink, signal } = context;
  const { facet, kind, inverseKind } = memberships;
  const groups = entities.filter((entity) => entity.kind === kind.name);
  if (groups.length === 0 || (scope.facets && !scope.facets.has(facet))) return entities;
  const options = signal ? { signal } : {};
  const asked = new Map(
    groups.map(({ urn }) => [urn, { urn, kind: kind.name, facets: new Map([[facet, setOf([])]]) }]),
  );
  const { groupsOf, external, unreadable } = await readMemberships(reader, asked, options);
  const others: Urn[] = [];
  for await (const { urns } of discover(reader, { kind: inverseKind }, signal)) {
    appendTo(
      others,
      urns.filter((user) => !groupsOf.has(user) && !unreadable.has(user)),
    );
  }
  const more = await readGroupsOf(reader, others, options);
  for (const [urn, error] of [...unreadable, ...more.unreadable]) sink.unreadable(urn, error);
  const members = new Map<Urn, Urn[]>(groups.map(({ urn }) => [urn, []]));
  for (const [user, its] of [...groupsOf, ...more.groupsOf])
    for (const group of its) members.get(group)?.push(user);
  return entities.map((entity) => {
    const users = members.get(entity.urn) ?? [];
    if (users.length === 0) return entity;
    if (external.has(entity.urn)) {
      sink.leaveOut(entity.urn, "external", facet);
      return entity;
    }
    return { ...entity, facets: new Map([...entity.facets, [facet, setOf(users)]]) };
  });
}

import type { DeclaredGroups, Memberships } from "../model/membership.ts";
import type { Unmanaged } from "../model/plan.ts";
import type { Problem } from "../model/problem.ts";
import { type Entity, type Member, setOf, type SetValue, type State, without } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";

/** Both states with the members of every group that is managed from one side or the other. */
export interface WithMembers {
  readonly desired: State;
  readonly live: State;
  readonly problems: readonly Problem[];
  readonly unmanaged: readonly Unmanaged[];
}

/**
 * Memberships are one set of edges, whichever side declares them: they become the facet `members` of the group. A
 * group that lists its members manages all of them; a user that lists groups manages its own edges in every group.
 */
export function withMembers(
  desired: State,
  live: State,
  declared: ReadonlyMap<Urn, DeclaredGroups>,
  known: Memberships,
): WithMembers {
  const result = {
    desired: new Map(desired),
    live: new Map(live),
    problems: [] as Problem[],
    unmanaged: [] as Unmanaged[],
  };
  for (const group of groupsToManage(desired, declared, known)) {
    const edges = edgesOf(group, desired, declared, known);
    const problem = problemOf(group, edges, desired, known);
    if (problem) result.problems.push(problem);
    if (known.external.has(group)) result.unmanaged.push(...externalEdges(group, edges));
    if (problem || known.external.has(group)) dropMembers(result.desired, group);
    else place(result, group, edges);
  }
  result.problems.push(...unreadableUsers(desired, declared, known));
  return result;
}

interface Edges {
  readonly live: SetValue;
  readonly want: SetValue;
  /** Users that list their groups and are in this one, now or then. */
  readonly self: readonly Urn[];
}

function groupsToManage(
  desired: State,
  declared: ReadonlyMap<Urn, DeclaredGroups>,
  known: Memberships,
): ReadonlySet<Urn> {
  const groups = new Set<Urn>();
  for (const entity of desired.values()) if (entity.facets.has("members")) groups.add(entity.urn);
  for (const [user, list] of declared) {
    for (const group of list.groups) groups.add(group);
    for (const group of known.groupsOf.get(user) ?? []) groups.add(group);
  }
  return groups;
}

function edgesOf(
  group: Urn,
  desired: State,
  declared: ReadonlyMap<Urn, DeclaredGroups>,
  known: Memberships,
): Edges {
  const live = [...known.groupsOf].flatMap(([user, groups]) => (groups.has(group) ? [user] : []));
  const selfWanted = [...declared].flatMap(([user, { groups }]) => (groups.has(group) ? [user] : []));
  const listed = desired.get(group)?.facets.get("members");
  const base: readonly Member[] =
    listed?.shape === "set" ? listed.members : live.filter((user) => !declared.has(user));
  const isKnown = (user: Member): boolean => !known.unreadable.has(user as Urn);
  const want = setOf([...base, ...selfWanted].filter(isKnown));
  const self = [...new Set([...selfWanted, ...live.filter((user) => declared.has(user))])].toSorted();
  const before = setOf(live.filter(isKnown));
  const cause = self.find((user) =>
    [...without(want.members, before.members), ...without(before.members, want.members)].includes(user),
  );
  const origin = listed?.shape === "set" ? listed.origin : cause && declared.get(cause)?.origin;
  return { live: before, want: { ...want, ...(origin && { origin }) }, self };
}

function problemOf(
  group: Urn,
  { want, live, self }: Edges,
  desired: State,
  known: Memberships,
): Problem | undefined {
  const listed = desired.get(group)?.facets.get("members");
  const at = listed?.shape === "set" && listed.origin ? { origin: listed.origin } : {};
  const error = known.unreadable.get(group);
  if (error !== undefined && listed)
    return { code: "read-failed", severity: "error", args: { urn: group, error }, ...at };
  if (!known.external.has(group)) return undefined;
  if (listed) return { code: "external-group", severity: "error", args: { urn: group }, ...at };
  const added = without(want.members, live.members).filter((user) => self.includes(user as Urn));
  if (added.length === 0) return undefined;
  const users = added.map(String);
  return {
    code: "external-membership",
    severity: "warning",
    args: { urn: group, users },
    ...(want.origin && { origin: want.origin }),
  };
}

function externalEdges(group: Urn, { live, self }: Edges): readonly Unmanaged[] {
  return self
    .filter((user) => live.members.includes(user))
    .map((value) => ({ urn: group, kind: "Group", facet: "members", value, reason: "external" }));
}

function dropMembers(desired: Map<Urn, Entity>, group: Urn): void {
  const entity = desired.get(group);
  if (!entity?.facets.has("members")) return;
  const facets = new Map(entity.facets);
  facets.delete("members");
  desired.set(group, { ...entity, facets });
}

// A group that only users name stands in no manifest: it joins both states where an edge of it changes.
function place(
  { desired, live }: { readonly desired: Map<Urn, Entity>; readonly live: Map<Urn, Entity> },
  group: Urn,
  edges: Edges,
): void {
  const declared = desired.get(group);
  const there = live.get(group);
  if (!declared) {
    const same =
      without(edges.want.members, edges.live.members).length +
        without(edges.live.members, edges.want.members).length ===
      0;
    if (same) return;
    desired.set(group, { urn: group, kind: "Group", facets: new Map([["members", edges.want]]) });
    live.set(group, { urn: group, kind: "Group", facets: new Map([["members", edges.live]]) });
    return;
  }
  desired.set(group, { ...declared, facets: new Map([...declared.facets, ["members", edges.want]]) });
  if (there) live.set(group, { ...there, facets: new Map([...there.facets, ["members", edges.live]]) });
}

function unreadableUsers(
  desired: State,
  declared: ReadonlyMap<Urn, DeclaredGroups>,
  known: Memberships,
): readonly Problem[] {
  return [...known.unreadable].flatMap(([urn, error]): readonly Problem[] => {
    const origin = declared.get(urn)?.origin ?? desired.get(urn)?.origin;
    if (desired.get(urn)?.kind === "Group") return [];
    return [{ code: "read-failed", severity: "error", args: { urn, error }, ...(origin && { origin }) }];
  });
}

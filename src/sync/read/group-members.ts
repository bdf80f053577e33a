/** Reads memberships that groups store, such as the assets of a data product. */

import type { EdgeSet } from "../../facets/index.ts";
import { isAssetType } from "../../kinds/index.ts";
import { type Memberships, noMemberships } from "../../model/membership.ts";
import type { Entity, State } from "../../model/state.ts";
import { entityTypeOf, type Urn } from "../../model/urn.ts";
import { setAt } from "../../plan/base/values.ts";
import { groupListsIn, urnsOf, withEdgesAtGroups } from "../../plan/base/group-lists.ts";
import { definitionsIn } from "../../plan/base/definitions.ts";
import type { Reader } from "../../datahub/client.ts";
import { discover } from "./discover.ts";
import { entityToRead, stateOf } from "./entities-to-read.ts";
import { readExistence } from "./existence.ts";
import { readFeatureFlag } from "./capabilities.ts";
import { readLive } from "./live-state.ts";
import type { MembershipOptions } from "./memberships.ts";
import type { ReadOptions } from "./read-batches.ts";

/**
 * Reads the members of groups that store their members. These are the groups that are or were declared, either in their own
 * manifests or in their members' lists. If members list their groups, reads all groups, because any group may contain these
 * members. Finds groups in the index, which may lag, and reads the members from the groups' own aspects. Only a group that is a
 * few seconds old and that no manifest refers to can therefore be missed. Throws `CatalogError` if a page of groups cannot be
 * read.
 */
export async function readFromGroups(
  reader: Reader,
  edges: EdgeSet,
  desired: State,
  { declared = desired, before = new Map(), looked, ...options }: MembershipOptions = {},
): Promise<Memberships> {
  const wasRead = (urn: Urn): boolean => looked === undefined || looked.has(urn);
  const states: readonly State[] = [desired, before];
  const lists = states.flatMap((state) => [...groupListsIn(state, edges)]);
  const listing = lists.filter(([member]) => wasRead(member));
  const declaring = states.flatMap((state) => [...definitionsIn(state).values()].filter(isRead));
  const groups = [
    ...declaring.map(({ urn }) => urn),
    ...lists.flatMap(([, list]) => urnsOf(list)).filter(wasRead),
    ...listing.flatMap(([, list]) => urnsOf(list)),
  ];
  if (listing.length + groups.length === 0) return noMemberships;
  const isExclusive = await isExclusiveOn(reader, edges, options.signal);
  const known =
    isExclusive || listing.length > 0
      ? await readAllGroups(reader, edges, options, groups)
      : await readGroups(reader, edges, groups, options);
  const joining = [...withEdgesAtGroups(declared)].flatMap(([group, entity]) =>
    urnsOf(setAt(entity, edges.facet)).filter(
      (member) => (wasRead(group) || wasRead(member)) && known.groupsOf.get(member)?.has(group) !== true,
    ),
  );
  return { ...known, isExclusive, ...(await readAbsent(reader, joining, { ...options, declared, known })) };

  function isRead({ urn, kind, facets }: Entity): boolean {
    return kind === edges.kind.name && (looked === undefined ? facets.has(edges.facet) : looked.has(urn));
  }
}

/** Members that do not exist, and members and groups that could not be read. */
interface AbsentMembers {
  readonly absent: ReadonlySet<Urn>;
  readonly unreadable: ReadonlyMap<Urn, string>;
}

/**
 * Finds the declared assets that do not exist or could not be read. Assets that are declared only as group members are covered by
 * the reference check.
 */
async function readAbsent(
  reader: Reader,
  members: readonly Urn[],
  { declared, known, ...options }: ReadOptions & { readonly declared: State; readonly known: Memberships },
): Promise<AbsentMembers> {
  const assets = new Set(members.filter((urn) => isAssetType(entityTypeOf(urn))));
  const [absent, unreadable] = [new Set<Urn>(), new Map(known.unreadable)];
  for (const [urn, existence] of await readExistence(reader, [...assets], options)) {
    if (existence.status === "present") continue;
    if (existence.status !== "unreadable") absent.add(urn);
    else if (declared.has(urn)) unreadable.set(urn, existence.error);
  }
  return { absent, unreadable };
}

/** Whether a member can belong to only one group on this server. If this is unknown, nothing is removed from a group. */
export async function isExclusiveOn(
  reader: Reader,
  { exclusive }: EdgeSet,
  signal?: AbortSignal,
): Promise<boolean> {
  return exclusive !== undefined && (await readFeatureFlag(reader, exclusive.unless, signal)) === false;
}

/** Reads the members of all groups that the index contains, and of the groups in `others`. */
export async function readAllGroups(
  reader: Reader,
  edges: EdgeSet,
  options: ReadOptions,
  others: readonly Urn[] = [],
): Promise<Memberships> {
  const groups = new Set(others);
  for await (const { urns } of discover(reader, { kind: edges.kind }, options.signal))
    for (const urn of urns) groups.add(urn);
  return await readGroups(reader, edges, [...groups], options);
}

async function readGroups(
  reader: Reader,
  { facet }: EdgeSet,
  groups: readonly Urn[],
  options: ReadOptions,
): Promise<Memberships> {
  // Definitions are read with all their facets, so no facet needs to be requested.
  const wanted = stateOf(groups.flatMap((urn) => entityToRead(urn, () => [])));
  const { state, missing, unreadable } = await readLive(reader, wanted, options);
  const groupsOf = new Map<Urn, Set<Urn>>();
  for (const [group, entity] of state) {
    for (const member of urnsOf(setAt(entity, facet)))
      groupsOf.set(member, (groupsOf.get(member) ?? new Set()).add(group));
  }
  return { ...noMemberships, groupsOf, missing: new Set(missing.keys()), unreadable };
}

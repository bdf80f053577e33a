/** Reads memberships that members store, such as a user's groups. */

import { definitionsIn } from "../../plan/base/definitions.ts";
import type { EdgesOfMembers } from "../../facets/index.ts";
import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { type MemberGroups, type Memberships, noMemberships } from "../../model/membership.ts";
import type { Entity, State } from "../../model/state.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { setAt } from "../../plan/base/values.ts";
import { groupListsIn, urnsOf, withEdgesAtGroups } from "../../plan/base/group-lists.ts";
import type { Reader } from "../../datahub/client.ts";
import { rawAspects, rawAspectsIn } from "./entities-document.ts";
import { foundUrn } from "./found-urn.ts";
import { questionOf } from "./question.ts";
import { readBatches, type ReadOptions } from "./read-batches.ts";
import type { Reading } from "./readings.ts";
import { mapConcurrently } from "./map-concurrently.ts";

const page = 500;

/** Builds the query for a group's members in the index. The index may lag, so callers check the members' own aspects. */
export function membersDocument({ storedByMembers: { query, relationships } }: EdgesOfMembers): string {
  return `query ReadMembers($urn: String!, $start: Int!, $count: Int!) {
  ${query}(urn: $urn) {
    relationships(input: { types: ${JSON.stringify(relationships)}, direction: INCOMING, start: $start, count: $count }) {
      total relationships { entity { urn } }
    }
  }
}`;
}

/** Builds the query for the groups of members, and for the origin of groups. */
export function membershipsDocument({ kind, inverseKinds, storedByMembers }: EdgesOfMembers): string {
  const lists = rawAspects(storedByMembers.lists.map(({ aspect }) => aspect));
  return `query ReadMemberships($urns: [String!]!) {
  entities(urns: $urns) {
    urn
    ${inverseKinds.map(({ typename }) => `... on ${typename} { ${lists} }`).join(" ")}
    ... on ${kind.typename} { exists ${rawAspects([storedByMembers.originAspect])} }
  }
}`;
}

export interface MembershipOptions extends ReadOptions {
  /** The current declarations, if they contain more than the entities to read. */
  readonly declared?: State;
  /** Earlier declarations, whose members are also read. */
  readonly before?: State | undefined;
  /** The groups and members whose edges are needed. The default is all groups and members. */
  readonly looked?: ReadonlySet<Urn> | undefined;
}

/**
 * Reads the members of managed groups from each member's aspects (reference: corp_group_members.go of the Terraform provider).
 * These are the members that are or were declared, on their own or in groups, and the members in the index. The index may lag by
 * a few seconds, so only a member that no manifest refers to can be missed. Members that cannot be read are `unreadable`, never
 * missing.
 */
export async function readFromMembers(
  reader: Reader,
  edges: EdgesOfMembers,
  desired: State,
  { before = new Map(), looked, ...options }: MembershipOptions = {},
): Promise<Memberships> {
  const wasRead = (urn: Urn): boolean => looked === undefined || looked.has(urn);
  const { facet, kind } = edges;
  const { originAspect } = edges.storedByMembers;
  const listing = groupListsIn(desired, edges);
  const declared = new Map([...listing].filter(([member]) => wasRead(member)));
  // A selected group may have members outside the selection that list their own groups.
  const isRead = ({ urn, kind: ownKind, facets }: Entity): boolean =>
    looked === undefined ? facets.has(facet) : ownKind === kind.name && looked.has(urn);
  const listed = [...definitionsIn(desired).values()].filter(isRead).map(({ urn }) => urn);
  if (listed.length + declared.size === 0) return { ...noMemberships };
  // If no group declares its members, the edges are declared by members that list their groups. These members are already known.
  const isNamed = (entity: Entity): boolean =>
    listed.length > 0 || (entity.kind === kind.name && wasRead(entity.urn));
  const named = [desired, before].flatMap((state) => membersIn(state, edges, isNamed));
  const members = new Set<Urn>([...declared.keys(), ...named]);
  const unreadable = new Map<Urn, string>();
  for (const [group, found] of await readMembersOf(reader, edges, listed, options)) {
    if (typeof found === "string") unreadable.set(group, found);
    else for (const member of found) members.add(member);
  }
  const { groupsOf, unreadable: unread } = await readGroupsOf(reader, edges, [...members], options);
  for (const [member, error] of unread) unreadable.set(member, error);
  const groups = new Set<Urn>(listed);
  for (const [member, list] of declared) {
    for (const group of [...urnsOf(list), ...(groupsOf.get(member) ?? [])]) groups.add(group);
  }
  const [external, missing] = [new Set<Urn>(), new Set<Urn>()];
  const question = questionOf([...groups], membershipsDocument(edges));
  await readBatches(reader, [question], options, (urn, reading) => {
    const aspects = aspectsIn(reading);
    if (typeof aspects === "string") unreadable.set(urn, aspects);
    else if (isExternal(aspects[originAspect])) external.add(urn);
    else if (reading.entity?.["exists"] === false) missing.add(urn);
  });
  return { groupsOf, external, missing, unreadable };
}

/** Reads the groups of members from the members' aspects, and records members that could not be read. */
export async function readGroupsOf(
  reader: Reader,
  edges: EdgesOfMembers,
  members: readonly Urn[],
  options: ReadOptions,
): Promise<MemberGroups> {
  const groupsOf = new Map<Urn, ReadonlySet<Urn>>();
  const unreadable = new Map<Urn, string>();
  const question = questionOf(members, membershipsDocument(edges));
  await readBatches(reader, [question], options, (urn, reading) => {
    const aspects = aspectsIn(reading);
    const groups = typeof aspects === "string" ? aspects : groupsIn(edges, aspects);
    if (typeof groups === "string") unreadable.set(urn, groups);
    else groupsOf.set(urn, groups);
  });
  return { groupsOf, unreadable };
}

function isExternal(origin: Json | undefined): boolean {
  return isJsonObject(origin) && origin["type"] === "EXTERNAL";
}

/** Returns the members in a state, including the members of its groups. */
function membersIn(
  state: State,
  { facet, inverseKinds }: EdgesOfMembers,
  isNamed: (entity: Entity) => boolean,
): readonly Urn[] {
  return [...withEdgesAtGroups(state).values()].flatMap((entity) => {
    if (!isNamed(entity)) return [];
    const isMember = inverseKinds.some(({ name }) => name === entity.kind);
    return isMember ? [entity.urn] : urnsOf(setAt(entity, facet));
  });
}

/**
 * Finds the members of each group in the server's index, which may lag. Returns the reason for each group whose members are
 * unknown.
 */
export async function readMembersOf(
  reader: Reader,
  edges: EdgesOfMembers,
  groups: readonly Urn[],
  { signal }: ReadOptions,
): Promise<readonly (readonly [Urn, readonly Urn[] | string])[]> {
  return await mapConcurrently(
    reader,
    groups,
    async (group) => [group, await discover(reader, edges, group, signal)] as const,
  );
}

/**
 * Returns the members in the index, or an error. The server may return fewer members than requested, and its `total` may be
 * missing or wrong. Reading therefore ends only after a page that is not full and reaches `total`, or after a page without new
 * members.
 */
async function discover(
  reader: Reader,
  edges: EdgesOfMembers,
  urn: Urn,
  signal: AbortSignal | undefined,
): Promise<readonly Urn[] | string> {
  const members = new Set<Urn>();
  const document = membersDocument(edges);
  for (let start = 0; ;) {
    const { data, errors } = await reader.query(document, { urn, start, count: page }, signal);
    const group = data?.[edges.storedByMembers.query];
    const found = isJsonObject(group) ? group["relationships"] : undefined;
    const list = isJsonObject(found) ? found["relationships"] : undefined;
    const [error] = errors;
    if (error || !isJsonObject(found) || !Array.isArray(list)) {
      return error?.message ?? "the server's response does not contain its members";
    }
    const before = members.size;
    for (const member of list.flatMap((edge: unknown) => foundUrn(edge) ?? [])) members.add(member);
    start += list.length;
    if (members.size === before || isEnd(start, list.length, found["total"])) return [...members];
  }
}

// After a full page, `total` may count only the members read so far. The index returns and counts at most 10,000 members (see
// outgoing-references.ts).
function isEnd(start: number, answered: number, total: unknown): boolean {
  return start >= 10_000 || (start === total && answered < page);
}

/** Returns the raw aspects of an entity, or the reason why there are none. */
function aspectsIn({ entity, error }: Reading): JsonObject | string {
  if (error !== undefined) return error;
  return entity ? rawAspectsIn(entity) : "the server's response does not contain this entity";
}

/** Returns the groups in a member's aspects, or the reason why they are unknown. A malformed list does not count as empty. */
function groupsIn({ storedByMembers }: EdgesOfMembers, aspects: JsonObject): ReadonlySet<Urn> | string {
  const groups = storedByMembers.lists.flatMap(({ aspect, list }) => listIn(aspects[aspect], list));
  return groups.every(isUrn) ? new Set(groups) : "the server's response contains a malformed list of groups";
}

// For a malformed list, returns an element that is not a URN, so that the caller detects the fault.
function listIn(aspect: unknown, list: string): readonly unknown[] {
  const found: unknown = isJsonObject(aspect) ? (aspect[list] ?? []) : [];
  return Array.isArray(found) ? found : [undefined];
}

/** Rereads changed entities, before or after their changes are written. */

import { type EdgesOfMembers, edgesOfMembers } from "../../facets/index.ts";
import { type Change, isFacetChange, isSetChange, keepsOthers, type SetChange } from "../../model/change.ts";
import { isJsonObject } from "../../model/json.ts";
import type { Live } from "../../model/live.ts";
import type { MemberGroups } from "../../model/membership.ts";
import { emptyLeaf, type Entity, type FacetValue, type Member, setOf, without } from "../../model/state.ts";
import { joined, valueFrom } from "../../model/place.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { coveredIn } from "../../plan/notes/fingerprint.ts";
import { withFacet } from "../../plan/base/group-lists.ts";
import { addDynamicKeys } from "../../plan/align/dynamic-keys.ts";
import type { Reader } from "../../datahub/client.ts";
import { withDeletable, withoutSoftlyPruned } from "./deletable.ts";
import { withoutHiddenReferrers } from "./hidden-references.ts";
import { entityToRead, stateOf } from "./entities-to-read.ts";
import { foundUrn } from "./found-urn.ts";
import { readLive } from "./live-state.ts";
import { readGroupsOf } from "./memberships.ts";
import { questionOf } from "./question.ts";
import { readBatches, type ReadOptions } from "./read-batches.ts";

/** Page size for the group members in the index. */
const pageSize = 500;

/** Builds the query for one page of group members from the index. */
export function indexedMembersDocument({ kind, storedByMembers }: EdgesOfMembers): string {
  return `query ReadIndexedMembers($urns: [String!]!) {
  entities(urns: $urns) {
    urn
    ... on ${kind.typename} {
      relationships(input: { types: ${JSON.stringify(storedByMembers.relationships)}, direction: INCOMING, start: 0, count: ${pageSize} }) {
        relationships { entity { urn } }
      }
    }
  }
}`;
}

interface ChangedOptions extends ReadOptions {
  /** Additional entities to read. */
  readonly beside?: readonly Urn[];
  /** Whether the changes have not been written yet. If so, members and references that the plan did not contain are also read. */
  readonly isBefore?: boolean;
  /** Whether changes may have been written despite an error. If so, members of new groups are also read. */
  readonly isInDoubt?: boolean;
}

/**
 * Reads the current state of changed entities: their facets, and the members whose edges change. For an entity to be deleted,
 * reads its referrers before the deletion.
 */
export async function readChanged(
  reader: Reader,
  changes: readonly Change[],
  { beside: additional = [], isBefore = false, isInDoubt = false, ...options }: ChangedOptions = {},
): Promise<Live> {
  const wanted = wantedBy(changes, additional);
  const read = await readLive(reader, wanted, options);
  const deleted = changes.filter(({ action }) => action === "delete");
  const urns = new Set(deleted.map(({ urn }) => urn));
  const found = withoutSoftlyPruned({ ...read, state: addDynamicKeys(read.state, wanted) }, (urn) =>
    urns.has(urn),
  );
  const toDelete = isBefore ? deleted : [];
  const deletable = await withDeletable(reader, toDelete, found, options);
  let live = await withoutHiddenReferrers(reader, toDelete, deletable, options);
  for (const edges of edgesOfMembers)
    live = await withEdges(reader, edges, live, { changes, isBefore, isInDoubt, options });
  return live;
}

interface EdgesToRead {
  readonly isBefore: boolean;
  readonly isInDoubt: boolean;
  readonly changes: readonly Change[];
  readonly options: ReadOptions;
}

/** Adds the changed edges that members store. Other edges have already been read with their groups. */
async function withEdges(
  reader: Reader,
  edges: EdgesOfMembers,
  live: Live,
  { changes, isBefore, isInDoubt, options }: EdgesToRead,
): Promise<Live> {
  const own = changes
    .filter(isSetChange)
    .filter((change) => change.facet === edges.facet && live.state.has(change.urn));
  if (own.length === 0) return live;
  // A group that this plan creates has no members before the write.
  const isNew = ({ action }: SetChange): boolean => isBefore && !isInDoubt && action === "create";
  const open = own.filter((change) => isBefore && !isNew(change) && !keepsOthers(change));
  const indexed = await readIndexed(reader, edges, open, options);
  const toCheck = new Map(
    own.map((change) => [change, isNew(change) ? [] : membersToCheck(change, indexed.get(change.urn) ?? [])]),
  );
  const members = new Set([...toCheck.values()].flat());
  return withMembers(live, toCheck, await readGroupsOf(reader, edges, [...members], options));
}

function wantedBy(changes: readonly Change[], additional: readonly Urn[]): ReadonlyMap<Urn, Entity> {
  const wanted = new Map(stateOf(additional.flatMap((urn) => entityToRead(urn, () => []))));
  for (const change of changes) {
    const { urn, kind: name } = change;
    const facets = new Map<string, FacetValue>(wanted.get(urn)?.facets);
    if (isFacetChange(change)) {
      const { facet: changed, path = [], shape } = change;
      const blank = valueFrom([[path, emptyLeaf(shape)]]);
      facets.set(
        changed,
        joined(facets.get(changed), blank, (_, leaf) => leaf),
      );
    }
    wanted.set(urn, { urn, kind: name, facets });
  }
  return wanted;
}

function withMembers(
  live: Live,
  toCheck: ReadonlyMap<SetChange, readonly Urn[]>,
  { groupsOf, unreadable }: MemberGroups,
): Live {
  const state = new Map(live.state);
  const unread = new Map(live.unreadable);
  for (const [change, members] of toCheck) {
    const group = state.get(change.urn);
    const error = members.map((member) => unreadable.get(member)).find((each) => each !== undefined);
    if (error !== undefined) unread.set(change.urn, error);
    if (!group) continue;
    const confirmed = members.filter((member) => groupsOf.get(member)?.has(change.urn) === true);
    state.set(change.urn, withFacet(group, change.facet, setOf([...seenIn(change), ...confirmed])));
  }
  return { ...live, state, unreadable: unread };
}

/** Returns the members that the plan contained, except those that the change adds or removes. */
function seenIn({ covers }: SetChange): readonly Member[] {
  return covers?.elements ?? [];
}

/**
 * Returns the members to read for a change. These are the members that it adds or removes, and the members that the plan did not
 * contain.
 */
function membersToCheck(change: SetChange, indexed: readonly Urn[]): readonly Urn[] {
  const { add, remove } = change;
  const known: readonly Member[] = [...add, ...remove, ...seenIn(change)];
  const others = without(coveredIn(indexed, change), known);
  return [...new Set([...add, ...remove, ...others])].filter(isUrn);
}

/**
 * Reads the members of groups from the index. Ignores failures, because the result is used only to find more members to check.
 */
async function readIndexed(
  reader: Reader,
  edges: EdgesOfMembers,
  changes: readonly SetChange[],
  options: ReadOptions,
): Promise<ReadonlyMap<Urn, readonly Urn[]>> {
  const indexed = new Map<Urn, readonly Urn[]>();
  const groups = changes.map(({ urn }) => urn);
  const question = questionOf(groups, indexedMembersDocument(edges));
  await readBatches(reader, [question], options, (urn, { entity }) => {
    const found = entity?.["relationships"];
    const list = isJsonObject(found) ? found["relationships"] : undefined;
    if (Array.isArray(list))
      indexed.set(
        urn,
        list.flatMap((edge: unknown) => foundUrn(edge) ?? []),
      );
  });
  return indexed;
}

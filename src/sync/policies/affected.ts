/** Finds the entities whose policy results depend on changes to other entities. */

import { edgeSets, edgesOfMembers, facets } from "../../facets/index.ts";
import { kindOf, kindOfType, kindOfUrn } from "../../kinds/index.ts";
import type { SearchFilter } from "../../kinds/kind.ts";
import { appendTo } from "../../model/append.ts";
import { type Change, type EntityChange } from "../../model/change.ts";
import { chunks } from "../../model/group-by.ts";
import type { KindName } from "../../model/state.ts";
import { columnOfUrn, entityTypeOf, isUrn, keyOf, type Urn } from "../../model/urn.ts";
import { changesOfMembers, deletionsFrom, facetsNaming } from "../../plan/policies/effects.ts";
import { touchedPeople } from "../../plan/policies/planned.ts";
import type { Reader } from "../../datahub/client.ts";
import { discover, type Discovery } from "../read/discover.ts";
import { readGroupsOfMember } from "../read/edges.ts";
import type { ReadOptions } from "../read/read-batches.ts";
import { conditionsOf } from "../read/incoming-references.ts";
import type { SubjectQuery } from "./subjects.ts";

/** The affected entities, each with the changes that affect it. */
export type Affected = ReadonlyMap<Urn, readonly Change[]>;

/** Maximum number of owners in a search request. */
const ownersOfASearch = 500;

/**
 * Finds the entities of a kind that gain or lose values relevant to policies because other entities change. These are members of
 * groups and data products, referrers of deleted entities, and entities whose owners are created, deleted or restored, or whose
 * owners' memberships change. Long lists of referrers are read from the index, which may lag. Throws `CatalogError` if the index
 * cannot be searched, or the signal's reason if it is aborted.
 */
export async function readAffected(
  reader: Reader,
  changes: readonly Change[],
  question: SubjectQuery,
  { signal, batch }: ReadOptions,
): Promise<Affected> {
  const { kind, elsewhere } = question;
  const affected = new Map<Urn, Change[]>();
  const add = (urn: Urn, cause: Change): void => {
    if (kindOfUrn(urn)?.name !== kind) return;
    const causes = affected.get(urn);
    if (causes) causes.push(cause);
    else affected.set(urn, [cause]);
  };
  for (const change of changesOfMembers(changes))
    if (elsewhere.some(({ name }) => name === change.facet)) add(change.urn, change);
  for (const deletion of deletionsFrom(changes))
    for (const urn of await referrersOf(reader, deletion, question, { signal, batch })) add(urn, deletion);
  const people = peopleFor(question, changes);
  for (const owners of chunks([...people.keys()], ownersOfASearch)) {
    const [first] = owners;
    const cause = first && people.get(first);
    const anyOf = ownerFields.map((field) => [{ field, values: owners }]);
    if (cause) for (const urn of await searchAll(reader, kindOf(kind), anyOf, signal)) add(urn, cause);
  }
  return affected;
}

/** Returns the referrers of a deleted entity, if policies need facets that can refer to it. */
async function referrersOf(
  reader: Reader,
  deletion: EntityChange,
  { kind, needs, elsewhere }: SubjectQuery,
  options: ReadOptions,
): Promise<readonly Urn[]> {
  const { urn, assignedTo = [], assignments, values = [] } = deletion;
  const naming = facetsNaming(kind, needs.facets, entityTypeOf(urn));
  if (naming.length === 0) return [];
  const isElsewhere = naming.some((facet) => elsewhere.includes(facet));
  const members = values.filter(({ facet }) => edgeSets.some((edges) => edges.facet === facet));
  const stored = isElsewhere ? members.flatMap(({ elements = [] }) => elements.filter(isUrn)) : [];
  // The graph index returns no referrers if their number exceeds its counting limit.
  const more = assignments === undefined ? await searchReferrers(reader, deletion, kind, options.signal) : [];
  const groups = isElsewhere ? await groupsOfMember(reader, urn, options) : [];
  return [...assignedTo, ...more].map((each) => columnOfUrn(each)?.parent ?? each).concat(stored, groups);
}

/** Searches the index for entities that refer to a deleted entity or use it as a value. */
async function searchReferrers(
  reader: Reader,
  { urn, kind: deleted }: EntityChange,
  kind: KindName,
  signal: AbortSignal | undefined,
): Promise<readonly Urn[]> {
  const conditions = conditionsOf([{ urn, kind: deleted }]);
  const uses = kindOf(deleted).deletion?.usedIn?.(keyOf(urn)) ?? [];
  const all: Urn[] = [...(await searchAll(reader, kindOf(kind), conditions, signal))];
  for (const { type, anyOf } of uses) {
    const of = type === undefined ? kindOf(kind) : { searchType: type, plural: "columns" };
    appendTo(all, await searchAll(reader, of, anyOf, signal));
  }
  return all;
}

/** Returns the groups of a member, for memberships that are stored on the member itself. */
async function groupsOfMember(reader: Reader, member: Urn, options: ReadOptions): Promise<readonly Urn[]> {
  const type = entityTypeOf(member);
  const all = edgesOfMembers.filter(({ inverseKinds }) =>
    inverseKinds.some(({ entityType }) => entityType === type),
  );
  const groups = await Promise.all(all.map((edges) => readGroupsOfMember(reader, edges, member, options)));
  return groups.flat();
}

/** Returns the users and groups whose relevant properties change, each with the change. */
function peopleFor({ needs }: SubjectQuery, changes: readonly Change[]): ReadonlyMap<Urn, Change> {
  const { activity, groups } = touchedPeople(changes);
  return new Map([...(needs.groups ? groups : []), ...(needs.people ? activity : [])]);
}

/** The index fields that contain owners, for all kinds. */
const ownerFields: readonly string[] = fieldsOfOwners();

function fieldsOfOwners(): readonly string[] {
  const owners = facets.flatMap(({ isOwnership, refersTo }) => (isOwnership ? refersTo : []));
  const fields = owners.flatMap((type) => kindOfType(type)?.deletion?.searchFields ?? []);
  // Fields that contain owners occur in the lists for both users and groups. A field that occurs only once does not contain
  // owners.
  return [...new Set(fields.filter((field, at) => fields.indexOf(field) !== at))];
}

async function searchAll(
  reader: Reader,
  kind: Discovery["kind"],
  anyOf: readonly (readonly SearchFilter[])[],
  signal: AbortSignal | undefined,
): Promise<readonly Urn[]> {
  if (anyOf.length === 0) return [];
  const all: Urn[] = [];
  for await (const { urns } of discover(reader, { kind, anyOf }, signal)) appendTo(all, urns);
  return all;
}

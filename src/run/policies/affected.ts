import { edgeSets, edgesOfMembers, facets } from "../../facets/index.ts";
import { kindOf, kindOfType } from "../../kinds/index.ts";
import type { SearchFilter } from "../../kinds/kind.ts";
import { appendTo } from "../../model/append.ts";
import { type Change, type EntityChange } from "../../model/change.ts";
import { chunks } from "../../model/group-by.ts";
import type { KindName } from "../../model/state.ts";
import { columnOfUrn, entityTypeOf, isUrn, keyOf, type Urn } from "../../model/urn.ts";
import { changesOfMembers, deletionsFrom, facetsNaming } from "../../plan/judge/effects.ts";
import { touchedPeople } from "../../plan/judge/planned.ts";
import type { Reader } from "../../datahub/client.ts";
import { discover, type Discovery } from "../read/discover.ts";
import { readGroupsOf } from "../read/memberships.ts";
import type { ReadOptions } from "../read/read-batches.ts";
import { conditionsOf } from "../read/incoming-references.ts";
import type { SubjectQuestion } from "./subjects.ts";

/** Entities whose result changes alter without changing them, each with the changes that do. */
export type Affected = ReadonlyMap<Urn, readonly Change[]>;

/** How many owners a search names. */
const ownersOfASearch = 500;

/**
 * The entities of the kind of a question that lose or gain what policies ask for by changes of others: members of groups and of
 * data products, what refers to what is deleted, and what is owned by users and groups whose activity or memberships change.
 * The index names what many refer to, and may lag. Throws `CatalogError` where it cannot be asked, and the reason of a signal.
 */
export async function readAffected(
  reader: Reader,
  changes: readonly Change[],
  question: SubjectQuestion,
  { signal, batch }: ReadOptions,
): Promise<Affected> {
  const { kind, elsewhere } = question;
  const affected = new Map<Urn, Change[]>();
  const add = (urn: Urn, cause: Change): void => {
    if (kindOfType(entityTypeOf(urn))?.name !== kind) return;
    const causes = affected.get(urn);
    if (causes) causes.push(cause);
    else affected.set(urn, [cause]);
  };
  for (const change of changesOfMembers(changes))
    if (elsewhere.some(({ name }) => name === change.facet)) add(change.urn, change);
  for (const deletion of deletionsFrom(changes))
    for (const urn of await losing(reader, deletion, question, { signal, batch })) add(urn, deletion);
  const people = peopleFor(question, changes);
  for (const owners of chunks([...people.keys()], ownersOfASearch)) {
    const [first] = owners;
    const cause = first && people.get(first);
    const anyOf = ownerFields.map((field) => [{ field, values: owners }]);
    if (cause) for (const urn of await found(reader, kindOf(kind), anyOf, signal)) add(urn, cause);
  }
  return affected;
}

/** What refers to an entity that is deleted, where policies ask for what may. */
async function losing(
  reader: Reader,
  deletion: EntityChange,
  { kind, needs, elsewhere }: SubjectQuestion,
  options: ReadOptions,
): Promise<readonly Urn[]> {
  const { urn, assignedTo = [], assignments, values = [] } = deletion;
  const naming = facetsNaming(kind, needs.facets, entityTypeOf(urn));
  if (naming.length === 0) return [];
  const isElsewhere = naming.some((facet) => elsewhere.includes(facet));
  const members = values.filter(({ facet }) => edgeSets.some((edges) => edges.facet === facet));
  const stored = isElsewhere ? members.flatMap(({ elements = [] }) => elements.filter(isUrn)) : [];
  // Of more references than it counts the index of the graph names none.
  const more = assignments === undefined ? await referring(reader, deletion, kind, options.signal) : [];
  const groups = isElsewhere ? await groupsOfMember(reader, urn, options) : [];
  return [...assignedTo, ...more].map((each) => columnOfUrn(each)?.parent ?? each).concat(stored, groups);
}

/** What the search index names as referring to an entity, or as having a value of it. */
async function referring(
  reader: Reader,
  { urn, kind: deleted }: EntityChange,
  kind: KindName,
  signal: AbortSignal | undefined,
): Promise<readonly Urn[]> {
  const conditions = conditionsOf([{ urn, kind: deleted }]);
  const uses = kindOf(deleted).deletion?.usedIn?.(keyOf(urn)) ?? [];
  const all: Urn[] = [...(await found(reader, kindOf(kind), conditions, signal))];
  for (const { type, anyOf } of uses) {
    const of = type === undefined ? kindOf(kind) : { searchType: type, plural: "columns" };
    appendTo(all, await found(reader, of, anyOf, signal));
  }
  return all;
}

/** The groups that have a member who stores that. */
async function groupsOfMember(reader: Reader, member: Urn, options: ReadOptions): Promise<readonly Urn[]> {
  const type = entityTypeOf(member);
  const all = edgesOfMembers.filter(({ inverseKinds }) =>
    inverseKinds.some(({ entityType }) => entityType === type),
  );
  const read = await Promise.all(
    all.map(async (edges) => (await readGroupsOf(reader, edges, [member], options)).groupsOf),
  );
  return read.flatMap((groupsOf) => [...(groupsOf.get(member) ?? [])]);
}

/** The users and groups of whom policies ask what changes alter, each with a change that does. */
function peopleFor({ needs }: SubjectQuestion, changes: readonly Change[]): ReadonlyMap<Urn, Change> {
  const { activity, groups } = touchedPeople(changes);
  return new Map([...(needs.groups ? groups : []), ...(needs.people ? activity : [])]);
}

/** The fields of the index with owners, whichever kind they are of. */
const ownerFields: readonly string[] = fieldsOfOwners();

function fieldsOfOwners(): readonly string[] {
  const owners = facets.flatMap(({ isOwnership, refersTo }) => (isOwnership ? refersTo : []));
  const fields = owners.flatMap((type) => kindOfType(type)?.deletion?.searchFields ?? []);
  // Those that only users have are of no owners.
  return [...new Set(fields.filter((field, at) => fields.indexOf(field) !== at))];
}

async function found(
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

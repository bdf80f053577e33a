/** Takes a snapshot: reads all data that plans for the given manifests may need, and records the responses. */

import { batchesByType } from "../../datahub/aspect-batches.ts";
import type { Reader } from "../../datahub/client.ts";
import { edgesOfMembers, edgeSets, facetNamed, facets, facetsOf, otherEndOf } from "../../facets/index.ts";
import { isAssetType, kindOfUrn } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import type { Entity } from "../../model/state.ts";
import { entityTypeOf, type Urn } from "../../model/urn.ts";
import { readPeople } from "../policies/people.ts";
import { withStoredInColumns } from "../read/column-entities.ts";
import { facetsToReadInColumns } from "../read/definitions.ts";
import { withAllFacets } from "../read/entities-to-read.ts";
import { readExistence } from "../read/existence.ts";
import { isExclusiveOn, readAllGroups } from "../read/group-members.ts";
import { readLive } from "../read/live-state.ts";
import { readGroupsOf, readMembersOf } from "../read/memberships.ts";
import { readNames } from "../read/names.ts";
import type { ReadOptions } from "../read/read-batches.ts";
import { readReferring } from "../read/outgoing-references.ts";
import { mapConcurrently } from "../read/map-concurrently.ts";
import { listDefinitions } from "../read/list-definitions.ts";
import { readPolicyFacts, readMatched } from "./matched.ts";
import { definitionsMentioned } from "./mentioned.ts";
import { createRecorder } from "./recorder.ts";
import { namedIn, type SnapshotScope } from "./scope.ts";
import { type SnapshotHeader, type Snapshot, type SnapshotEntry, snapshotVersion } from "./snapshot.ts";

/**
 * Reads the same data as a plan: the entities that the manifests declare, match with rules or refer to, and the definitions that
 * occur in live values. For all other definitions, checks only whether they exist. Plans for other manifests can then declare new
 * definitions or refer to any definition. Writes nothing. Throws `CatalogError` if a request fails, or the signal's reason if it
 * is aborted.
 */
export async function takeSnapshot(
  reader: Reader,
  scope: SnapshotScope,
  { tool, createdAt, target, ...options }: SnapshotHeader & ReadOptions,
): Promise<Snapshot> {
  const recorder = createRecorder(reader);
  const matched = await readMatched(recorder, scope, options);
  const judged = await readPolicyFacts(recorder.reader, scope, options);
  const named = [...new Set([...namedIn(scope), ...matched, ...judged])];
  const { desired, before = new Map<Urn, Entity>(), deciding } = scope;
  const declared = { entities: [...desired.state.values(), ...before.values()], rules: deciding.rules };
  const inColumns = await facetsToReadInColumns(reader, declared, options);
  await readAll(recorder.reader, named, inColumns, options);
  const references = Array.from(desired.references);
  const ends = references.filter(({ facet }) => otherEndOf(facet) !== undefined).map(({ from }) => from);
  const assets = new Set([...ends, ...references.map(({ urn }) => urn)].filter((urn) => !isReferable(urn)));
  await readExistence(recorder.reader, [...assets], options);
  await readReferring(recorder.reader, [...withAllFacets(named).values()], options);
  await readEdgesOf(recorder.reader, named, options);
  const read = new Set(named);
  let fresh = definitionsMentioned([...recorder.entries.values()]).filter((urn) => !read.has(urn));
  while (fresh.length > 0) {
    await readAll(recorder.reader, fresh, inColumns, options);
    for (const urn of fresh) read.add(urn);
    // Read parents up to the root. Other URNs in these definitions are not needed.
    const parents = fresh.flatMap((urn) => parentsIn(urn, recorder.entries.get(urn)));
    fresh = [...new Set(parents)].filter((urn) => !read.has(urn));
  }
  if (judged.length > 0) await readPeople(recorder.reader, [...read].filter(isOwner), options);
  const { definitions, unreadable } = await listDefinitions(reader, options);
  for (const [urn, error] of unreadable)
    if (!recorder.entries.has(urn)) recorder.note(urn, "ReadExistence", { error });
  return {
    formatVersion: snapshotVersion,
    tool,
    createdAt,
    target,
    definitions,
    ...recorder.recorded(),
  };
}

function isOwner(urn: Urn): boolean {
  return ownerTypes.has(entityTypeOf(urn));
}

const ownerTypes = new Set(
  facets.filter(({ isOwnership }) => isOwnership).flatMap(({ refersTo }) => refersTo),
);

/** Reads all data that a plan reads about declared and referenced entities. */
async function readAll(
  reader: Reader,
  urns: readonly Urn[],
  inColumns: readonly string[],
  options: ReadOptions,
): Promise<void> {
  const wanted = withAllFacets(urns, inColumns);
  const entities = [...wanted.values()];
  await withStoredInColumns(reader, await readLive(reader, wanted, options), options);
  for (const edges of edgesOfMembers) {
    const ends = new Set([edges.kind, ...edges.inverseKinds].map(({ name }) => name));
    const own = entities.filter(({ kind }) => ends.has(kind)).map(({ urn }) => urn);
    await readGroupsOf(reader, edges, own, options);
  }
  const referable = urns.filter(isReferable);
  await readExistence(reader, referable, options);
  await readNames(reader, referable, options);
  await readStored(reader, entities, options);
}

/** Reads the stored aspects, which show the writers of values. */
async function readStored(
  reader: Reader,
  entities: readonly Entity[],
  { batch = 100, signal }: ReadOptions,
): Promise<void> {
  const wanted = entities.flatMap(({ urn, kind }) => {
    const aspects = new Set(facetsOf(kind).flatMap(({ storedIn }) => storedIn?.(kind) ?? []));
    return aspects.size > 0 ? [{ urn, aspects: [...aspects] }] : [];
  });
  await mapConcurrently(reader, batchesByType(wanted, batch), (each) =>
    reader.stored.read(each.entityType, each.batch, signal),
  );
}

/** Whether to record the existence of an entity even if no manifest refers to it, because other manifests may. */
function isReferable(urn: Urn): boolean {
  return !isAssetType(entityTypeOf(urn));
}

function isOf(urn: Urn, { entityType }: Kind): boolean {
  return entityTypeOf(urn) === entityType;
}

/** Reads the members of groups. For edges that groups store, reads all groups, because any of them may contain an entity. */
async function readEdgesOf(reader: Reader, urns: readonly Urn[], options: ReadOptions): Promise<void> {
  for (const edges of edgesOfMembers) {
    const groups = urns.filter((urn) => isOf(urn, edges.kind));
    await readMembersOf(reader, edges, groups, options);
  }
  for (const edges of edgeSets) {
    const ends = [edges.kind, ...edges.inverseKinds];
    if (edges.storedByMembers || !urns.some((urn) => ends.some((kind) => isOf(urn, kind)))) continue;
    await isExclusiveOn(reader, edges, options.signal);
    await readAllGroups(reader, edges, options);
  }
}

function parentsIn(urn: Urn, entry: SnapshotEntry | undefined): readonly Urn[] {
  const parentFacet = kindOfUrn(urn)?.parentFacet;
  if (parentFacet === undefined) return [];
  const types = facetNamed(parentFacet).refersTo;
  return definitionsMentioned(entry).filter((each) => types.includes(entityTypeOf(each)));
}

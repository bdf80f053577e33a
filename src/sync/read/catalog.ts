/** Reads the live state that the declarations are compared with: all entities, a selection, or a shard. */

import { facetsOf, otherEndOf } from "../../facets/index.ts";
import { CatalogError } from "../../model/catalog-error.ts";
import type { Live } from "../../model/live.ts";
import { type KnownEdges, noEdges } from "../../model/membership.ts";
import type { Shard } from "../../model/plan.ts";
import type { DeclaredReference } from "../../model/reference.ts";
import { type Entity, type State, stateOver } from "../../model/state.ts";
import type { UrnTest, Urn } from "../../model/urn.ts";
import { prunable } from "../../plan/align/prune.ts";
import type { Policy } from "../../plan/base/policy.ts";
import { type InSyncFilter, inSyncFilter } from "../../plan/in-sync.ts";
import { isInShard, hasDefinitions } from "../../plan/shard.ts";
import { entitiesToRead } from "../../plan/base/group-lists.ts";
import { blankFacets, isDefinition } from "../../plan/base/definitions.ts";
import type { Reader } from "../../datahub/client.ts";
import { withAncestors } from "./ancestors.ts";
import { withChildren, withDeletable, withoutSoftlyPruned } from "./deletable.ts";
import { withoutHiddenReferrers } from "./hidden-references.ts";
import { readExistence } from "./existence.ts";
import { readLive } from "./live-state.ts";
import { readEdges } from "./edges.ts";
import { readDefinitions } from "./definitions.ts";
import { withDependencies } from "./dependencies.ts";
import { checkReferences } from "./check-references.ts";
import type { ReadOptions, ReportingOptions } from "./read-batches.ts";
import type { Desired, Catalog } from "../../plan/base/catalog.ts";

/**
 * Reads all data that a plan for `desired` needs: entities (including those declared earlier), edges, and the existence of
 * references. For a partial plan, reads the selected entities and their dependencies. However, it reads all entities if the plan
 * deletes one, because any entity may refer to the deleted entity. For a shard, reads only the shard. Throws `CatalogError` if a
 * request fails or nothing could be read.
 */
export async function readCatalog(
  reader: Reader,
  desired: Desired,
  policy: Policy,
  { onProgress, ...options }: ReportingOptions = {},
): Promise<Catalog> {
  const { base: before, part, shard } = policy;
  const entities = entitiesToRead(desired.state, before);
  const filter = inSyncFilter(desired.state, policy);
  const reading: CatalogReading = { reader, desired, entities, before, filter, options, onProgress };
  const toDelete = prunable(desired.state, policy);
  if (!part || toDelete.length > 0) return await readAll(reading, toDelete);
  return shard ? await readShard(reading, part, shard) : await readPart(reading, part);
}

/** The declarations to compare with, and what determines how their entities are read. */
interface CatalogReading {
  readonly reader: Reader;
  readonly desired: Desired;
  /** The entities that are declared now or were declared before. */
  readonly entities: State;
  readonly before: State | undefined;
  /** Drops assets that need no further comparison, because they are in sync. */
  readonly filter: InSyncFilter;
  readonly options: ReadOptions;
  readonly onProgress: ReportingOptions["onProgress"];
}

async function readAll(reading: CatalogReading, toDelete: readonly Entity[]): Promise<Catalog> {
  const { reader, desired, entities, options } = reading;
  const readEntities = async (): Promise<Omit<Catalog, "edges">> => {
    const referring = { ...desired, wanted: desired.state };
    const { fields, existence } = await checkReferences(reader, referring, options);
    const definitions = await readDefinitions(reader, existence, options);
    const found = await readAndFilter(reading, withAllFacets(entities, toDelete), fields);
    const placed = await withAncestors(reader, { declared: entities, from: entities.keys() }, found, options);
    return { live: await withDeletions(reader, toDelete, placed, options), existence, definitions };
  };
  // Read entities and edges at the same time, because a server may respond slowly.
  const [catalog, edges] = await Promise.all([readEntities(), readEdgesIn(reading)]);
  assertSomethingWasRead(catalog.live);
  return { ...catalog, edges };
}

/** Adds all facets to entities that will be deleted, because a plan shows the values that a deletion removes. */
function withAllFacets(entities: State, toDelete: readonly Entity[]): State {
  const byUrn = new Map(toDelete.map((entity) => [entity.urn, entity]));
  return stateOver(entities, byUrn, (_, { facets, ...entity }) => {
    return { ...entity, facets: new Map([...blankFacets(facetsOf(entity.kind)), ...facets]) };
  });
}

async function withDeletions(
  reader: Reader,
  toDelete: readonly Entity[],
  live: Live,
  options: ReadOptions,
): Promise<Live> {
  const deletable = await withDeletable(reader, toDelete, live, options);
  const viewed = await withoutHiddenReferrers(reader, toDelete, deletable, options);
  return await withChildren(reader, toDelete, viewed, options);
}

/**
 * As soon as assets are read, drops those that are in sync. Treats a definition as missing if it is no longer declared and was
 * soft-deleted by a prune.
 */
async function readAndFilter(
  { reader, desired, filter: { drop, dropped }, options, onProgress }: CatalogReading,
  wanted: State,
  fields: ReadonlySet<string>,
): Promise<Live> {
  const live = await readLive(reader, wanted, { ...options, onProgress, fields, drop });
  return { ...withoutSoftlyPruned(live, (urn) => !desired.state.has(urn)), inSync: dropped() };
}

async function readEdgesIn(
  { reader, desired, entities, before, options }: CatalogReading,
  looked?: ReadonlySet<Urn>,
): Promise<KnownEdges> {
  return await readEdges(reader, entities, { ...options, before, declared: desired.state, looked });
}

async function readShard(reading: CatalogReading, part: ReadonlySet<Urn>, shard: Shard): Promise<Catalog> {
  const { reader, desired, entities, options } = reading;
  const wanted = selectedIn(entities, part);
  const readUrns = { has: isInShard(shard, part) };
  const referring = { state: desired.state, wanted, references: referencesFrom(desired, readUrns) };
  const { fields, existence } = await checkReferences(reader, referring, options);
  const definitions = await readDefinitions(reader, existence, options);
  const found = await readAndFilter(reading, wanted, fields);
  const live = await withAncestors(reader, { declared: entities, from: wanted.keys() }, found, options);
  const edges = hasDefinitions(shard) ? await readEdgesIn(reading) : noEdges;
  assertSomethingWasRead(live);
  return { live: { ...live, readUrns }, edges, existence, definitions };
}

async function readPart(reading: CatalogReading, part: ReadonlySet<Urn>): Promise<Catalog> {
  const { reader, desired, entities, options } = reading;
  const selected = selectedIn(entities, part);
  const { state } = desired;
  const referring = { state, wanted: selected, references: referencesFrom(desired, part) };
  const { fields, existence: checked } = await checkReferences(reader, referring, options);
  const first = await readAndFilter(reading, selected, fields);
  const needed = await withDependencies(reader, { desired, entities, part }, first, options);
  const { looked: readUrns } = needed;
  const more = referencesFrom(desired, readUrns).map(({ urn }) => urn);
  const unchecked = new Set(more.filter((urn) => !checked.has(urn) && !isDefinition(state, urn)));
  const existence = new Map([...checked, ...(await readExistence(reader, [...unchecked], options))]);
  for (const [urn, error] of needed.live.unreadable) {
    if (!part.has(urn)) existence.set(urn, { status: "unreadable", error });
  }
  const definitions = await readDefinitions(reader, existence, options);
  const live = await withAncestors(reader, { declared: entities, from: readUrns }, needed.live, options);
  const edges = await readEdgesIn(reading, readUrns);
  assertSomethingWasRead(live);
  return { live: { ...live, readUrns }, edges, existence, definitions };
}

function selectedIn(entities: State, part: ReadonlySet<Urn>): State {
  const selected = new Map<Urn, Entity>();
  for (const urn of entities.keys()) {
    const entity = part.has(urn) ? entities.get(urn) : undefined;
    if (entity) selected.set(urn, entity);
  }
  return selected;
}

/** Returns the references that belong to the entities in `readUrns`. An edge counts as a reference from both of its ends. */
function referencesFrom({ references }: Desired, readUrns: UrnTest): readonly DeclaredReference[] {
  const found: DeclaredReference[] = [];
  for (const reference of references) {
    const { from, facet, urn } = reference;
    if (readUrns.has(from) || (readUrns.has(urn) && otherEndOf(facet) !== undefined)) found.push(reference);
  }
  return found;
}

// Throws if nothing was read. Otherwise, the plan would be empty without any error.
function assertSomethingWasRead({ state, missing, unreadable, inSync }: Live): void {
  const [first] = unreadable.values();
  if (first === undefined || state.size + missing.size + (inSync?.count ?? 0) > 0) return;
  throw new CatalogError("answer", `nothing could be read from the catalog: ${first}`);
}

import { facetsOf, otherEndOf } from "../../facets/index.ts";
import { CatalogError } from "../../model/catalog-error.ts";
import type { Live } from "../../model/live.ts";
import { noEdges } from "../../model/membership.ts";
import type { Shard } from "../../model/plan.ts";
import type { DeclaredReference } from "../../model/reference.ts";
import { type Entity, type State, stateOver } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import type { Catalog, Desired } from "../../plan/compare.ts";
import { prunable } from "../../plan/diff/prune.ts";
import type { Policy } from "../../plan/policy.ts";
import { type InSyncFilter, inSyncFilter } from "../../plan/in-sync.ts";
import { isInShard, hasDefinitions } from "../../plan/shard.ts";
import { entitiesToRead } from "../../plan/sides/base.ts";
import { blankFacets, isDefinition } from "../../plan/sides/definitions.ts";
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
import type { ReadOptions } from "./read-batches.ts";

/**
 * Reads everything that a plan of `desired` compares with: the entities, those that were declared before, edges, and
 * whether references exist. Of a part it reads the part and its dependencies, but everything where it deletes something, because
 * anything may refer to that; of a shard the shard alone. Throws `CatalogError` also where nothing could be read.
 */
export async function readCatalog(
  reader: Reader,
  desired: Desired,
  policy: Policy,
  options: ReadOptions = {},
): Promise<Catalog> {
  const { base, part, shard } = policy;
  const entities = entitiesToRead(desired.state, base);
  const before = base && { before: base };
  const assets = inSyncFilter(desired.state, policy);
  const filter = { assets, declared: desired.state };
  const gone = prunable(desired.state, policy);
  if (part && gone.length === 0) {
    const asked = { entities, part, before, filter };
    return shard
      ? await readShard(reader, desired, { ...asked, shard }, options)
      : await readPart(reader, desired, asked, options);
  }
  const readAll = async (): Promise<Omit<Catalog, "edges">> => {
    const { fields, existence } = await checkReferences(
      reader,
      { ...desired, wanted: desired.state },
      options,
    );
    const definitions = await readDefinitions(reader, existence, options);
    const found = await readAndFilter(reader, withAllFacets(entities, gone), filter, { ...options, fields });
    const placed = await withAncestors(reader, { declared: entities, from: entities.keys() }, found, options);
    const live = await withDeletions(reader, gone, placed, options);
    return { live, existence, definitions };
  };
  // Neither waits for the other, and a server may take long to answer.
  const [{ live, ...beside }, edges] = await Promise.all([
    readAll(),
    readEdges(reader, entities, { ...options, ...before, declared: desired.state }),
  ]);
  assertSomethingWasRead(live);
  return { ...beside, live, edges };
}

/** The entities with all facets of what is to be deleted: a deletion says what it takes away. */
function withAllFacets(entities: State, gone: readonly Entity[]): State {
  const byUrn = new Map(gone.map((entity) => [entity.urn, entity]));
  return stateOver(entities, byUrn, (_, { facets, ...entity }) => {
    return { ...entity, facets: new Map([...blankFacets(facetsOf(entity.kind)), ...facets]) };
  });
}

/** Adds to live state what deletions depend on. */
async function withDeletions(
  reader: Reader,
  gone: readonly Entity[],
  live: Live,
  { onProgress: _, ...options }: ReadOptions,
): Promise<Live> {
  const deletable = await withDeletable(reader, gone, live, options);
  const viewed = await withoutHiddenReferrers(reader, gone, deletable, options);
  return await withChildren(reader, gone, viewed, options);
}

/** What is not compared further. */
interface Filter {
  readonly assets: InSyncFilter;
  readonly declared: State;
}

interface PartToRead {
  readonly entities: State;
  readonly part: ReadonlySet<Urn>;
  readonly before: { readonly before: State } | undefined;
  readonly filter: Filter;
}

/**
 * Live state without the assets that are in sync: they are dropped as soon as they are read. A definition that is no longer declared, and
 * that a prune has soft-deleted, is missing.
 */
async function readAndFilter(
  reader: Reader,
  wanted: State,
  { assets: { drop, dropped }, declared }: Filter,
  options: Parameters<typeof readLive>[2],
): Promise<Live> {
  const live = await readLive(reader, wanted, { ...options, drop });
  return { ...withoutSoftlyPruned(live, (urn) => !declared.has(urn)), inSync: dropped() };
}

async function readShard(
  reader: Reader,
  desired: Desired,
  { entities, part, before, filter, shard }: PartToRead & { readonly shard: Shard },
  options: ReadOptions,
): Promise<Catalog> {
  const wanted = selectedIn(entities, part);
  const looked = { has: isInShard(shard, part) };
  const referring = { state: desired.state, wanted, references: referencesFrom(desired, looked) };
  const { fields, existence } = await checkReferences(reader, referring, options);
  const definitions = await readDefinitions(reader, existence, options);
  const found = await readAndFilter(reader, wanted, filter, { ...options, fields });
  const live = await withAncestors(reader, { declared: entities, from: wanted.keys() }, found, options);
  const edges = hasDefinitions(shard)
    ? await readEdges(reader, entities, { ...options, ...before, declared: desired.state })
    : noEdges;
  assertSomethingWasRead(live);
  return { live: { ...live, readUrns: looked }, edges, existence, definitions };
}

async function readPart(
  reader: Reader,
  desired: Desired,
  { entities, part, before, filter }: PartToRead,
  options: ReadOptions,
): Promise<Catalog> {
  const selected = selectedIn(entities, part);
  const { state } = desired;
  const referring = { state, wanted: selected, references: referencesFrom(desired, part) };
  const { fields, existence: asked } = await checkReferences(reader, referring, options);
  const first = await readAndFilter(reader, selected, filter, { ...options, fields });
  const needed = await withDependencies(reader, { desired, entities, part }, first, options);
  const { looked } = needed;
  const more = referencesFrom(desired, looked).map(({ urn }) => urn);
  const unasked = new Set(more.filter((urn) => !asked.has(urn) && !isDefinition(state, urn)));
  const existence = new Map([...asked, ...(await readExistence(reader, [...unasked], options))]);
  for (const [urn, error] of needed.live.unreadable) {
    if (!part.has(urn)) existence.set(urn, { status: "unreadable", error });
  }
  const definitions = await readDefinitions(reader, existence, options);
  const live = await withAncestors(reader, { declared: entities, from: looked }, needed.live, options);
  const edges = await readEdges(reader, entities, { ...options, ...before, declared: state, looked });
  assertSomethingWasRead(live);
  return { live: { ...live, readUrns: looked }, edges, existence, definitions };
}

function selectedIn(entities: State, part: ReadonlySet<Urn>): State {
  const selected = new Map<Urn, Entity>();
  for (const urn of entities.keys()) {
    const entity = part.has(urn) ? entities.get(urn) : undefined;
    if (entity) selected.set(urn, entity);
  }
  return selected;
}

/** The references of what is looked at; an edge is one of both its ends. */
function referencesFrom(
  { references }: Desired,
  looked: Pick<ReadonlySet<Urn>, "has">,
): readonly DeclaredReference[] {
  const found: DeclaredReference[] = [];
  for (const reference of references) {
    const { from, facet, urn } = reference;
    if (looked.has(from) || (looked.has(urn) && otherEndOf(facet) !== undefined)) found.push(reference);
  }
  return found;
}

// A plan of what could not be read would be empty.
function assertSomethingWasRead({ state, missing, unreadable, inSync }: Live): void {
  const [first] = unreadable.values();
  if (first === undefined || state.size + missing.size + (inSync?.count ?? 0) > 0) return;
  throw new CatalogError("answer", `nothing could be read from the catalog: ${first}`);
}

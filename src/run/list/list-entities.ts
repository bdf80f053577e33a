import type { Reader } from "../../datahub/client.ts";
import { isDefinitionKind } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { groupBy } from "../../model/group-by.ts";
import type { ListedEntity, ListFilter, PolicyCoverage } from "../../model/listing.ts";
import type { Asset } from "../../model/rule.ts";
import type { Entity } from "../../model/state.ts";
import { plainKeyOf, type Urn } from "../../model/urn.ts";
import { displayNameOf } from "../../plan/diff/names.ts";
import { isNamed, kindsIn, listingFilter } from "../../plan/listing/filter.ts";
import type { PlannedEntities } from "../../plan/listing/planned.ts";
import { isRemovedDefinition } from "../../plan/sides/definitions.ts";
import { declaredBy, decidingRules, rulesOf } from "../../plan/rules/declared-by.ts";
import { doesMatch, isMet } from "../../plan/rules/match.ts";
import type { PoliciesAtHand } from "../policies/evaluate-policies.ts";
import { peopleReader } from "../policies/people.ts";
import {
  factsQuestions,
  type KnownEntities,
  plainAsset,
  type SubjectQuestion,
} from "../policies/subjects.ts";
import { readAssetsAt } from "../read/assets.ts";
import { anyColumn, inContainer } from "../read/assets/index-filters.ts";
import { stateOf, withAllFacets } from "../read/entities-to-read.ts";
import { readLive } from "../read/live-state.ts";
import { prefetchNext } from "../read/prefetch-next.ts";
import type { ReadOptions } from "../read/read-batches.ts";
import { type EntitySource, questionOf } from "./entity-source.ts";
import { judgedWithAll, evaluateListed } from "./judged.ts";
import { listedColumnsOf, listedToRead } from "./listed-columns.ts";

/** Some entities of a catalog that a filter lists. */
export interface ListedBatch {
  readonly entities: readonly ListedEntity[];
  /** What could not be read, each with the reason. It is not known whether the filter lists it. */
  readonly unreadable: ReadonlyMap<Urn, string>;
  /** The verdicts on them. */
  readonly policies?: readonly PolicyCoverage[];
}

/** How entities are listed. */
export interface ListOptions extends Pick<ReadOptions, "signal"> {
  /** Whether entities have the container that they are in: it costs the server a look-up. */
  readonly readsContaining?: boolean;
  /** Where entities are listed as a plan makes them. */
  readonly planned?: PlannedEntities | undefined;
}

/**
 * The entities of a catalog that a filter lists, batch by batch, kind by kind. What is listed is decided by what was read of each
 * entity, not by the index. Throws `CatalogError` where the catalog cannot be asked or a page of the index cannot be read, and the
 * reason of the signal.
 */
export async function* listEntities(
  { reader, pages }: EntitySource,
  given: PoliciesAtHand,
  filter: ListFilter,
  options: ListOptions = {},
): AsyncGenerator<ListedBatch> {
  const isListed = listingFilter(filter);
  const people = peopleReader(reader, options);
  const listedIn = async ({ known, ...batch }: ReadBatch): Promise<ListedBatch> => {
    const found = batch.entities.filter(isListed);
    if (given.policies.length === 0) return { ...batch, entities: found };
    const from = { reader, people, known };
    const { entities, policies, unreadable } = await evaluateListed(from, found, given, options);
    return {
      entities: entities.filter(
        ({ violates }) => filter.policies?.some((id) => violates.includes(id)) ?? true,
      ),
      policies,
      unreadable: new Map([...batch.unreadable, ...unreadable]),
    };
  };
  const kinds = kindsIn(filter);
  async function* allPages(): AsyncGenerator<Page> {
    for (const kind of kinds)
      for await (const urns of pages(kind)) yield { urns, of: { reader, kind, filter, given, options } };
  }
  for await (const batch of prefetchNext(allPages(), readPage)) yield await listedIn(batch);
  const created = (options.planned?.created ?? []).filter(({ kind }) =>
    kinds.some(({ name }) => name === kind),
  );
  if (created.length > 0)
    yield await listedIn({
      entities: listedDefinitions(created, { filter, given }),
      unreadable: new Map(),
    });
}

/** Some entities of a kind that are read together. */
interface Page {
  readonly urns: readonly Urn[];
  readonly of: Reading;
}

async function readPage({ urns, of }: Page): Promise<ReadBatch> {
  return isDefinitionKind(of.kind.name) ? await readDefinitions(urns, of) : await readListedAssets(urns, of);
}

/** A batch with all that was read of its entities. */
interface ReadBatch extends ListedBatch {
  readonly known?: KnownEntities;
}

/** What of one kind is read, and for what. */
interface Reading {
  readonly reader: Reader;
  readonly kind: Kind;
  readonly filter: ListFilter;
  readonly given: PoliciesAtHand;
  readonly options: ListOptions;
}

async function readListedAssets(urns: readonly Urn[], reading: Reading): Promise<ReadBatch> {
  const { kind, filter, given } = reading;
  const judged = judgedWithAll(kind, filter, given);
  const read = await readAssetsFor(urns, reading, judged);
  if (!judged || read.unreadable.size === 0) return read;
  // It may be no more than what policies ask that could not be read.
  const again = await readAssetsFor([...read.unreadable.keys()], reading);
  return { ...read, entities: [...read.entities, ...again.entities], unreadable: again.unreadable };
}

async function readAssetsFor(
  urns: readonly Urn[],
  { reader, kind, filter, given: { declaring }, options }: Reading,
  judged?: SubjectQuestion,
): Promise<ReadBatch> {
  const { signal, readsContaining = false } = options;
  const questions = [
    questionOf(kind, filter.conditions),
    ...decidingRules(declaring, kind.name),
    ...(readsContaining ? [questionOf(kind, [inContainer])] : []),
    ...(filter.byColumn ? [{ ...questionOf(kind, []), columns: [anyColumn] }] : []),
    ...(judged ? factsQuestions(judged) : []),
  ];
  const found = await readAssetsAt(reader, { kind, urns }, questions, { signal, holds: doesMatch });
  const assets = found.assets.filter((asset) => filter.conditions.every((each) => isMet(each, asset)));
  const wanted = assets.flatMap((asset) => listedToRead(asset, filter, judged?.facets));
  const live = await readLive(reader, stateOf(wanted), { signal });
  const ingested = groupBy(live.unmanaged, ({ urn }) => urn);
  const entities = assets.flatMap((asset): readonly ListedEntity[] => {
    const entity = plannedOf(live.state.get(asset.urn), options);
    if (!entity) return [];
    const by = declaredBy(asset, declaring);
    const listed = listedAsset(asset, entity, by);
    if (!filter.byColumn) return [listed];
    return listedColumnsOf({
      listed,
      asset,
      live: entity,
      declared: by.documents ? declaring.state.get(asset.urn) : undefined,
      rules: rulesOf(asset, declaring),
      ingested: ingested.get(asset.urn) ?? [],
    });
  });
  return {
    entities,
    unreadable: new Map([...found.unreadable, ...live.unreadable]),
    ...(judged && { known: { assets: new Map(assets.map((each) => [each.urn, each])), state: live.state } }),
  };
}

function listedAsset(
  asset: Asset,
  { urn, kind, facets }: Entity,
  by: ListedEntity["declaredBy"],
): ListedEntity {
  const { name = plainKeyOf(urn), platform, env, containers } = asset;
  const [within] = containers;
  return {
    urn,
    kind,
    name,
    ...(platform !== undefined && { platform }),
    ...(env !== undefined && { env }),
    ...(within !== undefined && { within }),
    facets,
    violates: [],
    declaredBy: by,
  };
}

/** An entity as it is, or as the plan makes it. */
function plannedOf(live: Entity | undefined, { planned }: ListOptions): Entity | undefined {
  return live && planned ? planned.after(live) : live;
}

async function readDefinitions(
  urns: readonly Urn[],
  { reader, filter, given, options }: Reading,
): Promise<ReadBatch> {
  const { state, unreadable } = await readLive(reader, withAllFacets(urns), { signal: options.signal });
  const entities = [...state.values()].flatMap((entity) => plannedOf(entity, options) ?? []);
  return { entities: listedDefinitions(entities, { filter, given }), unreadable, known: { state } };
}

function listedDefinitions(
  entities: readonly Entity[],
  { filter, given: { declaring } }: Pick<Reading, "filter" | "given">,
): readonly ListedEntity[] {
  return entities
    .filter((entity) => !isRemovedDefinition(entity))
    .map((entity): ListedEntity => ({
      ...entity,
      name: displayNameOf(entity) || plainKeyOf(entity.urn),
      violates: [],
      declaredBy: declaredBy(plainAsset(entity.urn, entity.kind), declaring),
    }))
    .filter((entity) => isNamed(entity, filter));
}

/** Lists the entities in a catalog that match a filter, and the policies that they violate. */

import type { Reader } from "../../datahub/client.ts";
import { isDefinitionKind } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { groupBy } from "../../model/group-by.ts";
import type { ListedEntity, ListFilter, PolicyCoverage } from "../../model/listing.ts";
import type { Asset } from "../../model/rule.ts";
import type { Entity } from "../../model/state.ts";
import { plainKeyOf, type Urn } from "../../model/urn.ts";
import { displayNameOf } from "../../plan/notes/names.ts";
import { isNamed, kindsIn, listingFilter } from "../../plan/listing/filter.ts";
import type { PlannedEntities } from "../../plan/listing/planned.ts";
import { isRemovedDefinition } from "../../plan/base/definitions.ts";
import { declaredBy, decidingRules, rulesOf } from "../../plan/rules/declared-by.ts";
import { doesMatch, isMet } from "../../plan/rules/match.ts";
import type { CurrentPolicies } from "../policies/evaluate-policies.ts";
import { peopleReader } from "../policies/people.ts";
import { assetQuestionsOf, type KnownEntities, plainAsset, type SubjectQuery } from "../policies/subjects.ts";
import { readAssetsAt } from "../read/assets.ts";
import { anyColumn, inContainer } from "../read/assets/index-filters.ts";
import { stateOf, withAllFacets } from "../read/entities-to-read.ts";
import { readLive } from "../read/live-state.ts";
import { prefetchNext } from "../read/prefetch-next.ts";
import type { Abortable } from "../read/read-batches.ts";
import { type EntitySource, questionOf } from "../read/entity-source.ts";
import { sharedQuestion, evaluateListed } from "./evaluate-listed.ts";
import { listedColumnsOf, listedToRead } from "./listed-columns.ts";

/** A batch of listed entities. */
export interface ListedBatch {
  readonly entities: readonly ListedEntity[];
  /** The entities that could not be read, each with the reason. They may match the filter. */
  readonly unreadable: ReadonlyMap<Urn, string>;
  /** The policy results for these entities. */
  readonly policies?: readonly PolicyCoverage[];
}

export interface ListOptions extends Abortable {
  /** Whether to show the container of each entity, which requires an additional lookup on the server. */
  readonly readsContaining?: boolean;
  /** The planned entities, if the list shows the state after a plan. */
  readonly planned?: PlannedEntities | undefined;
}

/**
 * Lists the entities that match a filter, in batches, one kind after another. Applies the filter to the values that were read,
 * not to the search index. Throws `CatalogError` if the catalog or a page of the index cannot be read, or the signal's reason if
 * it is aborted.
 */
export async function* listEntities(
  { reader, pages }: EntitySource,
  given: CurrentPolicies,
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
      for await (const urns of pages(kind)) yield { reader, kind, urns, filter, given, options };
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

async function readPage(page: Page): Promise<ReadBatch> {
  return isDefinitionKind(page.kind.name) ? await readDefinitions(page) : await readListedAssets(page);
}

/** A batch, and all data that was read for its entities. */
interface ReadBatch extends ListedBatch {
  readonly known?: KnownEntities;
}

/** A page of entities of one kind, and the filter, policies and options that determine which of their data is read. */
interface Page {
  readonly reader: Reader;
  readonly kind: Kind;
  readonly urns: readonly Urn[];
  readonly filter: ListFilter;
  readonly given: CurrentPolicies;
  readonly options: ListOptions;
}

async function readListedAssets(page: Page): Promise<ReadBatch> {
  const judged = sharedQuestion(page.kind, page.filter, page.given);
  const read = await readAssetsFor(page, judged);
  if (!judged || read.unreadable.size === 0) return read;
  // Some entities may be unreadable only because facts for policies were requested. Reread these entities without the facts.
  const retried = await readAssetsFor({ ...page, urns: [...read.unreadable.keys()] });
  return { ...read, entities: [...read.entities, ...retried.entities], unreadable: retried.unreadable };
}

async function readAssetsFor(
  { reader, kind, urns, filter, given: { declaring }, options }: Page,
  judged?: SubjectQuery,
): Promise<ReadBatch> {
  const { signal, readsContaining = false } = options;
  const questions = [
    questionOf(kind, filter.conditions),
    ...decidingRules(declaring.rules, kind.name),
    ...(readsContaining ? [questionOf(kind, [inContainer])] : []),
    ...(filter.byColumn ? [{ ...questionOf(kind, []), columns: [anyColumn] }] : []),
    ...(judged ? assetQuestionsOf(judged) : []),
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

/** Returns the entity in its current state, or in the state after the plan. */
function plannedOf(live: Entity | undefined, { planned }: ListOptions): Entity | undefined {
  return live && planned ? planned.after(live) : live;
}

async function readDefinitions({ reader, urns, filter, given, options }: Page): Promise<ReadBatch> {
  const { state, unreadable } = await readLive(reader, withAllFacets(urns), { signal: options.signal });
  const entities = [...state.values()].flatMap((entity) => plannedOf(entity, options) ?? []);
  return { entities: listedDefinitions(entities, { filter, given }), unreadable, known: { state } };
}

function listedDefinitions(
  entities: readonly Entity[],
  { filter, given: { declaring } }: Pick<Page, "filter" | "given">,
): readonly ListedEntity[] {
  return entities
    .filter((entity) => !isRemovedDefinition(entity))
    .map((entity): ListedEntity => ({
      ...entity,
      name: displayNameOf(entity) || plainKeyOf(entity.urn),
      violates: [],
      declaredBy: declaredBy(plainAsset(entity.urn, entity.kind), declaring),
    }))
    .filter((entity) => isNamed(entity.urn, entity.name, filter));
}

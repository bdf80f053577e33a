import { kindOf } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { asCatalogError, CatalogError } from "../../model/catalog-error.ts";
import { groupBy } from "../../model/group-by.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Asset, AssetColumn } from "../../model/rule.ts";
import type { Urn } from "../../model/urn.ts";
import { isSoftDeleted } from "../../facets/removed.ts";
import type { Reader } from "../../datahub/client.ts";
import { type Containers, containersIn } from "./assets/containers.ts";
import {
  columnsAway,
  columnsDocument,
  columnsIn,
  type Facts,
  factsDocument,
  factsOf,
  storedColumns,
  storedFacts,
} from "./assets/facts.ts";
import { type AssetQuestion, indexFilters } from "./assets/index-filters.ts";
import { discover } from "./discover.ts";
import { oneAhead } from "./one-ahead.ts";
import { answeredEntity, type Question, questionOf, readBatches, type ReadOptions } from "./read-batches.ts";

/** Some live assets, with what rules match them by, and those that could not be read, each with the reason. */
export interface AssetBatch {
  readonly assets: readonly Asset[];
  readonly unreadable: ReadonlyMap<Urn, string>;
  /**
   * Where they were asked for: soft-deleted assets, and of live ones those with columns that are no longer in the schema, with
   * these columns alone. Their native types are not known.
   */
  readonly away: readonly Asset[];
  /** The soft-deleted assets that could not be read. */
  readonly awayUnread: readonly Urn[];
}

/** How assets are read. */
export interface AssetOptions<Each> extends ReadOptions {
  /** Whether a question holds for an asset whose columns were not read; without it each may. */
  readonly holds?: (question: Each, asset: Asset) => boolean;
  /** Whether soft-deleted assets and columns that are no longer in the schema are asked for, too. */
  readonly withAway?: boolean;
}

/** Some assets of a kind that the index names, for the questions about that kind. */
interface Found<Each> {
  readonly kind: Kind;
  readonly questions: readonly Each[];
  readonly urns: readonly Urn[];
  /** How many there are of the kind in all, as far as the index knows. */
  readonly total: number;
}

/**
 * The assets that the server's index names for some rules, page by page, each once, soft-deleted ones included. Throws
 * `CatalogError` where a page cannot be read, and the reason of a signal.
 */
export async function* foundAssets<Each extends AssetQuestion>(
  reader: Reader,
  questions: readonly Each[],
  { signal }: Pick<ReadOptions, "signal">,
): AsyncGenerator<Found<Each>> {
  for (const [name, ofKind] of groupBy(questions, (question) => question.kind)) {
    const kind = kindOf(name);
    const anyOf = await indexFilters(reader, kind, { questions: ofKind, signal });
    // The index may have moved an entity to a later page meanwhile.
    const seen = new Set<Urn>();
    for await (const { urns, total } of discover(reader, { kind, anyOf }, signal)) {
      const fresh = urns.filter((urn) => !seen.has(urn));
      for (const urn of fresh) seen.add(urn);
      yield { kind, questions: ofKind, urns: fresh, total };
    }
  }
}

/**
 * The live assets that some rules may match, batch by batch; also others, since the server's index can filter by some keys only.
 * Columns come with those for which a question with columns holds. Throws `CatalogError` where the catalog cannot be asked or a
 * page of the index cannot be read, and the reason of a signal.
 */
export async function* readAssets<Each extends AssetQuestion>(
  reader: Reader,
  questions: readonly Each[],
  options: AssetOptions<Each> = {},
): AsyncGenerator<AssetBatch> {
  const containers = containersIn(reader, options);
  const { holds = (): boolean => true, withAway = false, onProgress, ...reads } = options;
  let read = 0;
  const batchOf = ({ kind, questions: ofKind, urns, total }: Found<Each>): Promise<AssetBatch> => {
    read += urns.length;
    onProgress?.(read, Math.max(read, total));
    const asking = ofKind.filter(({ columns }) => columns.length > 0);
    return readPage(urns, {
      reader,
      kind,
      containers: ofKind.some(namesContainers) ? containers : undefined,
      wantsColumns: (asset) => asking.some((question) => holds(question, asset)),
      withAway,
      options: reads,
    });
  };
  yield* oneAhead(foundAssets(reader, questions, options), batchOf);
}

/** Assets by their URNs, with all that some questions can match them by; without those that are absent or soft-deleted. */
export async function readAssetsAt<Each extends AssetQuestion>(
  reader: Reader,
  { kind, urns }: { readonly kind: Kind; readonly urns: readonly Urn[] },
  questions: readonly Each[],
  { holds = (): boolean => true, ...options }: AssetOptions<Each> = {},
): Promise<AssetBatch> {
  const asking = questions.filter(({ columns }) => columns.length > 0);
  return await readPage(urns, {
    reader,
    kind,
    containers: questions.some(namesContainers) ? containersIn(reader, options) : undefined,
    wantsColumns: (asset) => asking.some((question) => holds(question, asset)),
    options,
  });
}

/**
 * One asset with all that rules can match it by, and its columns where they are wanted; `undefined` where it is absent or
 * soft-deleted. Throws `CatalogError` where it cannot be read, and the reason of a signal.
 */
export async function readAsset(
  reader: Reader,
  { kind, urn, columns }: { readonly kind: Kind; readonly urn: Urn; readonly columns: boolean },
  options: ReadOptions = {},
): Promise<Asset | undefined> {
  const containers = containersIn(reader, options);
  const { assets, unreadable } = await readPage([urn], {
    reader,
    kind,
    containers,
    wantsColumns: () => columns,
    options,
  });
  const error = unreadable.get(urn);
  if (error !== undefined) throw new CatalogError("answer", `could not read ${urn}: ${error}`);
  return assets[0];
}

/**
 * How many assets a request asks for. Two pages are read at once: with a quarter of a page in each request, they are as many
 * requests as are sent at the same time.
 */
const assetsBatch = 250;

/** What assets of one kind are read for. */
interface Reading {
  readonly reader: Reader;
  readonly kind: Kind;
  /** Only where what is above assets is asked for. */
  readonly containers: Containers | undefined;
  readonly wantsColumns: (asset: Asset) => boolean;
  readonly withAway?: boolean;
  readonly options: ReadOptions;
}

/** Assets while they are read: what is not known of one is noted as unreadable. */
interface Page {
  readonly facts: Map<Urn, Facts>;
  readonly unreadable: Map<Urn, string>;
  readonly softDeleted: Set<Urn>;
  readonly columnsAway: Map<Urn, readonly AssetColumn[]>;
}

async function readPage(urns: readonly Urn[], reading: Reading): Promise<AssetBatch> {
  const { kind, containers } = reading;
  const page: Page = {
    facts: new Map(),
    unreadable: new Map(),
    softDeleted: new Set(),
    columnsAway: new Map(),
  };
  await readInto(page, reading, questionOf(urns, factsDocument(kind), storedFacts), (urn, answered) =>
    factsOf(urn, kind, answered),
  );
  if (containers) await addContainers(page, containers);
  await addColumns(page, reading);
  const { facts, unreadable, softDeleted } = page;
  // In the order of the page, whichever answer came first.
  const known = urns.flatMap((urn) => facts.get(urn)?.asset ?? []);
  return {
    assets: known.filter(({ urn }) => !softDeleted.has(urn)),
    unreadable: new Map([...unreadable].filter(([urn]) => !softDeleted.has(urn))),
    away: known.flatMap((asset) => awayOf(asset, page)),
    awayUnread: [...unreadable.keys()].filter((urn) => softDeleted.has(urn)),
  };
}

function awayOf(asset: Asset, { softDeleted, columnsAway: away }: Page): readonly Asset[] {
  const columns = away.get(asset.urn) ?? [];
  if (softDeleted.has(asset.urn)) return [{ ...asset, columns: [...(asset.columns ?? []), ...columns] }];
  return columns.length > 0 ? [{ ...asset, columns }] : [];
}

async function readInto(
  page: Page,
  { reader, kind, withAway, options }: Reading,
  question: Question,
  factsIn: (urn: Urn, answered: JsonObject) => Facts,
): Promise<void> {
  const { batch = assetsBatch, signal } = options;
  await readBatches(reader, [question], { batch, signal }, (urn, answer) => {
    const exists = answer.entity?.["exists"];
    const { entity, fault } = answeredEntity(answer, { kind, exists });
    page.facts.delete(urn);
    if (fault !== undefined) page.unreadable.set(urn, fault);
    else if (exists === true) {
      note(page, urn, () => {
        const isAway = isSoftDeleted(entity["status"]);
        if (isAway) page.softDeleted.add(urn);
        else page.softDeleted.delete(urn);
        return isAway && withAway !== true ? undefined : factsIn(urn, entity);
      });
    }
  });
}

function note({ facts, unreadable }: Page, urn: Urn, found: () => Facts | undefined): void {
  try {
    const known = found();
    if (known) facts.set(urn, known);
  } catch (error) {
    unreadable.set(urn, asCatalogError(error).message);
  }
}

function namesContainers({ conditions, exclusions }: AssetQuestion): boolean {
  return [conditions, ...exclusions].some((list) => list.some(({ key }) => key === "container"));
}

async function addContainers({ facts, unreadable }: Page, containers: Containers): Promise<void> {
  await containers.learn([...facts.values()].flatMap(({ container }) => container ?? []));
  for (const [urn, known] of facts) {
    const above = containers.from(known.container);
    if ("fault" in above) {
      facts.delete(urn);
      unreadable.set(urn, above.fault);
    } else facts.set(urn, { ...known, asset: { ...known.asset, containers: above.containers } });
  }
}

async function addColumns(page: Page, reading: Reading): Promise<void> {
  const { kind, wantsColumns, withAway } = reading;
  if (!kind.matching?.columns) return;
  const before = new Map(page.facts);
  const wanted = [...before].flatMap(([urn, { asset }]) => (wantsColumns(asset) ? [urn] : []));
  const question = questionOf(wanted, columnsDocument(kind, withAway), storedColumns);
  await readInto(page, reading, question, (urn, answered) => {
    const known = before.get(urn) ?? factsOf(urn, kind, answered);
    const away = withAway === true ? columnsAway(answered) : [];
    if (away.length > 0) page.columnsAway.set(urn, away);
    return { ...known, asset: { ...known.asset, columns: columnsIn(answered["columns"]) } };
  });
}

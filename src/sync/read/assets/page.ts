/** Reads a page of assets: their facts, containers and columns. */

import { isSoftDeleted } from "../../../facets/removed.ts";
import type { Kind } from "../../../kinds/kind.ts";
import { asCatalogError } from "../../../model/catalog-error.ts";
import type { JsonObject } from "../../../model/json.ts";
import type { Asset, AssetColumn } from "../../../model/rule.ts";
import type { Urn } from "../../../model/urn.ts";
import type { Reader } from "../../../datahub/client.ts";
import { type Question, questionOf } from "../question.ts";
import { readBatches, type ReadOptions } from "../read-batches.ts";
import { answeredEntity } from "../readings.ts";
import type { Containers } from "./containers.ts";
import { isStored } from "../entities-document.ts";
import {
  columnAspects,
  dormantColumns,
  columnsDocument,
  columnsIn,
  columnsOf,
  type Facts,
  factsDocument,
  factsOf,
  storedColumns,
  storedFacts,
  storedFactsAndColumns,
} from "./facts.ts";

/** Live assets with their match keys, and unreadable assets, each with the reason. */
export interface AssetBatch {
  readonly assets: readonly Asset[];
  readonly unreadable: ReadonlyMap<Urn, string>;
  /**
   * Soft-deleted assets, and live assets with only those columns that are no longer in the schema. The native types of these
   * columns are unknown. Empty unless requested.
   */
  readonly dormant: readonly Asset[];
  /** The soft-deleted assets that could not be read. */
  readonly dormantUnread: readonly Urn[];
}

/**
 * Number of assets in a request, which is a quarter of a page. Two pages are read at the same time, and their requests together
 * reach the default concurrency limit.
 */
const assetsBatch = 250;

/** The assets to read, and the facts to read about them. */
export interface Reading {
  readonly reader: Reader;
  readonly kind: Kind;
  /** Reads containers. Present if the assets' containers are needed. */
  readonly containers: Containers | undefined;
  readonly wantsColumns: (asset: Asset) => boolean;
  /**
   * Whether to request the columns of all assets together with the facts. This pays off if most columns are needed, because
   * GraphQL needs nearly as much time for a few fields of an entity as for many.
   */
  readonly columnsWithFacts?: boolean;
  /** Called with the fraction of assets whose columns were needed, from 0 to 1. */
  readonly onWanted?: (share: number) => void;
  readonly withDormant?: boolean;
  readonly options: ReadOptions;
}

/** A page that is being read. An asset with an unknown fact becomes unreadable. */
interface Page {
  readonly facts: Map<Urn, Facts>;
  readonly unreadable: Map<Urn, string>;
  readonly softDeleted: Set<Urn>;
  readonly dormantColumns: Map<Urn, readonly AssetColumn[]>;
  /** The column aspects, if they were read together with the facts. */
  readonly columns: Map<Urn, JsonObject>;
}

/** Reads assets of a kind. Throws `CatalogError` if the catalog cannot be read, or the signal's reason if it is aborted. */
export async function readPage(urns: readonly Urn[], reading: Reading): Promise<AssetBatch> {
  const { containers } = reading;
  const page: Page = {
    facts: new Map(),
    unreadable: new Map(),
    softDeleted: new Set(),
    dormantColumns: new Map(),
    columns: new Map(),
  };
  await readFacts(page, urns, reading);
  if (containers) await addContainers(page, containers);
  await addColumns(page, reading);
  const { facts, unreadable, softDeleted } = page;
  // Keep the order of the page, regardless of the order of the responses.
  const known = urns.flatMap((urn) => facts.get(urn)?.asset ?? []);
  return {
    assets: known.filter(({ urn }) => !softDeleted.has(urn)),
    unreadable: new Map([...unreadable].filter(([urn]) => !softDeleted.has(urn))),
    dormant: known.flatMap((asset) => dormantOf(asset, page)),
    dormantUnread: [...unreadable.keys()].filter((urn) => softDeleted.has(urn)),
  };
}

async function readFacts(page: Page, urns: readonly Urn[], reading: Reading): Promise<void> {
  const { kind, columnsWithFacts, withDormant } = reading;
  let unread = urns;
  if (columnsWithFacts === true && kind.matching?.hasColumns) {
    const question = questionOf(
      urns,
      factsDocument(kind, columnsOf(kind, withDormant)),
      storedFactsAndColumns,
    );
    await readInto(page, reading, question, (urn, answered) => {
      // A snapshot stores columns separately.
      if (answered["columns"] !== undefined || isStored(answered))
        page.columns.set(urn, columnAspects(answered));
      return factsOf(urn, kind, answered);
    });
    // Some assets may be unreadable only because of their columns, which may not be needed. Reread the facts without columns.
    unread = [...page.unreadable.keys()];
  }
  await readInto(page, reading, questionOf(unread, factsDocument(kind), storedFacts), (urn, answered) =>
    factsOf(urn, kind, answered),
  );
}

function dormantOf(asset: Asset, { softDeleted, dormantColumns: dormant }: Page): readonly Asset[] {
  const columns = dormant.get(asset.urn) ?? [];
  if (softDeleted.has(asset.urn)) return [{ ...asset, columns: [...(asset.columns ?? []), ...columns] }];
  return columns.length > 0 ? [{ ...asset, columns }] : [];
}

async function readInto(
  page: Page,
  { reader, kind, withDormant, options }: Reading,
  question: Question,
  factsIn: (urn: Urn, answered: JsonObject) => Facts | undefined,
): Promise<void> {
  const { batch = assetsBatch, signal } = options;
  await readBatches(reader, [question], { batch, signal }, (urn, answer) => {
    const exists = answer.entity?.["exists"];
    const { entity, fault } = answeredEntity(answer, { kind, exists });
    page.facts.delete(urn);
    page.unreadable.delete(urn);
    if (fault !== undefined) page.unreadable.set(urn, fault);
    else if (exists === true) {
      note(page, urn, () => {
        const isDormant = isSoftDeleted(entity["status"]);
        if (isDormant) page.softDeleted.add(urn);
        else page.softDeleted.delete(urn);
        return isDormant && withDormant !== true ? undefined : factsIn(urn, entity);
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

async function addContainers({ facts, unreadable }: Page, containers: Containers): Promise<void> {
  await containers.learn([...facts.values()].flatMap(({ container }) => container ?? []));
  for (const [urn, known] of facts) {
    const chain = containers.from(known.container);
    if ("fault" in chain) {
      facts.delete(urn);
      unreadable.set(urn, chain.fault);
    } else facts.set(urn, { ...known, asset: { ...known.asset, containers: chain.containers } });
  }
}

async function addColumns(page: Page, reading: Reading): Promise<void> {
  const { kind, wantsColumns, withDormant, onWanted } = reading;
  if (!kind.matching?.hasColumns) return;
  const before = new Map(page.facts);
  const wanted = [...before].flatMap(([urn, { asset }]) => (wantsColumns(asset) ? [urn] : []));
  if (before.size > 0) onWanted?.(wanted.length / before.size);
  const withColumns = (urn: Urn, aspects: JsonObject): Facts | undefined => {
    const known = before.get(urn);
    if (withDormant === true) page.dormantColumns.set(urn, dormantColumns(aspects));
    return known && { ...known, asset: { ...known.asset, columns: columnsIn(aspects) } };
  };
  const unread: Urn[] = [];
  for (const urn of wanted) {
    const aspects = page.columns.get(urn);
    if (aspects) {
      page.facts.delete(urn);
      note(page, urn, () => withColumns(urn, aspects));
    } else unread.push(urn);
  }
  const question = questionOf(unread, columnsDocument(kind, withDormant), storedColumns);
  await readInto(page, reading, question, (urn, answered) => withColumns(urn, columnAspects(answered)));
}

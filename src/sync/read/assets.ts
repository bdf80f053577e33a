/** Reads the assets that rules may match, including their match keys. */

import { kindOf } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { CatalogError } from "../../model/catalog-error.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Asset } from "../../model/rule.ts";
import type { Urn } from "../../model/urn.ts";
import type { Reader } from "../../datahub/client.ts";
import { prefetchFirst } from "./prefetch-first.ts";
import { type Containers, containersIn } from "./assets/containers.ts";
import { type AssetQuestion, indexFilters } from "./assets/index-filters.ts";
import { type AssetBatch, type Reading, readPage } from "./assets/page.ts";
import { discover } from "./discover.ts";
import { prefetchNext } from "./prefetch-next.ts";
import type { ReadOptions, ReportingOptions } from "./read-batches.ts";

export interface AssetOptions extends ReportingOptions {
  /** Whether a question applies to an asset. Called before the asset's columns are read. By default, every question applies. */
  readonly holds?: (question: AssetQuestion, asset: Asset) => boolean;
  /** Whether to include soft-deleted assets and columns that are no longer in the schema. */
  readonly withDormant?: boolean;
  /** Whether to always request columns in a separate query. Snapshots need this, because they store columns separately. */
  readonly columnsApart?: boolean;
}

/** Assets of one kind from the index, and the questions about that kind. */
interface Found {
  readonly kind: Kind;
  readonly questions: readonly AssetQuestion[];
  readonly urns: readonly Urn[];
  /** Number of assets of this kind, according to the index. */
  readonly total: number;
}

/**
 * Yields the assets that the server's index finds for rules, page by page. Yields each asset once, including soft-deleted assets.
 * Throws `CatalogError` if a page cannot be read, or the signal's reason if it is aborted.
 */
export async function* foundAssets(
  reader: Reader,
  questions: readonly AssetQuestion[],
  { signal }: ReadOptions,
): AsyncGenerator<Found> {
  const kinds = [...groupBy(questions, (question) => question.kind)].map(([name, ofKind]) =>
    prefetchFirst(foundOfKind(reader, kindOf(name), ofKind, signal)),
  );
  for (const found of kinds) yield* found;
}

async function* foundOfKind(
  reader: Reader,
  kind: Kind,
  questions: readonly AssetQuestion[],
  signal: AbortSignal | undefined,
): AsyncGenerator<Found> {
  const anyOf = await indexFilters(reader, kind, { questions, signal });
  for await (const page of discover(reader, { kind, anyOf }, signal)) yield { kind, questions, ...page };
}

/**
 * Reads the live assets that rules may match, in batches. The result may include assets that no rule matches, because the
 * server's index can filter by only some of the keys. An asset includes its columns if a question about columns applies to it.
 * Throws `CatalogError` if the catalog or a page of the index cannot be read, or the signal's reason if it is aborted.
 */
export async function* readAssets(
  reader: Reader,
  questions: readonly AssetQuestion[],
  options: AssetOptions = {},
): AsyncGenerator<AssetBatch> {
  const containers = containersIn(reader, options);
  let read = 0;
  // Whether most of the previous assets of a kind needed columns.
  const wantedByKind = new Map<Kind, boolean>();
  const batchOf = ({ kind, questions: ofKind, urns, total }: Found): Promise<AssetBatch> => {
    read += urns.length;
    options.onProgress?.(read, Math.max(read, total));
    const reading = readingFor({ reader, kind, containers }, ofKind, options, wantedByKind.get(kind));
    return readPage(urns, { ...reading, onWanted: (share) => wantedByKind.set(kind, share > 0.5) });
  };
  yield* prefetchNext(foundAssets(reader, questions, options), batchOf);
}

/** Reads the assets with these URNs, including all keys that the questions use. Leaves out missing and soft-deleted assets. */
export async function readAssetsAt(
  reader: Reader,
  { kind, urns }: { readonly kind: Kind; readonly urns: readonly Urn[] },
  questions: readonly AssetQuestion[],
  options: AssetOptions = {},
): Promise<AssetBatch> {
  const containers = containersIn(reader, options);
  return await readPage(urns, readingFor({ reader, kind, containers }, questions, options));
}

/** Requests columns together with the facts if a question needs them for all assets, or if most previous assets needed them. */
function readingFor(
  { containers, ...of }: { readonly reader: Reader; readonly kind: Kind; readonly containers: Containers },
  questions: readonly AssetQuestion[],
  options: AssetOptions,
  areMostWanted = false,
): Reading {
  const { holds = (): boolean => true, columnsApart = false, withDormant = false } = options;
  const withColumns = questions.filter(({ columns }) => columns.length > 0);
  const ofAll = withColumns.some(({ conditions, exclusions }) => conditions.length + exclusions.length === 0);
  return {
    ...of,
    containers: questions.some(namesContainers) ? containers : undefined,
    wantsColumns: (asset) => withColumns.some((question) => holds(question, asset)),
    columnsWithFacts: (ofAll || areMostWanted) && !columnsApart,
    withDormant,
    options,
  };
}

function namesContainers({ conditions, exclusions }: AssetQuestion): boolean {
  return [conditions, ...exclusions].some((list) => list.some(({ key }) => key === "container"));
}

/**
 * Reads one asset with all its match keys, and with its columns if requested. Returns `undefined` if the asset is missing or
 * soft-deleted. Throws `CatalogError` if the asset cannot be read, or the signal's reason if it is aborted.
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
    columnsWithFacts: columns,
    options,
  });
  const error = unreadable.get(urn);
  if (error !== undefined) throw new CatalogError("answer", `could not read ${urn}: ${error}`);
  return assets[0];
}

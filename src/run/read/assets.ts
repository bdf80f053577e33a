import { kindOf } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { CatalogError } from "../../model/catalog-error.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Asset } from "../../model/rule.ts";
import type { Urn } from "../../model/urn.ts";
import type { Reader } from "../../datahub/client.ts";
import { prefetchFirst } from "./prefetch-first.ts";
import { containersIn } from "./assets/containers.ts";
import { type AssetQuestion, indexFilters } from "./assets/index-filters.ts";
import { type AssetBatch, type Reading, readPage } from "./assets/page.ts";
import { discover } from "./discover.ts";
import { prefetchNext } from "./prefetch-next.ts";
import type { ReadOptions } from "./read-batches.ts";

/** How assets are read. */
export interface AssetOptions<Each> extends ReadOptions {
  /** Whether a question holds for an asset whose columns were not read; without it each may. */
  readonly holds?: (question: Each, asset: Asset) => boolean;
  /** Whether soft-deleted assets and columns that are no longer in the schema are asked for, too. */
  readonly withDormant?: boolean;
  /** Whether columns are always asked for by themselves, as a snapshot has them. */
  readonly columnsApart?: boolean;
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
  const kinds = [...groupBy(questions, (question) => question.kind)].map(([name, ofKind]) =>
    prefetchFirst(foundOfKind(reader, kindOf(name), ofKind, signal)),
  );
  for (const found of kinds) yield* found;
}

async function* foundOfKind<Each extends AssetQuestion>(
  reader: Reader,
  kind: Kind,
  questions: readonly Each[],
  signal: AbortSignal | undefined,
): AsyncGenerator<Found<Each>> {
  const anyOf = await indexFilters(reader, kind, { questions, signal });
  for await (const page of discover(reader, { kind, anyOf }, signal)) yield { kind, questions, ...page };
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
  const { withDormant = false, onProgress, ...reads } = options;
  let read = 0;
  // Of each kind whether most of the assets before had their columns asked for.
  const wantedByKind = new Map<Kind, boolean>();
  const batchOf = ({ kind, questions: ofKind, urns, total }: Found<Each>): Promise<AssetBatch> => {
    read += urns.length;
    onProgress?.(read, Math.max(read, total));
    return readPage(urns, {
      ...readingFor({ reader, kind }, ofKind, options, wantedByKind.get(kind)),
      containers: ofKind.some(namesContainers) ? containers : undefined,
      withDormant,
      onWanted: (share) => wantedByKind.set(kind, share > 0.5),
      options: reads,
    });
  };
  yield* prefetchNext(foundAssets(reader, questions, options), batchOf);
}

/** Assets by their URNs, with all that some questions can match them by; without those that are absent or soft-deleted. */
export async function readAssetsAt<Each extends AssetQuestion>(
  reader: Reader,
  { kind, urns }: { readonly kind: Kind; readonly urns: readonly Urn[] },
  questions: readonly Each[],
  options: AssetOptions<Each> = {},
): Promise<AssetBatch> {
  return await readPage(urns, {
    ...readingFor({ reader, kind }, questions, options),
    containers: questions.some(namesContainers) ? containersIn(reader, options) : undefined,
    options,
  });
}

/**
 * What assets are read for: columns at once with the rest where a question about all assets asks for them, or where most of the
 * assets before had them.
 */
function readingFor<Each extends AssetQuestion>(
  of: Pick<Reading, "reader" | "kind">,
  questions: readonly Each[],
  { holds = (): boolean => true, columnsApart = false }: AssetOptions<Each>,
  areMostWanted = false,
): Pick<Reading, "reader" | "kind" | "wantsColumns" | "columnsWithFacts"> {
  const asking = questions.filter(({ columns }) => columns.length > 0);
  const ofAll = asking.some(({ conditions, exclusions }) => conditions.length + exclusions.length === 0);
  return {
    ...of,
    wantsColumns: (asset) => asking.some((question) => holds(question, asset)),
    columnsWithFacts: (ofAll || areMostWanted) && !columnsApart,
  };
}

function namesContainers({ conditions, exclusions }: AssetQuestion): boolean {
  return [conditions, ...exclusions].some((list) => list.some(({ key }) => key === "container"));
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
    columnsWithFacts: columns,
    options,
  });
  const error = unreadable.get(urn);
  if (error !== undefined) throw new CatalogError("answer", `could not read ${urn}: ${error}`);
  return assets[0];
}

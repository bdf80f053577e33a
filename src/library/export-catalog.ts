import type { Place } from "../model/place.ts";
import type { Reader } from "../datahub/client.ts";
import { countOf, discover, type Discovery } from "../run/read/discover.ts";
import { readExistence } from "../run/read/existence.ts";
import { readLive, withAllFacets } from "../run/read/live-state.ts";
import { readNames } from "../run/read/names.ts";
import type { ReadOptions } from "../run/read/read-batches.ts";
import { facetNamed, facets } from "../facets/index.ts";
import { definitionKinds, isDefinitionKind, kindOf, kinds } from "../kinds/index.ts";
import type { Kind, SearchFilter } from "../kinds/kind.ts";
import { declared, type Declared, urnsIn } from "../manifests/emit/declared.ts";
import { appendTo } from "../model/append.ts";
import { chunks } from "../model/group-by.ts";
import type { Live } from "../model/live.ts";
import type { Entity, FacetValue, Member } from "../model/state.ts";
import { keyOf, type Urn } from "../model/urn.ts";
import type { Ignored } from "../plan/adopt/ignore.ts";
import { withoutFacet } from "../plan/sides/base.ts";
import { cyclesFrom, parentsIn } from "../plan/sides/parents.ts";
import { isInOneOf } from "../plan/sides/select.ts";
import { beyondRules } from "../plan/rules/beyond.ts";
import { withEdges } from "./export-edges.ts";
import { type RuledFacets, ruledFacetsIn, type RulesAtHand } from "./ruled-facets.ts";

/** How many files are written at once. */
const filesAtOnce = 32;

/** What of a catalog is exported. All conditions hold; without one there is no restriction. */
export interface ExportScope {
  readonly kinds?: ReadonlySet<string>;
  readonly facets?: ReadonlySet<string>;
  /** Whether a URN is exported. */
  readonly isTarget?: (urn: Urn) => boolean;
  /** Data platforms of assets, by their ids. */
  readonly platforms?: readonly string[];
  /** Domains of assets. */
  readonly domains?: readonly Urn[];
}

/** Why an entity, or a facet of it, is not in the manifests. */
export type LeftOut =
  | "system"
  | "soft-deleted"
  | "ignored"
  | "external"
  | "circle"
  | "unsaid"
  | "undeclarable"
  | "ruled";

/** Where the export goes, entity by entity. */
export interface ExportSink {
  /**
   * Takes the manifest of an entity, and all that the catalog has of it; of an asset of which rules declare everything it
   * declares nothing.
   */
  readonly take: (urn: Urn, manifest: Declared, live: Entity["facets"]) => void | Promise<void>;
  readonly leave: (urn: Urn, why: LeftOut, facet?: string) => void;
  /** What could not be read, in the server's words. */
  readonly unreadable: (urn: Urn, error: string) => void;
  /** What manifests refer to, and does not exist in the catalog. */
  readonly absent: (urn: Urn) => void;
  /** Whether the manifest of an entity is to declare the value at a place. */
  readonly isWanted: (urn: Urn, place: Place) => boolean;
  /** The elements of a list that other manifests declare: this one leaves them out. */
  readonly elsewhere: (urn: Urn, place: Place) => readonly Member[];
}

export interface ExportOptions extends Pick<ReadOptions, "signal"> {
  readonly scope: ExportScope;
  readonly ignored: Ignored;
  /** What rules declare of assets: their manifests leave it to them. */
  readonly rules: RulesAtHand;
  /** Is told how many entities were read, and how many there are in all. Only where it is given they are counted before. */
  readonly onProgress?: (read: number, total: number) => void;
}

/** An export while it goes on. */
export interface Exporting extends ExportOptions {
  readonly reader: Reader;
  readonly sink: ExportSink;
  /** Display names that are known; `undefined` for what has none. */
  readonly names: Map<Urn, string | undefined>;
  readonly ruledFacets: RuledFacets;
  /** The definitions that were read, and all that manifests refer to. */
  readonly present: Set<Urn>;
  readonly referred: Set<Urn>;
  /** How many entities were read. */
  read: number;
  /** How many there are to read, where somebody wants to know. */
  readonly total: number;
}

/**
 * Hands the manifest of every entity in scope to a sink: definitions first, then assets, page by page. The index says whom
 * to read, and each is read by its URN. Throws `CatalogError` where the catalog cannot be asked, and the reason of a signal.
 */
export async function exportCatalog(reader: Reader, sink: ExportSink, options: ExportOptions): Promise<void> {
  const { scope, signal } = options;
  const [definitions, assets] = [definitionsIn(scope), assetsIn(scope)];
  const exporting: Exporting = {
    ...options,
    reader,
    sink,
    names: new Map(),
    ruledFacets: ruledFacetsIn(reader, options.rules, options),
    present: new Set(),
    referred: new Set(),
    read: 0,
    total: options.onProgress ? await countOf(reader, [...definitions, ...assets], signal) : 0,
  };
  await exportDefinitions(exporting, definitions);
  for (const wanted of assets) await exportAssets(exporting, wanted);
  await tellAbsent(exporting);
}

/** What is looked for of a kind. */
interface Wanted extends Discovery {
  readonly kind: Kind;
}

function definitionsIn({ platforms, domains, kinds: only }: ExportScope): readonly Wanted[] {
  if (platforms || domains) return [];
  return definitionKinds.filter(({ name }) => only?.has(name) ?? true).map((kind) => ({ kind }));
}

function assetsIn(scope: ExportScope): readonly Wanted[] {
  const observed = kinds.filter(({ lifecycle }) => lifecycle === "observed");
  return observed
    .filter(({ name }) => scope.kinds?.has(name) ?? true)
    .map((kind) => ({ kind, anyOf: [filtersOf(scope)] }));
}

// They are few, and need each other: whose parent is whose, and who is in which group.
async function exportDefinitions(exporting: Exporting, definitions: readonly Wanted[]): Promise<void> {
  if (definitions.length === 0) return;
  const entities: Entity[] = [];
  for (const wanted of definitions)
    for await (const page of pagesOf(exporting, wanted)) appendTo(entities, page);
  for (const { urn, kind, facets: values } of entities) {
    exporting.present.add(urn);
    const name = values.get(kindOf(kind).displayName ?? "");
    if (name?.shape === "scalar" && typeof name.value === "string") exporting.names.set(urn, name.value);
  }
  await emit(exporting, withoutCircles(await withEdges(exporting, entities), exporting.sink));
}

async function exportAssets(exporting: Exporting, wanted: Wanted): Promise<void> {
  // A page is read while the files of the one before are written, and no more than these two are kept.
  let writing: Promise<unknown> = Promise.resolve();
  for await (const page of pagesOf(exporting, wanted)) {
    await writing;
    writing = emitAssets(exporting, wanted.kind, page);
    // What fails is thrown where it is awaited.
    writing.catch(() => {});
  }
  await writing;
}

function filtersOf({ platforms, domains }: ExportScope): readonly SearchFilter[] {
  const field = facets.find(({ searchField }) => searchField !== undefined)?.searchField;
  return [
    ...(platforms
      ? [{ field: "platform", values: platforms.map((each) => `urn:li:dataPlatform:${each}`) }]
      : []),
    ...(domains && field !== undefined ? [{ field, values: domains }] : []),
  ];
}

/** The entities that are looked for, there and in scope, page by page, as they are now. */
async function* pagesOf(exporting: Exporting, wanted: Wanted): AsyncGenerator<readonly Entity[]> {
  const { scope, reader, signal } = exporting;
  const options = signal ? { signal } : {};
  for await (const { urns } of discover(reader, wanted, signal)) {
    const own = urns.filter((urn) => isInScope(urn, wanted.kind, exporting));
    const live = await readLive(reader, withAllFacets(wanted.kind, own), options);
    exporting.read += urns.length;
    exporting.onProgress?.(exporting.read, Math.max(exporting.read, exporting.total));
    // The index may lag: what it found by its domain may be in another one by now.
    yield present(live, exporting).filter((entity) => !scope.domains || isInOneOf(entity, scope.domains));
  }
}

function isInScope(urn: Urn, kind: Kind, { scope, ignored, sink }: Exporting): boolean {
  if (scope.isTarget && !scope.isTarget(urn)) return false;
  const why = whyNone(urn, kind, ignored);
  if (why) sink.leave(urn, why);
  return !why;
}

/** Why there is no manifest of an entity, whatever it holds. */
function whyNone(urn: Urn, kind: Kind, ignored: Ignored): LeftOut | undefined {
  if (kind.isSystem?.(keyOf(urn)) === true) return "system";
  if (ignored.entity(urn)) return "ignored";
  // Servers have URNs that newer ones refuse, and those of datasets without an environment that DataHub knows.
  const written = kind.urnOf({ kind: kind.name, ...kind.identityOf(urn) });
  return "urn" in written && written.urn === urn ? undefined : "undeclarable";
}

function present({ state, missing, unreadable }: Live, { sink }: Exporting): readonly Entity[] {
  for (const [urn, error] of unreadable) sink.unreadable(urn, error);
  // What the index names and is not there was deleted a moment ago.
  for (const [urn, why] of missing) if (why === "soft-deleted") sink.leave(urn, why);
  return [...state.values()].filter((entity) => {
    const isRemoved =
      isDefinitionKind(entity.kind) && [...entity.facets].some(([name, value]) => isAgainst(name, value));
    if (isRemoved) sink.leave(entity.urn, "soft-deleted");
    return !isRemoved;
  });
}

// What a manifest of every entity implies is not so.
function isAgainst(facet: string, value: FacetValue): boolean {
  const { implied } = facetNamed(facet);
  return implied?.for === "every-entity" && value.shape === "scalar" && value.value !== implied.value("");
}

/** Entities without the parent of those that are above themselves: no manifests can say that. */
function withoutCircles(entities: readonly Entity[], sink: ExportSink): readonly Entity[] {
  const state = new Map(entities.map((entity) => [entity.urn, entity]));
  const circling = new Set(cyclesFrom(state.keys(), parentsIn(state)).flat());
  return entities.map((entity) => {
    const facet = circling.has(entity.urn) ? kindOf(entity.kind).parentFacet : undefined;
    if (facet === undefined) return entity;
    sink.leave(entity.urn, "circle", facet);
    return withoutFacet(entity, facet);
  });
}

/** Leaves to rules what they declare. Of what it is not known which rules match it nothing is written. */
async function emitAssets(exporting: Exporting, kind: Kind, page: readonly Entity[]): Promise<void> {
  const { sink, scope, ruledFacets } = exporting;
  const urns = page.map(({ urn }) => urn);
  const { facets: declaredByRules, unreadable } = await ruledFacets(kind, urns);
  for (const [urn, error] of unreadable) sink.unreadable(urn, error);
  const ruled = new Set<Urn>();
  const entities = page.flatMap((entity): readonly Entity[] => {
    const { urn } = entity;
    const own = declaredByRules.get(urn);
    if (unreadable.has(urn) || !own) return unreadable.has(urn) ? [] : [entity];
    const beyond = beyondRules(entity, own);
    const left = beyond.ruled.filter((facet) => scope.facets?.has(facet) ?? true);
    for (const facet of left) sink.leave(urn, "ruled", facet);
    if (left.length > 0) ruled.add(urn);
    return [beyond.entity];
  });
  await emit(exporting, entities, { ruled, whole: new Map(page.map((entity) => [entity.urn, entity])) });
}

/** What rules leave of assets to their manifests. */
interface Beside {
  /** The assets with a facet of which rules declare everything. */
  readonly ruled: ReadonlySet<Urn>;
  /** The assets with what rules declare. */
  readonly whole: ReadonlyMap<Urn, Entity>;
}

/** Hands the manifests of entities to the sink: of `ruled` ones also where rules declare all that there is. */
async function emit(
  exporting: Exporting,
  entities: readonly Entity[],
  { ruled, whole }: Beside = { ruled: new Set(), whole: new Map() },
): Promise<void> {
  const { sink, scope, ignored, names } = exporting;
  await learnNames(exporting, entities);
  for (const some of chunks(entities, filesAtOnce)) {
    await Promise.all(
      some.map(async (entity) => {
        const { urn } = entity;
        const isWanted = (place: Place): boolean =>
          (scope.facets?.has(place.facet) ?? true) && sink.isWanted(urn, place);
        const elsewhere = (place: Place): readonly Member[] => sink.elsewhere(urn, place);
        const manifest = declared(entity, { names, ignored, isWanted, elsewhere });
        for (const facet of manifest.unsaid) sink.leave(urn, "unsaid", facet);
        const isDefined = isDefinitionKind(entity.kind) && !scope.facets;
        for (const each of urnsIn(manifest)) exporting.referred.add(each);
        if (isDefined || ruled.has(urn) || manifest.facets.size > 0)
          await sink.take(urn, manifest, (whole.get(urn) ?? entity).facets);
      }),
    );
  }
}

/** Adds the display names of what entities name and is not known yet. */
async function learnNames({ reader, names, signal }: Exporting, entities: readonly Entity[]): Promise<void> {
  const unknown = [...new Set(entities.flatMap(urnsIn))].filter((urn) => !names.has(urn));
  const found = await readNames(reader, unknown, signal && { signal });
  for (const urn of unknown) names.set(urn, found.get(urn));
}

/** Looks for what manifests refer to and was not read: a restricted export reads few definitions, and the index may lag. */
async function tellAbsent({ reader, sink, referred, signal, ...exporting }: Exporting): Promise<void> {
  const unread = [...referred].filter((urn) => !exporting.present.has(urn));
  const existence = await readExistence(reader, unread, signal && { signal });
  for (const [urn, { status }] of existence) if (status === "absent") sink.absent(urn);
}

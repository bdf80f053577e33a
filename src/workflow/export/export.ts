/** Converts entities in a catalog to manifests, and passes each manifest and all omissions to a sink. */

import type { Reader } from "../../datahub/client.ts";
import type { Facet } from "../../facets/facet.ts";
import { isDefinitionKind, kindOf } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import {
  type DeclaredValues,
  entityManifest,
  type EntityManifest,
  type ManifestOptions,
  urnsIn,
} from "../../manifests/edit/export/entity-manifest.ts";
import { appendTo } from "../../model/append.ts";
import { chunks } from "../../model/group-by.ts";
import type { Entity } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { displayNameOf } from "../../plan/notes/names.ts";
import { subtractRules } from "../../plan/rules/subtract-rules.ts";
import { withoutFacet } from "../../plan/base/group-lists.ts";
import { referenceCycles } from "../../plan/checks/reference-cycles.ts";
import { cyclesFrom, parentsIn } from "../../plan/base/parents.ts";
import { prefetchFirst } from "../../sync/read/prefetch-first.ts";
import { facetsInColumns } from "../../sync/read/definitions.ts";
import { countOf, discover } from "../../sync/read/discover.ts";
import { readExistence } from "../../sync/read/existence.ts";
import { readNames } from "../../sync/read/names.ts";
import {
  assetsIn,
  definitionsIn,
  type DiscoveryContext,
  type ExportGaps,
  pagesOf,
  type EntitySearch,
} from "./export-discovery.ts";
import { withEdges } from "./export-edges.ts";
import { type FacetsFromRules, facetsFromRules, type RuleInputs } from "../pull/facets-from-rules.ts";
import type { Abortable } from "../../sync/read/read-batches.ts";

/** Number of files to write at the same time. */
const filesAtOnce = 32;

/** Receives the exported entities one by one, and provides information about the existing manifests. */
export interface ExportSink extends ExportGaps, DeclaredValues {
  /** Receives an entity's manifest and live facets. The manifest is empty if rules declare all of its values. */
  readonly take: (urn: Urn, manifest: EntityManifest, live: Entity["facets"]) => void | Promise<void>;
  /** Receives each URN that manifests refer to but that is not in the catalog. */
  readonly absent: (urn: Urn) => void;
  /** Returns the facets that the entity's manifest declared before the export. */
  readonly before: (urn: Urn) => Entity["facets"];
}

export interface ExportOptions extends Abortable {
  readonly scope: DiscoveryContext["scope"];
  readonly ignored: DiscoveryContext["ignored"];
  /** The rules. Manifests omit the values that rules declare. */
  readonly rules: RuleInputs;
  /** Called with the number of entities read so far and the total number. If absent, the total is not counted. */
  readonly onProgress?: ((read: number, total: number) => void) | undefined;
}

interface ExportContext extends DiscoveryContext {
  readonly sink: ExportSink;
  readonly ruledFacets: FacetsFromRules;
  /** The known display names. The value is `undefined` for an entity without a display name. */
  readonly names: Map<Urn, string | undefined>;
  /** The definitions that were read. */
  readonly present: Set<Urn>;
  /** All entities that the manifests refer to. */
  readonly referred: Set<Urn>;
}

/**
 * Passes a manifest for each entity in scope to a sink: definitions first, then assets page by page. Throws `CatalogError` if a
 * request fails.
 */
export async function exportCatalog(
  reader: Reader,
  sink: ExportSink,
  { rules, onProgress, ...options }: ExportOptions,
): Promise<void> {
  const { scope, signal } = options;
  const [definitions, assets] = [definitionsIn(scope), assetsIn(scope)];
  const total = onProgress ? await countOf(reader, [...definitions, ...assets], signal) : 0;
  const found = [...definitions, ...assets].map(
    (wanted) => [wanted, prefetchFirst(discover(reader, wanted, signal))] as const,
  );
  let read = 0;
  const context: ExportContext = {
    ...options,
    reader,
    sink,
    found: new Map(found),
    onRead: (count) => {
      read += count;
      onProgress?.(read, Math.max(read, total));
    },
    ruledFacets: facetsFromRules(reader, rules, options),
    names: new Map(),
    present: new Set(),
    referred: new Set(),
  };
  await exportDefinitions(context, definitions);
  const exported = new Set<string>(assets.map(({ kind }) => kind.name));
  const isWanted = ({ name, kinds }: Facet): boolean =>
    (scope.facets?.has(name) ?? true) && kinds.some((kind) => exported.has(kind));
  const inColumns = await facetsInColumns(reader, isWanted, { signal });
  for (const wanted of assets) await exportAssets(context, wanted, inColumns);
  await reportAbsent(context);
}

// Reads all definitions before writing any, because there are only a few, and parents and memberships connect them.
async function exportDefinitions(
  context: ExportContext,
  definitions: readonly EntitySearch[],
): Promise<void> {
  if (definitions.length === 0) return;
  const entities: Entity[] = [];
  for (const wanted of definitions)
    for await (const page of pagesOf(context, wanted)) appendTo(entities, page);
  for (const entity of entities) {
    context.present.add(entity.urn);
    const name = displayNameOf(entity);
    if (name !== undefined) context.names.set(entity.urn, name);
  }
  await emit(context, withoutCycles(await withEdges(context, entities), context.sink));
}

async function exportAssets(
  context: ExportContext,
  wanted: EntitySearch,
  inColumns: readonly string[],
): Promise<void> {
  // Read the next page while the files for this page are being written. At most two pages are in memory.
  let writing: Promise<unknown> = Promise.resolve();
  for await (const page of pagesOf(context, wanted, inColumns)) {
    await writing;
    writing = emitAssets(context, wanted.kind, page);
    // The error is thrown at the next `await`.
    writing.catch(() => {});
  }
  await writing;
}

/** Removes parents and references that form a cycle, because manifests cannot express cycles. */
function withoutCycles(entities: readonly Entity[], sink: ExportSink): readonly Entity[] {
  const state = new Map(entities.map((entity) => [entity.urn, entity]));
  const inCycle = new Set(cyclesFrom(state.keys(), parentsIn(state)).flat());
  const facetsOf = new Map<Urn, readonly string[]>();
  for (const { facet, cycle } of referenceCycles(state))
    for (const urn of cycle) facetsOf.set(urn, [...(facetsOf.get(urn) ?? []), facet]);
  return entities.map((entity) => {
    const parent = inCycle.has(entity.urn) ? kindOf(entity.kind).parentFacet : undefined;
    const own = [...(parent === undefined ? [] : [parent]), ...(facetsOf.get(entity.urn) ?? [])];
    for (const facet of own) sink.leaveOut(entity.urn, "circle", facet);
    return own.reduce(withoutFacet, entity);
  });
}

/** Exports assets without the values that rules declare. Skips an asset if its matching rules are unknown. */
async function emitAssets(context: ExportContext, kind: Kind, page: readonly Entity[]): Promise<void> {
  const { sink, scope, ruledFacets } = context;
  const urns = page.map(({ urn }) => urn);
  const { facets: declaredByRules, unreadable } = await ruledFacets(kind, urns);
  for (const [urn, error] of unreadable) sink.unreadable(urn, error);
  const ruled = new Set<Urn>();
  const entities = page.flatMap((entity): readonly Entity[] => {
    const { urn } = entity;
    const own = declaredByRules.get(urn);
    if (unreadable.has(urn)) return [];
    if (!own) return [entity];
    const remainder = subtractRules(entity, own);
    const left = remainder.ruled.filter((facet) => scope.facets?.has(facet) ?? true);
    for (const facet of left) sink.leaveOut(urn, "ruled", facet);
    if (left.length > 0) ruled.add(urn);
    return [remainder.entity];
  });
  await emit(context, entities, { ruled, live: new Map(page.map((entity) => [entity.urn, entity])) });
}

/** The assets' live facets, and the assets to write even if their manifests are empty. */
interface RuledAssets {
  /** Assets with a facet that rules declare completely. */
  readonly ruled: ReadonlySet<Urn>;
  /** The assets, including the values that rules declare. */
  readonly live: ReadonlyMap<Urn, Entity>;
}

/** Passes the manifests of entities to the sink. Skips an asset with an empty manifest unless the asset is in `ruled`. */
async function emit(
  context: ExportContext,
  entities: readonly Entity[],
  { ruled, live }: RuledAssets = { ruled: new Set(), live: new Map() },
): Promise<void> {
  const { sink, scope, ignored, names } = context;
  await learnNames(context, entities);
  const options: ManifestOptions = {
    names,
    ignored,
    isWanted: (urn, places) =>
      places.every(({ facet }) => scope.facets?.has(facet) ?? true) && sink.isWanted(urn, places),
    elsewhere: sink.elsewhere,
  };
  for (const batch of chunks(entities, filesAtOnce)) {
    await Promise.all(
      batch.map(async (entity) => {
        const { urn } = entity;
        const manifest = entityManifest(entity, options);
        for (const { facet, value, isElement } of manifest.notExpressible)
          sink.leaveOut(urn, isElement ? "element-not-expressible" : "not-expressible", facet, value);
        const isDefined = isDefinitionKind(entity.kind) && !scope.facets;
        for (const each of urnsIn(manifest.facets)) context.referred.add(each);
        if (isDefined || ruled.has(urn) || manifest.facets.size > 0)
          await sink.take(urn, manifest, (live.get(urn) ?? entity).facets);
      }),
    );
  }
}

/** Reads display names that are not known yet, for URNs in the values of entities and in their previous manifests. */
async function learnNames(
  { reader, sink, names, signal }: ExportContext,
  entities: readonly Entity[],
): Promise<void> {
  const named = entities.flatMap(({ urn, facets }) => [...urnsIn(facets), ...urnsIn(sink.before(urn))]);
  const unknown = [...new Set(named)].filter((urn) => !names.has(urn));
  const found = await readNames(reader, unknown, { signal });
  for (const urn of unknown) names.set(urn, found.get(urn));
}

/**
 * Reports references to missing entities. Checks the existence of referenced entities that were not read, because a restricted
 * export reads few definitions and the index may lag.
 */
async function reportAbsent({ reader, sink, referred, present, signal }: ExportContext): Promise<void> {
  const unread = [...referred].filter((urn) => !present.has(urn));
  const existence = await readExistence(reader, unread, { signal });
  for (const [urn, { status }] of existence) if (status === "absent") sink.absent(urn);
}

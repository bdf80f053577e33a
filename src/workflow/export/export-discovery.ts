/** Finds the entities to export, reads them page by page, and reports entities that are omitted or unreadable. */

import type { Reader } from "../../datahub/client.ts";
import { facets } from "../../facets/index.ts";
import { definitionKinds, kinds } from "../../kinds/index.ts";
import type { Kind, SearchFilter } from "../../kinds/kind.ts";
import type { Live } from "../../model/live.ts";
import type { Entity, Member, Scalar } from "../../model/state.ts";
import { keyOf, type Urn } from "../../model/urn.ts";
import type { Ignored } from "../../plan/base/ignore.ts";
import { isRemovedDefinition } from "../../plan/base/definitions.ts";
import { isInOneOf } from "../../plan/align/select.ts";
import { discover, type Discovery, type Page } from "../../sync/read/discover.ts";
import { readAllFacets } from "../../sync/read/definitions.ts";
import type { Abortable } from "../../sync/read/read-batches.ts";

/** Conditions for the export. Only entities that meet all of them are exported. */
export interface ExportScope {
  readonly kinds?: ReadonlySet<string>;
  readonly facets?: ReadonlySet<string>;
  /** Whether to export the entity with this URN. */
  readonly isTarget?: (urn: Urn) => boolean;
  /** The ids of the data platforms whose assets are exported. */
  readonly platforms?: readonly string[];
  /** The domains whose assets are exported. */
  readonly domains?: readonly Urn[];
}

/** The reason why an entity or one of its facets is not in the manifests. */
export type LeftOut =
  | "system"
  | "soft-deleted"
  | "ignored"
  | "external"
  | "circle"
  | "not-expressible"
  | "element-not-expressible"
  | "undeclarable"
  | "ruled";

/** Receives the entities and facets that are missing from an export. */
export interface ExportGaps {
  readonly leaveOut: (urn: Urn, why: LeftOut, facet?: string, value?: Member | Scalar) => void;
  /** Receives an entity that could not be read, and the server's error. */
  readonly unreadable: (urn: Urn, error: string) => void;
}

/** The context for finding entities to export. */
export interface DiscoveryContext extends Abortable {
  readonly reader: Reader;
  readonly scope: ExportScope;
  readonly ignored: Ignored;
  readonly sink: ExportGaps;
  /** The pages of each search. The first pages of all searches are requested together. */
  readonly found: ReadonlyMap<EntitySearch, AsyncIterable<Page>>;
  /** Called with the number of entities on each page after the page was read. */
  readonly onRead: (count: number) => void;
}

/** A search for entities of one kind. */
export interface EntitySearch extends Discovery {
  readonly kind: Kind;
}

/**
 * Returns the searches for definitions in a scope, one for each kind. Definitions have neither a platform nor a domain, so the
 * result is empty for a scope with either.
 */
export function definitionsIn({ platforms, domains, kinds: only }: ExportScope): readonly EntitySearch[] {
  if (platforms || domains) return [];
  return definitionKinds.filter(({ name }) => only?.has(name) ?? true).map((kind) => ({ kind }));
}

/** Returns the searches for assets in a scope, one for each kind. */
export function assetsIn(scope: ExportScope): readonly EntitySearch[] {
  const observed = kinds.filter(({ lifecycle }) => lifecycle === "observed");
  return observed
    .filter(({ name }) => scope.kinds?.has(name) ?? true)
    .map((kind) => ({ kind, anyOf: [filtersOf(scope)] }));
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

/** Yields the current entities in scope, page by page. Also reads the facets in `inColumns` from column entities. */
export async function* pagesOf(
  context: DiscoveryContext,
  wanted: EntitySearch,
  inColumns: readonly string[] = [],
): AsyncGenerator<readonly Entity[]> {
  const { scope, reader, signal, found, onRead } = context;
  for await (const { urns } of found.get(wanted) ?? discover(reader, wanted, signal)) {
    const own = urns.filter((urn) => isInScope(urn, wanted.kind, context));
    const live = await readAllFacets(reader, own, inColumns, { signal });
    onRead(urns.length);
    // The index may be outdated, so an asset may be in a different domain now.
    yield present(live, context).filter((entity) => !scope.domains || isInOneOf(entity, scope.domains));
  }
}

function isInScope(urn: Urn, kind: Kind, { scope, ignored, sink }: DiscoveryContext): boolean {
  if (scope.isTarget && !scope.isTarget(urn)) return false;
  const why = whyWithoutManifest(urn, kind, ignored);
  if (why) sink.leaveOut(urn, why);
  return !why;
}

function whyWithoutManifest(urn: Urn, kind: Kind, ignored: Ignored): LeftOut | undefined {
  if (kind.isSystem?.(keyOf(urn)) === true) return "system";
  if (ignored.entity(urn)) return "ignored";
  // Servers can contain URNs that newer releases reject, and dataset URNs with an environment that DataHub does not support.
  const written = kind.urnOf({ kind: kind.name, ...kind.identityOf(urn) });
  return "urn" in written && written.urn === urn ? undefined : "undeclarable";
}

function present({ state, missing, unreadable }: Live, { sink }: DiscoveryContext): readonly Entity[] {
  for (const [urn, error] of unreadable) sink.unreadable(urn, error);
  // The index may still contain entities that were just deleted.
  for (const [urn, why] of missing) if (why === "soft-deleted") sink.leaveOut(urn, why);
  return [...state.values()].filter((entity) => {
    const isRemoved = isRemovedDefinition(entity);
    if (isRemoved) sink.leaveOut(entity.urn, "soft-deleted");
    return !isRemoved;
  });
}

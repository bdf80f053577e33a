/** Reads column values that the server stores in separate entities. */

import { aspectsIn } from "../../facets/answered-aspects.ts";
import type { ColumnEntity, StoringColumnEntity } from "../../facets/map-contract.ts";
import { facets } from "../../facets/index.ts";
import { asCatalogError, CatalogError } from "../../model/catalog-error.ts";
import { type Live, typeOfField } from "../../model/live.ts";
import type { UnmanagedValue } from "../../model/plan.ts";
import type { JsonObject } from "../../model/json.ts";
import { leafIn, placeAt, shapedLike } from "../../model/place.ts";
import {
  type EntityKey,
  type Entity,
  type FacetValue,
  type Member,
  type SetValue,
  type State,
  without,
} from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { keyOfUnmanaged } from "../../plan/diff/unmanaged.ts";
import { withFacet } from "../../plan/base/group-lists.ts";
import { resolveKeys } from "../../plan/align/resolve-keys.ts";
import type { Reader } from "../../datahub/client.ts";
import { type DeclaredFacets, isStored, rawAspectsOf, shellSignOfColumn } from "./entities-document.ts";
import { questionOf, type StoredQuestion } from "./question.ts";
import { type ExtraAnswer, readBatches, type ReadOptions } from "./read-batches.ts";

/** Number of columns in a request. It is large because few columns have a column entity. */
const columnsBatch = 500;

/** Builds the query for column entities. */
export function columnEntitiesDocument(columnEntity: ColumnEntity): string {
  return `query ReadColumnEntities($urns: [String!]!) { entities(urns: $urns) { urn ${fragmentOf(columnEntity)} } }`;
}

function storedOf({ answered }: ColumnEntity | StoringColumnEntity): StoredQuestion {
  return { aspectsOf: () => [answered.name], isComplete: true };
}

function fragmentOf({ field, answered }: ColumnEntity): string {
  return `... on ${typeOfField(field)} { ${answered.selection} }`;
}

function aspectsOf({ answered }: ColumnEntity | StoringColumnEntity, entity: JsonObject): JsonObject {
  return aspectsIn(entity, isStored(entity) ? [] : [answered], rawAspectsOf(entity));
}

/** A request for column entities in the same document as their assets. `selection` is the GraphQL selection. */
export interface ColumnQuery {
  readonly selection: string;
  /** Returns the column URNs of assets. Returns none if there are too many for one request. */
  urnsOf(assets: readonly Urn[]): readonly Urn[];
}

/**
 * Returns the query for the declared columns. The column URNs contain the column names from the manifests, because these names
 * are nearly always paths.
 */
export function columnQuery(
  wanted: State,
  declared: DeclaredFacets,
  fields: ReadonlySet<string> | undefined,
): ColumnQuery | undefined {
  const wantedFacets = withEntities.filter(
    ({ name, columnEntity }) =>
      fields?.has(columnEntity.field) && [...declared.values()].some((facet) => facet.has(name)),
  );
  if (wantedFacets.length === 0) return undefined;
  return {
    selection: wantedFacets.map(({ columnEntity }) => fragmentOf(columnEntity)).join(" "),
    urnsOf: (assets) => {
      const urns = assets.flatMap((urn) =>
        wantedFacets.flatMap(({ name, columnEntity }) => {
          const value = wanted.get(urn)?.facets.get(name);
          return value?.shape === "map"
            ? Array.from(value.entries.keys(), (column) => columnEntity.urnOf(urn, column))
            : [];
        }),
      );
      return urns.length > columnsBatch ? [] : [...new Set(urns)];
    },
  };
}

/**
 * Reads the values that ingestion stores in separate entities for declared columns. Leaves out unreadable values, because nothing
 * depends on them.
 */
export async function readColumnEntities(
  reader: Reader,
  wanted: State,
  { state, unmanaged }: Live,
  { fields, known: extra, batch = columnsBatch, ...options }: ColumnOptions,
): Promise<readonly UnmanagedValue[]> {
  const known = new Set(unmanaged.map(keyOfUnmanaged));
  const found: UnmanagedValue[] = [];
  for (const { name: facet, columnEntity } of withEntities) {
    if (fields?.has(columnEntity.field) !== true) continue;
    const places = declaredColumns(wanted, state, facet);
    const byUrn = new Map(places.map((place) => [columnEntity.urnOf(place.urn, place.path[0]), place]));
    const record = (urn: Urn, entity: JsonObject | undefined): void => {
      const place = byUrn.get(urn);
      if (!place || !entity) return;
      const { own, path, ...asset } = place;
      for (const value of without(observed(columnEntity, entity), own.members)) {
        const each: UnmanagedValue = { ...asset, facet, path, value, reason: "ingested" };
        if (!known.has(keyOfUnmanaged(each))) found.push(each);
      }
    };
    const unread = [...byUrn.keys()].filter((urn) => !extra?.has(urn));
    for (const urn of byUrn.keys()) record(urn, extra?.get(urn));
    const question = questionOf(unread, columnEntitiesDocument(columnEntity), storedOf(columnEntity));
    await readBatches(reader, [question], { ...options, batch }, (urn, { entity, error }) => {
      record(urn, error === undefined ? entity : undefined);
    });
  }
  return found;
}

/**
 * Adds the values that the server stores in separate entities for the declared columns. If such an entity cannot be read, its
 * asset becomes unreadable.
 */
export async function addStoredInColumns(
  reader: Reader,
  wanted: State,
  { state, unreadable }: { readonly state: Map<Urn, Entity>; readonly unreadable: Map<Urn, string> },
  { batch = columnsBatch, ...options }: ReadOptions,
): Promise<void> {
  for (const { name: facet, stored } of withStoredValues) {
    const places = columnsDeclared(wanted, state, facet);
    const byUrn = new Map(places.map((place) => [stored.urnOf(place.urn, place.column), place]));
    // GraphQL omits values whose definition was deleted.
    const asStored: StoredQuestion = { ...storedOf(stored), isMoreThanAnswered: true };
    const question = questionOf([...byUrn.keys()], storingEntitiesDocument(stored), asStored);
    await readBatches(reader, [question], { ...options, batch }, (urn, { entity, error }) => {
      const place = byUrn.get(urn);
      const asset = place && state.get(place.urn);
      if (!asset) return;
      try {
        if (error !== undefined) throw new CatalogError("answer", error);
        const value = shapedLike(stored.observe(aspectsOf(stored, entity ?? {})), place.declared);
        state.set(asset.urn, withFacetAt(asset, facet, place.column, value));
      } catch (fault) {
        state.delete(asset.urn);
        unreadable.set(asset.urn, `${place.column}: ${asCatalogError(fault).message}`);
      }
    });
  }
}

/** Adds the values that the server stores in column entities, for all columns of the assets. */
export async function withStoredInColumns(reader: Reader, live: Live, options: ReadOptions): Promise<Live> {
  const [state, unreadable] = [new Map(live.state), new Map(live.unreadable)];
  await addStoredInColumns(reader, live.state, { state, unreadable }, options);
  return { ...live, state, unreadable };
}

/** Builds the query for the column entities that store values of a facet. */
export function storingEntitiesDocument({ typename, answered }: StoringColumnEntity): string {
  return `query ReadColumnValues($urns: [String!]!) { entities(urns: $urns) { urn ... on ${typename} { ${shellSignOfColumn} ${answered.selection} } } }`;
}

const withStoredValues = facets.flatMap(({ name, ...facet }) =>
  facet.shape === "map" && facet.storedInColumns ? [{ name, stored: facet.storedInColumns }] : [],
);

function withFacetAt(entity: Entity, facet: string, column: string, value: FacetValue): Entity {
  const before = entity.facets.get(facet);
  const entries = new Map(before?.shape === "map" ? before.entries : []);
  return withFacet(entity, facet, { shape: "map", entries: entries.set(column, value) });
}

interface ColumnOptions extends ReadOptions {
  readonly fields: ReadonlySet<string> | undefined;
  /** The column entities that were read together with their assets. */
  readonly known: ExtraAnswer | undefined;
}

const withEntities = facets.flatMap(({ name, ...facet }) =>
  facet.shape === "map" && facet.columnEntity ? [{ name, columnEntity: facet.columnEntity }] : [],
);

/** A declared column that exists in the catalog, and its editable values. */
interface Place extends EntityKey {
  readonly path: readonly [column: string];
  readonly own: SetValue;
}

function declaredColumns(wanted: State, live: State, facet: string): readonly Place[] {
  return columnsDeclared(wanted, live, facet).flatMap(({ urn, kind, column }) => {
    const set = leafIn(live.get(urn), placeAt(facet, [column]));
    return set?.shape === "set" ? [{ urn, kind, path: [column] as const, own: set }] : [];
  });
}

/** A column that exists in the catalog, and its declared value. */
interface DeclaredColumn extends EntityKey {
  readonly column: string;
  readonly declared: FacetValue;
}

function columnsDeclared(wanted: State, live: State, facet: string): readonly DeclaredColumn[] {
  const declared = [...live.keys()].flatMap((urn) => {
    const entity = wanted.get(urn);
    const value = entity?.facets.get(facet);
    return entity && value?.shape === "map"
      ? ([[urn, { ...entity, facets: new Map([[facet, value]]) }]] as const)
      : [];
  });
  return [...resolveKeys(new Map(declared), live).state.values()].flatMap(({ urn, kind, facets: own }) => {
    const [value, liveValue] = [own.get(facet), live.get(urn)?.facets.get(facet)];
    if (value?.shape !== "map" || liveValue?.shape !== "map") return [];
    return [...value.entries].flatMap(([column, below]) =>
      liveValue.entries.has(column) ? [{ urn, kind, column, declared: below }] : [],
    );
  });
}

function observed(columnEntity: ColumnEntity, entity: JsonObject): readonly Member[] {
  try {
    return columnEntity.observe(aspectsOf(columnEntity, entity));
  } catch (error) {
    asCatalogError(error);
    return [];
  }
}

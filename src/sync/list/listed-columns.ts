/** Lists asset columns as separate entities, and selects the facets to read for a list. */

import { facetNamed, type ListedFacet, listedFacets } from "../../facets/index.ts";
import type { Facet } from "../../facets/facet.ts";
import type { ListedEntity, ListFilter } from "../../model/listing.ts";
import { valueAt } from "../../model/place.ts";
import type { UnmanagedValue } from "../../model/plan.ts";
import type { Asset, AssetColumn, Rule } from "../../model/rule.ts";
import { type Entity, type FacetValue, isMember, setOf } from "../../model/state.ts";
import { matchesColumn } from "../../plan/rules/match.ts";
import { withFacet } from "../../plan/base/group-lists.ts";
import { entityToRead } from "../read/entities-to-read.ts";

/** Returns the column facets that correspond to asset facets. */
function columnFacetsOf(facets: readonly ListedFacet[]): readonly Facet[] {
  return facets.flatMap(({ listing }) =>
    listing.columnFacet === undefined ? [] : [facetNamed(listing.columnFacet)],
  );
}

const columnFacets = columnFacetsOf(listedFacets);

/**
 * Returns the entity to read for an asset, with the required facets. Includes expensive facets only if they are listed or the
 * filter needs them.
 */
export function listedToRead(
  { urn, columns = [] }: Asset,
  { values, missing, byColumn }: ListFilter,
  judged: readonly Facet[] = [],
): readonly Entity[] {
  const facets = listedFacets.filter(
    ({ name, readWhenDeclared, listing }) =>
      !readWhenDeclared || listing.isColumn || values.has(name) || missing.includes(name),
  );
  const entities = entityToRead(urn, () => [...facets, ...judged]);
  if (!byColumn) return entities;
  const noValues = { shape: "map", entries: new Map<string, FacetValue>() } as const;
  const allColumns = { shape: "map", entries: new Map(columns.map(({ path }) => [path, noValues])) } as const;
  const named = columnFacetsOf(facets);
  return entities.map((entity) => named.reduce((all, { name }) => withFacet(all, name, allColumns), entity));
}

/** An asset, and the data needed to list its columns. */
export interface AssetWithColumns {
  readonly listed: ListedEntity;
  readonly asset: Asset;
  /** The live values. `declared` contains the values that documents declare, without values from rules. */
  readonly live: Entity;
  readonly declared: Entity | undefined;
  /** The rules that match the asset. */
  readonly rules: readonly Rule[];
  /** Column values that ingestion wrote. */
  readonly ingested: readonly UnmanagedValue[];
}

/** Returns the columns of an asset, each with the column's own values and the asset's values. */
export function listedColumnsOf(each: AssetWithColumns): readonly ListedEntity[] {
  const { listed, asset } = each;
  return (asset.columns ?? []).map((column) => ({
    ...listed,
    column: column.path,
    facets: facetsAt(column, each),
    declaredBy: {
      documents: isDocumented(column, each.declared),
      rules: each.rules.some((rule) => rule.columns.some((own) => matchesColumn(own, column))),
    },
  }));
}

function facetsAt({ path }: AssetColumn, { listed, live, ingested }: AssetWithColumns): Entity["facets"] {
  const facets = new Map<string, FacetValue>(listed.facets);
  for (const { name, listing } of listedFacets) {
    const { columnFacet } = listing;
    if (columnFacet === undefined) continue;
    const value = valueAt(live.facets.get(columnFacet), [path]);
    const ownIngested = ingested.filter((each) => each.facet === columnFacet && each.path?.[0] === path);
    if (value) facets.set(name, withIngested(value, ownIngested));
    else facets.delete(name);
  }
  return facets;
}

function withIngested(value: FacetValue, ingested: readonly UnmanagedValue[]): FacetValue {
  if (value.shape !== "set" || ingested.length === 0) return value;
  return setOf([...value.members, ...ingested.map((each) => each.value).filter(isMember)]);
}

/** Whether documents declare a value for a column under its path or its plain name. */
function isDocumented({ path, name }: AssetColumn, declared: Entity | undefined): boolean {
  return columnFacets.some((facet) => {
    const value = declared?.facets.get(facet.name);
    return value?.shape === "map" && (value.entries.has(path) || value.entries.has(name));
  });
}

import { facetNamed, listedFacets } from "../../facets/index.ts";
import type { Facet } from "../../facets/facet.ts";
import type { ListedEntity } from "../../model/listing.ts";
import { leafAt } from "../../model/place.ts";
import type { UnmanagedValue } from "../../model/plan.ts";
import type { Asset, AssetColumn, Rule } from "../../model/rule.ts";
import { type Entity, type FacetValue, isMember, type Leaf, setOf } from "../../model/state.ts";
import { matchesColumn } from "../../plan/rules/match.ts";

/** The facets that have of columns what lists show. */
export const columnFacets: readonly Facet[] = listedFacets.flatMap(({ listing }) =>
  listing.columnFacet === undefined ? [] : [facetNamed(listing.columnFacet)],
);

/** An asset with all that its columns are listed by. */
export interface AssetWithColumns {
  readonly listed: ListedEntity;
  readonly asset: Asset;
  /** What the catalog has of it, and what documents declare. */
  readonly live: Entity;
  readonly declared: Entity | undefined;
  /** The rules that match it. */
  readonly rules: readonly Rule[];
  /** What ingestion wrote of its columns. */
  readonly ingested: readonly UnmanagedValue[];
}

/** The columns of an asset, each with what the asset and the column itself have. */
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
    const leaf = leafAt(live.facets.get(columnFacet), [path]);
    const beside = ingested.filter((value) => value.facet === columnFacet && value.path?.[0] === path);
    if (leaf) facets.set(name, withIngested(leaf, beside));
    else facets.delete(name);
  }
  return facets;
}

function withIngested(leaf: Leaf, ingested: readonly UnmanagedValue[]): Leaf {
  if (leaf.shape === "scalar" || ingested.length === 0) return leaf;
  return setOf([...leaf.members, ...ingested.map(({ value }) => value).filter(isMember)]);
}

/** Whether documents declare something of a column, which they call by its path or its plain name. */
function isDocumented({ path, name }: AssetColumn, declared: Entity | undefined): boolean {
  return columnFacets.some((facet) => {
    const value = declared?.facets.get(facet.name);
    return value?.shape === "map" && (value.entries.has(path) || value.entries.has(name));
  });
}

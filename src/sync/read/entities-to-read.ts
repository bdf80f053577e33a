/** Determines which entities and facets to read. */

import { facetsOf } from "../../facets/index.ts";
import { kindOfUrn } from "../../kinds/index.ts";
import { type Entity, type FacetValue, scalarOf, type State } from "../../model/state.ts";
import { withFacet } from "../../plan/base/group-lists.ts";
import type { Urn } from "../../model/urn.ts";

/**
 * Returns an entity with the facets to read, by default all that manifests can declare. Returns no entity if its type has no
 * kind.
 */
export function entityToRead(
  urn: Urn,
  facetsIn: (kind: string) => readonly { readonly name: string }[] = facetsOf,
): readonly Entity[] {
  const kind = kindOfUrn(urn)?.name;
  if (kind === undefined) return [];
  return [{ urn, kind, facets: new Map(facetsIn(kind).map(({ name }) => [name, scalarOf(null)])) }];
}

/** Returns a map of entities, keyed by URN. */
export function stateOf(entities: readonly Entity[]): State {
  return new Map(entities.map((entity) => [entity.urn, entity]));
}

/** Returns entities with all facets that manifests can declare. For facets in `inColumns`, all columns are read. */
export function withAllFacets(urns: readonly Urn[], inColumns: readonly string[] = []): State {
  const all = urns.flatMap((urn) => entityToRead(urn));
  const none: FacetValue = { shape: "map", entries: new Map() };
  const withColumns = (entity: Entity): Entity =>
    inColumns
      .filter((name) => entity.facets.has(name))
      .reduce((each, name) => withFacet(each, name, none), entity);
  return stateOf(all.map(withColumns));
}

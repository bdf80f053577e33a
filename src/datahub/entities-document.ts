import { facetsOf } from "../facets/index.ts";
import { kinds } from "../kinds/index.ts";
import type { Entity } from "../model/state.ts";

/** The query that reads the entities of a batch: what tells whether they exist, and their facets. */
export function documentFor(
  entities: readonly Entity[],
  costly: boolean,
  has: (typeAndField: string) => boolean,
): string {
  const present = new Set(entities.map((entity) => entity.kind));
  const fragments = kinds
    .filter((kind) => present.has(kind.name))
    .map((kind) => {
      const facets = facetsOf(kind.name).filter((facet) => costly || !facet.costly);
      return `... on ${kind.typename} { exists status { removed } ${facets.map((facet) => facet.selection(has)).join(" ")} }`;
    });
  return `query ReadEntities($urns: [String!]!) { entities(urns: $urns) { urn __typename ${fragments.join(" ")} } }`;
}

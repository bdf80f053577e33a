/** Finds the options of a list filter whose values are names, such as domains and platforms. */

import { listedFacets } from "../../facets/index.ts";
import { ownershipTypeNames } from "../../facets/ownership-types.ts";
import { matchKeys } from "../../kinds/match-key.ts";
import type { ListedEntity, ListFilter } from "../../model/listing.ts";
import { placedValuesIn } from "../../plan/listing/filter.ts";

/** A filter option, and the values that were given for it. */
export interface NameQuery {
  readonly option: string;
  readonly texts: readonly string[];
  readonly entityTypes: readonly string[];
  readonly known: ReadonlySet<string>;
  readonly takesValue: boolean;
  /** Filters that together match all entities with a value for the option. */
  readonly any: readonly Partial<ListFilter>[];
  readonly textsOf: (entity: ListedEntity) => readonly string[];
}

/** Returns the options in a filter whose values are names. */
export function queriesIn({ conditions, values }: ListFilter): readonly NameQuery[] {
  const ofKeys = conditions.flatMap(({ key, patterns: texts, origin }): readonly NameQuery[] => {
    const { entityTypes = [], known = new Set<string>() } =
      matchKeys.find((each) => each.key === key)?.option ?? {};
    if (entityTypes.length + known.size === 0) return [];
    const any = [{ conditions: [{ key, patterns: ["*"], origin }] }];
    const textsOf = ({ platform, env }: ListedEntity): readonly string[] =>
      [key === "platform" ? platform : key === "env" ? env : undefined].filter((text) => text !== undefined);
    return [{ option: key, texts, entityTypes, known, takesValue: false, any, textsOf }];
  });
  const ofFacets = listedFacets.flatMap(({ name: facet, listing }) =>
    listing.options.flatMap((option): readonly NameQuery[] => {
      const { name, entityTypes, takesValue = false } = option;
      const texts = values.get(facet)?.get(name);
      if (!texts) return [];
      const having = { values: new Map([[facet, new Map([[name, ["*"]]])]]) };
      const any = [having, ...(listing.columnFacet === undefined ? [] : [{ ...having, byColumn: true }])];
      const textsOf = ({ facets }: ListedEntity): readonly string[] =>
        placedValuesIn(facets.get(facet)).flatMap(([path, value]) => option.textsOf(value, path));
      const known = new Set(entityTypes.includes("ownershipType") ? ownershipTypeNames : []);
      return [{ option: name, texts, entityTypes, known, takesValue, any, textsOf }];
    }),
  );
  return [...ofKeys, ...ofFacets];
}

import { facetNamed } from "../facets/index.ts";
import { type Change, isFacetChange } from "../model/change.ts";
import { groupBy } from "../model/group-by.ts";

/**
 * Changes by entity, what weighs most first: what takes away a value that was not declared before, then owners, domains,
 * deletions, and the rest. Equal ones keep their order.
 */
export function byEntity<Each extends Change>(changes: readonly Each[]): readonly (readonly Each[])[] {
  const groups = [...groupBy(changes, ({ urn }) => urn).values()];
  const inside = groups.map((group) => heaviestFirst(group, (change) => [change]));
  return heaviestFirst(inside, (group) => group);
}

/** Things in the order of `byEntity`, by the changes that each is about. */
export function heaviestFirst<Item>(
  items: readonly Item[],
  changesOf: (item: Item) => readonly Change[],
): readonly Item[] {
  const weighed = items.map((item) => ({ item, place: changesOf(item).reduce<number>(earlier, rest) }));
  return weighed.toSorted((a, b) => a.place - b.place).map(({ item }) => item);
}

const [foreign, owners, domains, deletions, rest] = [0, 1, 2, 3, 4] as const;

function earlier(place: number, change: Change): number {
  return Math.min(place, placeOf(change));
}

function placeOf(change: Change): number {
  if (!isFacetChange(change)) return change.action === "delete" ? deletions : rest;
  const { removed = [], facet, action } = change;
  if (removed.some(({ declaredBefore }) => declaredBefore !== true)) return foreign;
  if (action === "create") return rest;
  const { holdsOwners, isHome } = facetNamed(facet);
  return holdsOwners === true ? owners : isHome === true ? domains : rest;
}

import { groupBy } from "../../src/model/group-by.ts";
import { type Place, placedLeaves, placeKey, valueFrom } from "../../src/model/place.ts";
import type { Asset, AssetColumn, ColumnRule, Rule } from "../../src/model/rule.ts";
import { type FacetValue, type Leaf, scalarOf, setOf, type State } from "../../src/model/state.ts";
import type { RuleWorld } from "./rule-worlds.ts";

/** The rules that hold for an asset, found in another way: by regular expressions. */
export function rulesFor({ rules, exempt }: RuleWorld, asset: Asset): readonly Rule[] {
  const holds = ({ key, patterns }: Rule["conditions"][number]): boolean => {
    const texts: Readonly<Record<string, readonly string[]>> = {
      name: [asset.name ?? ""],
      platform: [asset.platform ?? "", `urn:li:dataPlatform:${asset.platform}`],
      container: asset.containers.flatMap((each) => [each, each.replace("urn:li:container:", "")]),
      subtype: asset.subtypes,
    };
    return patterns.some((pattern) => (texts[key] ?? []).some((text) => asRegExp(pattern).test(text)));
  };
  return rules.filter(
    ({ id, kind, conditions, exclusions }) =>
      kind === asset.kind &&
      exempt.get(asset.urn)?.has(id) !== true &&
      conditions.every(holds) &&
      !exclusions.some((all) => all.every(holds)),
  );
}

function asRegExp(pattern: string): RegExp {
  return new RegExp(
    `^${pattern
      .split("*")
      .map((part) => part.replaceAll(/[.[\]()]/g, "\\$&"))
      .join(".*")}$`,
    "s",
  );
}

/** What a document, or a rule, declares at a place of an asset; of a column by its path. */
interface Given {
  readonly place: Place;
  readonly leaf: Leaf;
  readonly priority: number;
}

function givenFor(world: RuleWorld, asset: Asset): readonly Given[] {
  const { columns = [] } = asset;
  const own = placedLeaves(world.state.get(asset.urn)?.facets ?? new Map()).map(({ place, leaf }) => {
    const column = columns.find(({ name }) => name === place.path?.[0]);
    return { place: { ...place, ...(column && { path: [column.path] }) }, leaf, priority: Infinity };
  });
  const byRules = rulesFor(world, asset).flatMap(({ facets, columns: patterns, priority }) => {
    const below = columns.flatMap((column) =>
      patterns
        .filter((rule) => isHit(rule, column))
        .flatMap((rule) =>
          placedLeaves(rule.facets).map(({ place, leaf }) => ({
            place: { ...place, path: [column.path] },
            leaf,
            priority,
          })),
        ),
    );
    return [...placedLeaves(facets).map((each) => ({ ...each, priority })), ...below];
  });
  return [...own, ...byRules];
}

function isHit(
  { pattern, nativeTypes = ["*"] }: ColumnRule,
  { name, nativeType = "" }: AssetColumn,
): boolean {
  return asRegExp(pattern).test(name) && nativeTypes.some((each) => asRegExp(each).test(nativeType));
}

/** What is declared together at each place of an asset: the union of sets, and all single values of the highest priority. */
function unitedFor(world: RuleWorld, asset: Asset): readonly (readonly [Place, readonly Leaf[]])[] {
  const byPlace = groupBy(givenFor(world, asset), ({ place }) => placeKey(place));
  return [...byPlace.values()].map((given) => {
    const sets = given.flatMap(({ leaf }) => (leaf.shape === "set" ? leaf.members : []));
    const most = Math.max(...given.map(({ priority }) => priority));
    const top = given.flatMap(({ leaf, priority }) =>
      leaf.shape === "scalar" && priority === most ? [leaf.value] : [],
    );
    const leaves = top.length > 0 ? [...new Set(top)].map((value) => scalarOf(value)) : [setOf(sets)];
    return [given[0]?.place ?? { facet: "" }, leaves];
  });
}

/** Whether rules of the same priority give an asset, or a column of it, different single values. */
export function isUndecided(world: RuleWorld, asset: Asset): boolean {
  return unitedFor(world, asset).some(([, leaves]) => leaves.length > 1);
}

/** The documents that say without rules what rules and documents say, put together in the plainest way. */
export function documentsFor(world: RuleWorld): State {
  const state = new Map(world.state);
  for (const asset of world.assets) {
    if (rulesFor(world, asset).length === 0) continue;
    const byFacet = groupBy(unitedFor(world, asset), ([{ facet }]) => facet);
    const facets = [...byFacet].map(([facet, united]) => {
      const leaves = united.flatMap(([{ path = [] }, [leaf]]) => (leaf ? [[path, leaf] as const] : []));
      return [facet, valueFrom(leaves)] as const;
    });
    state.set(asset.urn, { urn: asset.urn, kind: asset.kind, facets: new Map(facets) });
  }
  return state;
}

/** The catalog with nothing assigned. */
export function bare({ live }: RuleWorld): State {
  const emptied = (value: FacetValue): FacetValue => {
    if (value.shape !== "map") return value.shape === "set" ? setOf([]) : scalarOf(null);
    return {
      shape: "map",
      entries: new Map([...value.entries].map(([key, below]) => [key, emptied(below)])),
    };
  };
  return new Map(
    [...live].map(([of, entity]) => {
      const facets = new Map([...entity.facets].map(([facet, value]) => [facet, emptied(value)]));
      return [of, { ...entity, facets: new Map([["owners", setOf([])], ...facets]) }];
    }),
  );
}

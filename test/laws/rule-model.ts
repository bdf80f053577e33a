import type { Asset, Rule } from "../../src/model/rule.ts";
import { type FacetValue, scalarOf, setOf, type SetValue, type State } from "../../src/model/state.ts";
import type { RuleWorld } from "./rule-worlds.ts";

/** The rules that hold for an asset, found in another way: by regular expressions. */
export function rulesFor({ rules, exempt }: RuleWorld, asset: Asset): readonly Rule[] {
  const holds = ({ key, patterns }: Rule["conditions"][number]): boolean => {
    const texts: Readonly<Record<string, readonly string[]>> = {
      name: [asset.name ?? ""],
      platform: ["snowflake", "urn:li:dataPlatform:snowflake"],
      container: asset.containers.flatMap((each) => [each, each.replace("urn:li:container:", "")]),
      subtype: asset.subtypes,
    };
    return patterns.some((pattern) => (texts[key] ?? []).some((text) => asRegExp(pattern).test(text)));
  };
  return rules.filter(
    ({ id, conditions, exclusions }) =>
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

function topRules(world: RuleWorld, asset: Asset): readonly Rule[] {
  const giving = rulesFor(world, asset).filter(({ facets }) => facets.has("domain"));
  return giving.filter(({ priority }) => giving.every((other) => other.priority <= priority));
}

/** Whether rules of the same priority give an asset different domains. */
export function isUndecided(world: RuleWorld, asset: Asset): boolean {
  if (world.state.get(asset.urn)?.facets.has("domain") === true) return false;
  return new Set(topRules(world, asset).map(({ facets }) => valueOf(facets.get("domain")))).size > 1;
}

function valueOf(value: FacetValue | undefined): unknown {
  return value?.shape === "scalar" ? value.value : undefined;
}

/** The documents that say without rules what rules and documents say, put together in the plainest way. */
export function documentsFor(world: RuleWorld): State {
  const state = new Map(world.state);
  for (const asset of world.assets) {
    const rules = rulesFor(world, asset);
    const own = world.state.get(asset.urn)?.facets ?? new Map<string, FacetValue>();
    const facets = new Map<string, FacetValue>(own);
    const [top] = topRules(world, asset);
    if (!own.has("domain") && top)
      facets.set("domain", scalarOf(valueOf(top.facets.get("domain")) as string | null));
    const sets = [own.get("tags"), ...rules.map((rule) => rule.facets.get("tags"))].flatMap(setIn);
    if (sets.length > 0) facets.set("tags", setOf(sets.flatMap(({ members }) => members)));
    const columns = columnsFor(asset, rules, own.get("columns.tags"));
    if (columns.size > 0) facets.set("columns.tags", { shape: "map", entries: columns });
    if (rules.length > 0) state.set(asset.urn, { urn: asset.urn, kind: asset.kind, facets });
  }
  return state;
}

function columnsFor(
  asset: Asset,
  rules: readonly Rule[],
  own: FacetValue | undefined,
): ReadonlyMap<string, SetValue> {
  const written = own?.shape === "map" ? own.entries : new Map<string, FacetValue>();
  const entries = (asset.columns ?? []).flatMap(
    ({ path, name, nativeType = "" }): readonly [string, SetValue][] => {
      const hits = rules.flatMap(({ columns }) =>
        columns.filter(
          ({ pattern, nativeTypes = ["*"] }) =>
            asRegExp(pattern).test(name) && nativeTypes.some((each) => asRegExp(each).test(nativeType)),
        ),
      );
      const sets = [written.get(name), ...hits.map(({ facets }) => facets.get("columns.tags"))].flatMap(
        setIn,
      );
      return sets.length > 0 ? [[path, setOf(sets.flatMap(({ members }) => members))]] : [];
    },
  );
  return new Map(entries);
}

function setIn(value: FacetValue | undefined): readonly SetValue[] {
  return value?.shape === "set" ? [value] : [];
}

/** The catalog with nothing assigned. */
export function bare({ live }: RuleWorld): State {
  const emptied = (value: FacetValue): FacetValue => {
    if (value.shape === "map")
      return {
        shape: "map",
        entries: new Map([...value.entries.keys()].map((column) => [column, setOf([])])),
      };
    return value.shape === "set" ? setOf([]) : scalarOf(null);
  };
  return new Map(
    [...live].map(([of, entity]) => {
      const facets = new Map([...entity.facets].map(([facet, value]) => [facet, emptied(value)]));
      return [of, { ...entity, facets: new Map([["owners", setOf([])], ...facets]) }];
    }),
  );
}

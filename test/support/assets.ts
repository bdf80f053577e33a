import { simpleColumn } from "../../src/facets/columns.ts";
import type { Asset, ColumnRule, Condition, Rule } from "../../src/model/rule.ts";
import { assetPartsOf } from "../../src/model/asset-urn.ts";
import { type Urn } from "../../src/model/urn.ts";
import { collectExpansion, type Declared, type Expanded } from "../../src/plan/rules/expand.ts";
import { setOf } from "../../src/model/state.ts";
import { datasetNamed, urn } from "./states.ts";

/** A live table of Snowflake, in PROD, with columns of text. */
export function assetNamed(
  name: string,
  more: Partial<Asset> & { readonly paths?: readonly string[] } = {},
): Asset {
  const { paths = [], ...facts } = more;
  const own = datasetNamed(name);
  return {
    urn: own,
    kind: "Dataset",
    platform: assetPartsOf(own).platform,
    env: "PROD",
    name,
    containers: [],
    subtypes: ["Table"],
    columns: paths.map((path) => ({ path, name: simpleColumn(path), nativeType: "VARCHAR(255)" })),
    ...facts,
  };
}

/** A rule for datasets that declares nothing but what is given. Its line is that of its place in the list of the test. */
export function ruleOf(id: string, more: Partial<Rule> = {}): Rule {
  const origin = originOf(id);
  return {
    id,
    kind: "Dataset",
    conditions: [],
    exclusions: [],
    facets: new Map(),
    columns: [],
    modePlaces: new Map(Object.keys(more.manage ?? {}).map((facet) => [facet, origin])),
    priority: 0,
    references: [],
    origin,
    ...more,
  };
}

/** The place of a rule. */
export function originOf(id: string): Rule["origin"] {
  return { file: `catalog/${id}.yaml`, line: 1, column: 1 };
}

/** A condition of a rule. */
export function where(key: string, ...patterns: readonly string[]): Condition {
  return { key, patterns, origin: originOf("where") };
}

/** What a rule declares of columns: tags. */
export function columnTagged(pattern: string, ...tags: readonly string[]): ColumnRule {
  const members = tags.map((tag) => urn(`urn:li:tag:${tag}`));
  return {
    pattern,
    facets: new Map([["columns.tags", setOf(members, originOf(pattern))]]),
    origin: originOf(pattern),
  };
}

/** What documents and rules declare of some assets. */
export function expand(
  declared: Declared,
  assets: readonly Asset[],
  isIgnored: (urn: Urn) => boolean = () => false,
): Expanded {
  const expansion = collectExpansion(declared, isIgnored);
  for (const asset of assets) expansion.add(asset);
  return expansion.result();
}

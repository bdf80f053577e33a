/** The keys by which rules match assets, such as `platform` and `container`. */

import { patternString } from "../model/identifier.ts";
import type { JsonObject } from "../model/json.ts";
import type { Asset, MatchKey } from "../model/rule.ts";
import { keyOf } from "../model/urn.ts";
import { fabrics } from "../model/urn-parts.ts";
import { knownPlatforms } from "./platforms.ts";

/** Reads a value of an asset from a stored aspect. */
export interface StoredKey {
  readonly aspect: string;
  /** Builds the answer of GraphQL from the aspect. */
  answer(aspect: JsonObject): JsonObject;
}

/** A key by which rules match assets of a kind. */
export interface MatchedBy {
  readonly key: MatchKey;
  /** Its schema in manifests. */
  readonly schema: JsonObject;
  /** The GraphQL selection on an asset, if all kinds with the key share it. */
  readonly selection?: string;
  /** The aspect to read instead of the selection, for kinds that not every release shows in GraphQL. */
  readonly stored?: string;
  /** Builds the answer to the selection from stored aspects. */
  readonly fromStored?: StoredKey;
  /** The option of `list` for the key: its argument, and the end of its help text. */
  readonly option?: {
    readonly argument: string;
    readonly description: string;
    /** The types of the entities that it accepts, as URNs spell them. Without types, `known` has the valid names. */
    readonly entityTypes?: readonly string[];
    readonly known?: ReadonlySet<string>;
  };
  /** The texts that an asset has for the key. One of them must match. An entity has its id and its URN. */
  textsOf(asset: Asset): readonly string[];
}

const listOf = (text: string | undefined): readonly string[] => (text === undefined ? [] : [text]);

/** JSON Schema of a pattern, or of a list of alternative patterns. */
export function patternsSchema(
  description: string,
  ...examples: readonly (string | readonly string[])[]
): JsonObject {
  return {
    if: { type: "array" },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { items: patternString, minItems: 1 },
    else: patternString,
    description,
    examples,
  };
}

const platform: MatchedBy = {
  key: "platform",
  schema: patternsSchema("The data platform, by id or URN.", "snowflake", ["snowflake", "bigquery"]),
  option: { argument: "<id>", description: "of this data platform", known: knownPlatforms },
  textsOf: (asset) => listOf(asset.platform).flatMap((id) => [id, `urn:li:dataPlatform:${id}`]),
};

const instance: MatchedBy = {
  key: "platform_instance",
  schema: patternsSchema("The platform instance, by its id in DataHub.", "eu", ["eu", "us*"]),
  selection: "dataPlatformInstance { urn }",
  fromStored: {
    aspect: "dataPlatformInstance",
    answer: ({ instance: stored }) => ({ dataPlatformInstance: stored ? { urn: stored } : null }),
  },
  textsOf: (asset) => listOf(asset.instance),
};

const env: MatchedBy = {
  key: "env",
  schema: patternsSchema("The environment in the URN (`FabricType` in DataHub).", "PROD", ["PROD", "CORP"]),
  option: {
    argument: "<env>",
    description: "of this DataHub environment, such as PROD",
    known: new Set(fabrics),
  },
  textsOf: (asset) => listOf(asset.env),
};

const name: MatchedBy = {
  key: "name",
  schema: patternsSchema(
    "The name as in a manifest, without the platform instance. For a container, its display name.",
    "prod.finance.*",
    ["prod.finance.*", "prod.ledger.*"],
  ),
  option: { argument: "<pattern>", description: "whose name matches" },
  textsOf: (asset) => listOf(asset.name),
};

const urn: MatchedBy = {
  key: "urn",
  schema: patternsSchema("The full URN, usually as a pattern.", "urn:li:dataset:(urn:li:dataPlatform:dbt,*"),
  textsOf: (asset) => [asset.urn],
};

const container: MatchedBy = {
  key: "container",
  schema: patternsSchema("A container that holds the asset at any depth, by id or URN.", "0a1b2c", [
    "0a1b2c",
    "urn:li:container:3d4e5f",
  ]),
  selection: "container { urn }",
  fromStored: { aspect: "container", answer: ({ container: stored }) => ({ container: { urn: stored } }) },
  option: { argument: "<id>", description: "in this container, at any depth", entityTypes: ["container"] },
  textsOf: ({ containers }) => containers.flatMap((each) => [each, keyOf(each)]),
};

const subtype: MatchedBy = {
  key: "subtype",
  schema: patternsSchema("The subtype, such as `View`, as ingestion names it.", "View", ["Table", "View"]),
  selection: "subTypes { typeNames }",
  fromStored: { aspect: "subTypes", answer: ({ typeNames }) => ({ subTypes: { typeNames } }) },
  textsOf: ({ subtypes }) => subtypes,
};

const cluster: MatchedBy = {
  key: "cluster",
  schema: patternsSchema("The cluster in the URN of the data flow.", "prod", ["prod", "dev"]),
  textsOf: (asset) => listOf(asset.cluster),
};

const flow: MatchedBy = {
  key: "flow",
  schema: patternsSchema("The name of the data flow (pipeline) that contains the job.", "daily", [
    "daily",
    "hourly*",
  ]),
  textsOf: (asset) => listOf(asset.flow),
};

/** All keys. */
export const matchKeys: readonly MatchedBy[] = [
  platform,
  instance,
  env,
  flow,
  cluster,
  name,
  urn,
  container,
  subtype,
];

/** The key that matches an entity by its URN. */
export const urnKey: MatchKey = urn.key;

/** The key that finds entities of any kind by name, including kinds that rules do not match. */
export const nameKey: MatchKey = name.key;

/** The key, read from its stored aspect. */
export function readAsStored({ selection: _, ...key }: MatchedBy): MatchedBy {
  return key.fromStored ? { ...key, stored: key.fromStored.aspect } : key;
}

/** The keys with the given names. */
export function matchKeysOf(names: readonly string[]): readonly MatchedBy[] {
  return matchKeys.filter(({ key }) => names.includes(key));
}

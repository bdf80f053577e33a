import { patternString } from "../model/identifier.ts";
import type { JsonObject } from "../model/json.ts";
import type { Asset, MatchKey } from "../model/rule.ts";
import { keyOf } from "../model/urn.ts";
import { fabrics } from "../model/urn-parts.ts";
import { knownPlatforms } from "./platforms.ts";

/** How something of an asset is known from what is stored. */
export interface StoredKey {
  readonly aspect: string;
  /** What GraphQL would answer, of the aspect. */
  answer(aspect: JsonObject): JsonObject;
}

/** A key by which rules match assets of a kind. */
export interface MatchedBy {
  readonly key: MatchKey;
  /** What it is and examples of it, for the schema of manifests. */
  readonly schema: JsonObject;
  /** What to select of an asset to know it, as GraphQL text, where that is the same for all kinds that have it. */
  readonly selection?: string;
  /** The aspect that has it, and what the selection would answer of that. */
  readonly fromStored?: StoredKey;
  /** The option of `list` that finds assets by it, where there is one: what follows it, and the end of its help. */
  readonly option?: {
    readonly argument: string;
    readonly description: string;
    /** The types of the entities that it can name, as URNs spell them; else names that every catalog knows. */
    readonly entityTypes?: readonly string[];
    readonly known?: ReadonlySet<string>;
  };
  /** What an asset has of it: one of these texts must match. A thing with an id and a URN has both. */
  textsOf(asset: Asset): readonly string[];
}

const listed = (text: string | undefined): readonly string[] => (text === undefined ? [] : [text]);

/** JSON Schema of one pattern, or of a list of which one must match. */
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
  schema: patternsSchema("The id of the data platform, or its URN.", "snowflake", ["snowflake", "bigquery"]),
  option: { argument: "<id>", description: "of a data platform", known: knownPlatforms },
  textsOf: (asset) => listed(asset.platform).flatMap((id) => [id, `urn:li:dataPlatform:${id}`]),
};

const instance: MatchedBy = {
  key: "platform_instance",
  schema: patternsSchema("The id of the platform instance, as the catalog has it.", "eu", ["eu", "us*"]),
  selection: "dataPlatformInstance { urn }",
  fromStored: {
    aspect: "dataPlatformInstance",
    answer: ({ instance: stored }) => ({ dataPlatformInstance: stored ? { urn: stored } : null }),
  },
  textsOf: (asset) => listed(asset.instance),
};

const env: MatchedBy = {
  key: "env",
  schema: patternsSchema("The environment in the URN (DataHub's FabricType).", "PROD", ["PROD", "CORP"]),
  option: {
    argument: "<env>",
    description: "of an environment of DataHub, such as PROD",
    known: new Set(fabrics),
  },
  textsOf: (asset) => listed(asset.env),
};

const name: MatchedBy = {
  key: "name",
  schema: patternsSchema(
    "The name as a manifest writes it, without the platform instance; of a container its display name.",
    "prod.finance.*",
    ["prod.finance.*", "prod.ledger.*"],
  ),
  option: { argument: "<pattern>", description: "whose name matches" },
  textsOf: (asset) => listed(asset.name),
};

const urn: MatchedBy = {
  key: "urn",
  schema: patternsSchema("The whole URN.", "urn:li:dataset:(urn:li:dataPlatform:dbt,*"),
  textsOf: (asset) => [asset.urn],
};

const container: MatchedBy = {
  key: "container",
  schema: patternsSchema("The id or URN of a container that it is in, however deep.", "0a1b2c", [
    "0a1b2c",
    "urn:li:container:3d4e5f",
  ]),
  selection: "container { urn }",
  fromStored: { aspect: "container", answer: ({ container: stored }) => ({ container: { urn: stored } }) },
  option: { argument: "<id>", description: "in a container, however deep", entityTypes: ["container"] },
  textsOf: ({ containers }) => containers.flatMap((each) => [each, keyOf(each)]),
};

const subtype: MatchedBy = {
  key: "subtype",
  schema: patternsSchema("The subtype, as ingestion names it.", "View", ["Table", "View"]),
  selection: "subTypes { typeNames }",
  fromStored: { aspect: "subTypes", answer: ({ typeNames }) => ({ subTypes: { typeNames } }) },
  textsOf: ({ subtypes }) => subtypes,
};

const cluster: MatchedBy = {
  key: "cluster",
  schema: patternsSchema("The cluster in the URN of a data flow.", "prod", ["prod", "dev"]),
  textsOf: (asset) => listed(asset.cluster),
};

const flow: MatchedBy = {
  key: "flow",
  schema: patternsSchema("The name of the data flow that a data job is in.", "daily", ["daily", "hourly*"]),
  textsOf: (asset) => listed(asset.flow),
};

/** Every key. */
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

/** The key by which an entity is matched by its whole URN, whatever the pattern begins with. */
export const urnKey: MatchKey = urn.key;

/** The key by which entities of any kind are found: those that rules do not match have a name, too. */
export const nameKey: MatchKey = name.key;

/** Those of some names. */
export function matchKeysOf(names: readonly string[]): readonly MatchedBy[] {
  return matchKeys.filter(({ key }) => names.includes(key));
}

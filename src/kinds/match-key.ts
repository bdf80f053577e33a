/** Defines the keys by which rules match assets, such as `platform` and `container`. */

import { patternString } from "../model/identifier.ts";
import { aspectIn, malformed } from "../model/answer.ts";
import { isJsonList, type Json, type JsonObject } from "../model/json.ts";
import type { Asset, MatchKey } from "../model/rule.ts";
import { isUrn, keyOf, plainPart, type Urn } from "../model/urn.ts";
import { fabrics } from "../model/urn-parts.ts";
import { knownPlatforms } from "./platforms.ts";

/**
 * A GraphQL field whose values rules can match. `src/facets/answered-aspects.ts` defines the selection and the aspect for each
 * field.
 */
export type MatchField = "dataPlatformInstance" | "container" | "subTypes" | "platform" | "named";

/** Values read from an asset's aspects, for rules to match against. The name includes the platform instance. */
export interface ObservedKey extends Partial<Pick<Asset, "platform" | "name" | "instance" | "subtypes">> {
  /** The container that directly contains the asset. */
  readonly container?: Urn;
}

/** A key by which rules match assets. */
export interface MatchedBy {
  readonly key: MatchKey;
  /** The key's schema in manifests. */
  readonly schema: JsonObject;
  /** The GraphQL field that returns the aspect. Absent if the URN contains the value. */
  readonly field?: MatchField;
  /** Whether to request the raw aspect instead of the GraphQL field, which some releases lack for the kind. */
  readonly isRaw?: true;
  /** Reads the value from an asset's stored aspects. Throws `CatalogError` if the value is malformed. */
  observe?(aspects: JsonObject): ObservedKey;
  /** The `list` option for the key: its argument, and the end of its help text. */
  readonly option?: {
    readonly argument: string;
    readonly description: string;
    /** The entity types, as in URNs, that the option accepts. Values in `known` are accepted without a lookup. */
    readonly entityTypes?: readonly string[];
    readonly known?: ReadonlySet<string>;
  };
  /**
   * Returns an asset's values for the key. A pattern must match at least one of them. A value that refers to an entity is
   * returned both as an id and as a URN.
   */
  textsOf(asset: Asset): readonly string[];
}

const listOf = (text: string | undefined): readonly string[] => (text === undefined ? [] : [text]);

/** Builds the JSON Schema for a pattern, or for a list of alternative patterns. */
export function patternsSchema(
  description: string,
  ...examples: readonly (string | readonly string[])[]
): JsonObject {
  return {
    if: { type: "array" },
    // oxlint-disable-next-line unicorn/no-thenable -- `then` is a JSON Schema keyword
    then: { items: patternString, minItems: 1 },
    else: patternString,
    description,
    examples,
  };
}

const platform: MatchedBy = {
  key: "platform",
  schema: patternsSchema("The data platform, by id or URN.", "snowflake", ["snowflake", "bigquery"]),
  option: { argument: "<id>", description: "on this data platform", known: knownPlatforms },
  textsOf: (asset) => listOf(asset.platform).flatMap((id) => [id, `urn:li:dataPlatform:${id}`]),
};

const instance: MatchedBy = {
  key: "platform_instance",
  schema: patternsSchema("The id of the platform instance in DataHub.", "eu", ["eu", "us*"]),
  field: "dataPlatformInstance",
  observe: (aspects) => {
    const found = urnAt(aspectIn(aspects, "dataPlatformInstance")["instance"], "the platform instance");
    // In `(urn:li:dataPlatform:mysql,eu)`, the instance follows the first comma, because platform ids never contain commas.
    const id = found && keyOf(found).replace(/^\(|\)$/g, "");
    return id === undefined ? {} : { instance: plainPart(id.slice(id.indexOf(",") + 1)) };
  },
  textsOf: (asset) => listOf(asset.instance),
};

const env: MatchedBy = {
  key: "env",
  schema: patternsSchema("The environment in the URN (`FabricType` in DataHub).", "PROD", ["PROD", "CORP"]),
  option: {
    argument: "<env>",
    description: "in this DataHub environment, such as PROD",
    known: new Set(fabrics),
  },
  textsOf: (asset) => listOf(asset.env),
};

const name: MatchedBy = {
  key: "name",
  schema: patternsSchema(
    "The name as written in a manifest, without the platform instance. For a container, use its display name.",
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
  schema: patternsSchema("The id or URN of a container that contains the asset, at any depth.", "0a1b2c", [
    "0a1b2c",
    "urn:li:container:3d4e5f",
  ]),
  field: "container",
  observe: (aspects) => {
    const direct = urnAt(aspectIn(aspects, "container")["container"], "the container");
    return direct === undefined ? {} : { container: direct };
  },
  option: { argument: "<id>", description: "in this container, at any depth", entityTypes: ["container"] },
  textsOf: ({ containers }) => containers.flatMap((each) => [each, keyOf(each)]),
};

const subtype: MatchedBy = {
  key: "subtype",
  schema: patternsSchema("The subtype that ingestion sets, such as `View`.", "View", ["Table", "View"]),
  field: "subTypes",
  observe: (aspects) => {
    const names = aspectIn(aspects, "subTypes")["typeNames"] ?? [];
    if (isJsonList(names) && names.every((each) => typeof each === "string")) return { subtypes: names };
    throw malformed("the subtypes", "are not a list of names");
  },
  textsOf: ({ subtypes }) => subtypes,
};

const cluster: MatchedBy = {
  key: "cluster",
  schema: patternsSchema("The cluster in the data flow's URN.", "prod", ["prod", "dev"]),
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

/** All keys by which rules match assets. */
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

/** The key that matches an entity by URN. */
export const urnKey: MatchKey = urn.key;

/** The key that finds entities by name, including entities of kinds that rules cannot match. */
export const nameKey: MatchKey = name.key;

/** Returns the keys with the given names. */
export function matchKeysOf(names: readonly string[]): readonly MatchedBy[] {
  return matchKeys.filter(({ key }) => names.includes(key));
}

function urnAt(stored: Json | undefined, what: string): Urn | undefined {
  if (stored === undefined || stored === null) return undefined;
  if (isUrn(stored)) return stored;
  throw malformed(what, "has no URN");
}

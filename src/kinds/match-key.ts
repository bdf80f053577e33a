/** The keys by which rules match assets, such as `platform` and `container`. */

import { patternString } from "../model/identifier.ts";
import { aspectIn, malformed } from "../model/answer.ts";
import { isJsonList, type Json, type JsonObject } from "../model/json.ts";
import type { Asset, MatchKey } from "../model/rule.ts";
import { isUrn, keyOf, plainPart, type Urn } from "../model/urn.ts";
import { fabrics } from "../model/urn-parts.ts";
import { knownPlatforms } from "./platforms.ts";

/** A GraphQL field that answers what rules match by. `src/facets/answered-aspects.ts` has its selection and its aspect. */
export type MatchField = "dataPlatformInstance" | "container" | "subTypes" | "platform" | "named";

/** The values that rules match by and that aspects have. The name includes the platform instance. */
export interface ObservedKey extends Partial<Pick<Asset, "platform" | "name" | "instance" | "subtypes">> {
  /** The direct container. */
  readonly container?: Urn;
}

/** A key by which rules match assets of a kind. */
export interface MatchedBy {
  readonly key: MatchKey;
  /** Its schema in manifests. */
  readonly schema: JsonObject;
  /** The GraphQL field that answers its aspect. Absent if the URN has its value. */
  readonly field?: MatchField;
  /** Whether the aspect is requested raw, for kinds that do not have the field in every release. */
  readonly isRaw?: true;
  /** Reads its value from the stored aspects of an asset. Throws `CatalogError` if it is malformed. */
  observe?(aspects: JsonObject): ObservedKey;
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
  option: { argument: "<id>", description: "on this data platform", known: knownPlatforms },
  textsOf: (asset) => listOf(asset.platform).flatMap((id) => [id, `urn:li:dataPlatform:${id}`]),
};

const instance: MatchedBy = {
  key: "platform_instance",
  schema: patternsSchema("The id of the platform instance in DataHub.", "eu", ["eu", "us*"]),
  field: "dataPlatformInstance",
  observe: (aspects) => {
    const found = urnAt(aspectIn(aspects, "dataPlatformInstance")["instance"], "its platform instance");
    // (urn:li:dataPlatform:mysql,eu): no id of a platform has a comma.
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
    const direct = urnAt(aspectIn(aspects, "container")["container"], "its container");
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
    throw malformed("its subtypes", "are not a list of names");
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

/** The keys with the given names. */
export function matchKeysOf(names: readonly string[]): readonly MatchedBy[] {
  return matchKeys.filter(({ key }) => names.includes(key));
}

function urnAt(stored: Json | undefined, what: string): Urn | undefined {
  if (stored === undefined || stored === null) return undefined;
  if (isUrn(stored)) return stored;
  throw malformed(what, "has no URN");
}

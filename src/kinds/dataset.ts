import { nonEmptyString } from "../model/identifier.ts";
import { type JsonObject, textOf } from "../model/json.ts";
import {
  datasetPartsOf,
  datasetUrn,
  encodePart,
  fabrics,
  plainPart,
  type Urn,
  type UrnFault,
} from "../model/urn.ts";
import { type Identity, identityIn, type Kind, type SearchFilter } from "./kind.ts";
import { matchKeys } from "./match-key.ts";
import { knownPlatforms } from "./platforms.ts";

export const dataset: Kind<"Dataset"> = {
  name: "Dataset",
  noun: "dataset",
  plural: "datasets",
  entityType: "dataset",
  typename: "Dataset",
  searchType: "DATASET",
  page: "dataset",
  lifecycle: "observed",
  softDeletable: true,
  ownable: true,
  storage: {},
  asset: {
    nameOf: (urn) => plainPart(datasetPartsOf(urn).name),
    platformOf: (urn) => datasetPartsOf(urn).platform,
    called: (name) => {
      const inPlace = `,${encodePart(name)},`;
      return [[inUrn(inPlace)], [{ ...inUrn(inPlace), values: [inPlace] }]];
    },
  },
  matchedBy: matchKeys,
  matching: {
    selection: "",
    columns: "columns: schemaMetadata { fields { fieldPath nativeDataType } }",
    editedColumns: "edited: editableSchemaMetadata { fields: editableSchemaFieldInfo { fieldPath } }",
    partsOf: (urn) => {
      const { platform, name, fabric } = datasetPartsOf(urn);
      return { platform, name: plainPart(name), env: fabric };
    },
    indexed: { platform: "platform", env: "origin", container: "container", subtype: "typeNames" },
  },
  similarNames: { nameOf: (urn) => datasetPartsOf(urn).name, filters: similarNames },
  fields: {
    urn: {
      ...nonEmptyString,
      description: "The full URN, instead of platform and name.",
      examples: ["urn:li:dataset:(urn:li:dataPlatform:snowflake,prod.finance.invoices,PROD)"],
    },
    platform: {
      ...nonEmptyString,
      description: "The id of the data platform, or its URN.",
      // Editors complete these.
      examples: [
        "snowflake",
        "urn:li:dataPlatform:snowflake",
        "bigquery",
        "redshift",
        "databricks",
        "postgres",
        "mysql",
        "mssql",
        "oracle",
        "kafka",
        "s3",
        "hive",
        "dbt",
      ],
    },
    name: {
      ...nonEmptyString,
      description: "The name as it stands in the URN, without the platform instance.",
      examples: ["prod.finance.invoices"],
    },
    env: {
      enum: fabrics,
      default: "PROD",
      description: "The environment (DataHub's FabricType).",
      examples: ["PROD", "DEV"],
    },
    platform_instance: {
      ...nonEmptyString,
      description: "The platform instance. It stands before the name in the URN.",
      examples: ["eu"],
    },
  },
  constraints: {
    if: { required: ["urn"] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { properties: { platform: false, name: false, env: false, platform_instance: false } },
    else: { required: ["platform", "name"] },
  },
  namedBy: ["urn", "name"],
  doubtAbout: ({ platform }) => {
    if (platform === undefined) return undefined;
    const { id, prefix } = platformIn(textOf(platform));
    const meant = id.toLowerCase();
    if (meant === id || knownPlatforms.has(id) || !knownPlatforms.has(meant)) return undefined;
    return { field: "platform", expected: "in lower case", suggestion: prefix + meant };
  },
  urnOf: (document) =>
    document["urn"] === undefined ? byParts(document) : identityIn(document, "urn", "dataset"),
  identityOf: (urn) => {
    const { platform, name, fabric } = datasetPartsOf(urn);
    const parts = { platform, name: plainPart(name), ...(fabric !== "PROD" && { env: fabric }) };
    const named = byParts(parts);
    return "urn" in named && named.urn === urn ? parts : { urn };
  },
  pathOf: (urn) => {
    const { platform, name, fabric } = datasetPartsOf(urn);
    const names = plainPart(name).split(/[./]/);
    return [platform, ...(fabric === "PROD" ? [] : [fabric]), ...names];
  },
  initial: () => ({}),
};

function platformIn(text: string): { readonly prefix: string; readonly id: string } {
  const prefix = "urn:li:dataPlatform:";
  return text.startsWith(prefix) ? { prefix, id: text.slice(prefix.length) } : { prefix: "", id: text };
}

function byParts(document: JsonObject): Identity {
  const instance = document["platform_instance"];
  const name = textOf(document["name"]);
  const result = datasetUrn({
    platform: textOf(document["platform"]),
    name: instance === undefined ? name : `${textOf(instance)}.${name}`,
    fabric: textOf(document["env"] ?? "PROD"),
  });
  return "urn" in result ? result : { ...result, field: blamed[result.fault.reason] ?? "name" };
}

/**
 * On the same platform: the last part of the name at another place or in another case; or, at the same place, its beginning
 * or its end. They are short enough that a slip of the fingers, also two letters that are swapped, leaves one as it is.
 * On any platform: the same name.
 */
function similarNames(urn: Urn): readonly (readonly SearchFilter[])[] {
  const { platform, name } = datasetPartsOf(urn);
  const on: SearchFilter = { field: "platform", values: [`urn:li:dataPlatform:${platform}`] };
  const place = name.slice(0, name.lastIndexOf(".") + 1);
  const last = name.slice(place.length);
  const kept = Math.floor((last.length - 1) / 2);
  return [
    [on, inUrn(`${last},`)],
    [on, inUrn(`,${place}${last.slice(0, kept)}`)],
    [on, inUrn(`,${place}`), inUrn(`${last.slice(last.length - kept)},`)],
    [inUrn(`,${name},`)],
  ];
}

// Older servers compare case, and most names are stored in lower case; newer ones do not (ESUtils.java).
function inUrn(text: string): SearchFilter {
  return { field: "urn", condition: "CONTAIN", values: [text.toLowerCase()] };
}

// The name in a dataset's URN is encoded, so its brackets and commas do no harm: those of the platform do.
const blamed: Readonly<Partial<Record<UrnFault["reason"], string>>> = {
  platform: "platform",
  brackets: "platform",
  "dataset-parts": "platform",
  fabric: "env",
};

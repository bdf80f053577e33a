import { nonEmptyString } from "../model/identifier.ts";
import { type JsonObject, textOf } from "../model/json.ts";
import { datasetUrn, fabrics, type UrnFault } from "../model/urn.ts";
import { type Identity, identityIn, type Kind } from "./kind.ts";

export const dataset: Kind<"Dataset"> = {
  name: "Dataset",
  plural: "datasets",
  entityType: "dataset",
  typename: "Dataset",
  lifecycle: "observed",
  softDeletable: true,
  ownable: true,
  keeps: {},
  fields: {
    urn: { ...nonEmptyString, description: "The full URN, instead of platform and name." },
    platform: { ...nonEmptyString, description: "The data platform, `snowflake` say, or its URN." },
    name: {
      ...nonEmptyString,
      description: "The name as it stands in the URN, `prod.finance.invoices` say.",
    },
    env: { enum: fabrics, default: "PROD", description: "The environment (DataHub's FabricType)." },
    platform_instance: { ...nonEmptyString, description: "Stands before the name in the URN." },
  },
  constraints: {
    if: { required: ["urn"] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { properties: { platform: false, name: false, env: false, platform_instance: false } },
    else: { required: ["platform", "name"] },
  },
  urnOf: (document) =>
    document["urn"] === undefined ? byParts(document) : identityIn(document, "urn", "dataset"),
  initial: () => ({}),
};

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

// The name in a dataset's URN is encoded, so its brackets and commas do no harm: those of the platform do.
const blamed: Readonly<Partial<Record<UrnFault["reason"], string>>> = {
  platform: "platform",
  brackets: "platform",
  "dataset-parts": "platform",
  fabric: "env",
};

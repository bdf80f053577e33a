import { textOf } from "../model/json.ts";
import { datasetUrn, fabrics } from "../model/urn.ts";
import { type Kind, textSchema, urnOfId } from "./kind.ts";

export const dataset: Kind = {
  name: "Dataset",
  plural: "datasets",
  entityType: "dataset",
  typename: "Dataset",
  lifecycle: "observed",
  fields: {
    urn: { ...textSchema, description: "The full URN, instead of platform and name." },
    platform: { ...textSchema, description: "The data platform, `snowflake` say, or its URN." },
    name: { ...textSchema, description: "The name as it stands in the URN, `prod.finance.invoices` say." },
    env: { enum: fabrics, default: "PROD", description: "The environment (DataHub's FabricType)." },
    platform_instance: { ...textSchema, description: "Stands before the name in the URN." },
  },
  constraints: {
    if: { required: ["urn"] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { properties: { platform: false, name: false, env: false, platform_instance: false } },
    else: { required: ["platform", "name"] },
  },
  urnOf: (document) => {
    if (document["urn"] !== undefined) return urnOfId("dataset", textOf(document["urn"]));
    const instance = document["platform_instance"];
    const name = textOf(document["name"]);
    return datasetUrn({
      platform: textOf(document["platform"]),
      name: instance === undefined ? name : `${textOf(instance)}.${name}`,
      fabric: textOf(document["env"] ?? "PROD"),
    });
  },
  initial: () => ({}),
  identityFields: ["urn", "name", "platform"],
};

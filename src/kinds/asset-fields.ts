import { nonEmptyString } from "../model/identifier.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { fabrics, type UrnPart } from "../model/urn-parts.ts";

/** Examples of the fields by which manifests name assets of a kind. Editors complete them. */
export type FieldExamples = Readonly<
  Partial<Record<"urn" | "platform" | "flow" | "name" | "platform_instance", readonly Json[]>>
>;

/** The cluster of a data flow that a manifest need not write. */
export const defaultCluster = "prod";

/** JSON Schema of the fields by which a manifest names an asset whose URN consists of such parts. */
export function assetFields(parts: readonly UrnPart[], examples: FieldExamples): JsonObject {
  const example = (key: keyof FieldExamples): JsonObject => ({ examples: examples[key] ?? [] });
  const isOfFlow = parts.includes("flow");
  return {
    urn: {
      ...nonEmptyString,
      description: `The full URN, instead of platform${isOfFlow ? ", flow" : ""} and name.`,
      ...example("urn"),
    },
    platform: {
      ...nonEmptyString,
      description: "The id of the data platform, or its URN.",
      ...example("platform"),
    },
    ...(isOfFlow && {
      flow: {
        ...nonEmptyString,
        description: "The name of the data flow that it is in.",
        ...example("flow"),
      },
    }),
    name: {
      ...nonEmptyString,
      description: examples.platform_instance
        ? "The name as it stands in the URN, without the platform instance."
        : "The name as it stands in the URN.",
      ...example("name"),
    },
    ...(parts.includes("fabric") && {
      env: {
        enum: fabrics,
        default: "PROD",
        description: "The environment (DataHub's FabricType).",
        examples: ["PROD", "DEV"],
      },
    }),
    ...((isOfFlow || parts.includes("cluster")) && {
      cluster: {
        ...nonEmptyString,
        default: defaultCluster,
        description: "The cluster in the URN of the data flow.",
        examples: ["prod", "dev"],
      },
    }),
    ...(examples.platform_instance && {
      platform_instance: {
        ...nonEmptyString,
        description: "The platform instance. It stands before the name in the URN.",
        ...example("platform_instance"),
      },
    }),
  };
}

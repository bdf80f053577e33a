/** Builds the JSON Schema for the fields that identify an asset in a manifest. */

import { nonEmptyString } from "../model/identifier.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { fabrics, type UrnPart } from "../model/urn-parts.ts";

/** Example values that editors suggest for the fields. They differ between kinds. */
export type FieldExamples = Readonly<
  Partial<Record<"urn" | "platform" | "flow" | "name" | "platform_instance", readonly Json[]>>
>;

/** The default cluster, which manifests can omit. */
export const defaultCluster = "prod";

/** Builds the schema for the manifest fields that correspond to the given URN parts. */
export function assetFields(parts: readonly UrnPart[], examples: FieldExamples): JsonObject {
  const example = (key: keyof FieldExamples): JsonObject => ({ examples: examples[key] ?? [] });
  const isOfFlow = parts.includes("flow");
  return {
    urn: {
      ...nonEmptyString,
      description: `The full URN, as an alternative to \`platform\`, ${isOfFlow ? "`flow`, " : ""}\`name\` and the other parts of the URN.`,
      ...example("urn"),
    },
    platform: {
      ...nonEmptyString,
      description: "The data platform, by id or URN.",
      ...example("platform"),
    },
    ...(isOfFlow && {
      flow: {
        ...nonEmptyString,
        description: "The name of the data flow (pipeline) that contains the job.",
        ...example("flow"),
      },
    }),
    name: {
      ...nonEmptyString,
      description: examples.platform_instance
        ? "The name as it appears in the URN, without the platform instance."
        : "The name as it appears in the URN.",
      ...example("name"),
    },
    ...(parts.includes("fabric") && {
      env: {
        enum: fabrics,
        default: "PROD",
        description: "The environment in the URN (`FabricType` in DataHub).",
        examples: ["PROD", "DEV"],
      },
    }),
    ...((isOfFlow || parts.includes("cluster")) && {
      cluster: {
        ...nonEmptyString,
        default: defaultCluster,
        description: "The cluster in the data flow's URN.",
        examples: ["prod", "dev"],
      },
    }),
    ...(examples.platform_instance && {
      platform_instance: {
        ...nonEmptyString,
        description: "The platform instance, if ingestion sets one. It precedes the name in the URN.",
        ...example("platform_instance"),
      },
    }),
  };
}

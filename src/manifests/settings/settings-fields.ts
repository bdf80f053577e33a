import { definitionKinds } from "../../kinds/index.ts";
import type { JsonObject } from "../../model/json.ts";
import { nonEmptyString } from "../../model/identifier.ts";
import type { Limit } from "../../plan/checks/guards/guard.ts";
import { guards } from "../../plan/checks/guards/index.ts";
import { ignorableFacets, manageSchema } from "../schema/manage-schema.ts";

/** The kinds that are deleted where pruning is asked for and the settings name none. */
export const defaultPruneKinds: readonly string[] = definitionKinds
  .filter(({ deletion }) => deletion?.byDefault)
  .map(({ name }) => name);

/** JSON Schema of each key of the settings. */
export const settingsFields: JsonObject = {
  version: { const: 1, description: "The version of this format." },
  server: {
    ...nonEmptyString,
    description: "The server these manifests belong to. It is only compared: any other target is refused.",
  },
  missing: {
    enum: ["error", "skip"],
    default: "error",
    description: "Datasets, containers and columns that are gone: refuse the plan, or leave them out.",
  },
  manage: manageSchema,
  ignore: {
    type: "array",
    description: "Values that are never added, removed or reported.",
    items: {
      type: "object",
      required: ["reason"],
      anyOf: [{ required: ["value"] }, { required: ["urn"] }],
      properties: {
        facet: { enum: ignorableFacets, description: "Only values of this facet." },
        value: {
          ...nonEmptyString,
          description: "The whole text of a value, a full URN say; `*` stands for any text.",
        },
        urn: { ...nonEmptyString, description: "The whole URN of an entity; `*` stands for any text." },
        reason: { ...nonEmptyString, description: "Why, for those who meet it in a plan." },
      },
      additionalProperties: false,
    },
  },
  guards: mapping("How much one plan may take away before it is blocked.", guardFields()),
  base: {
    ...nonEmptyString,
    description: "The ref of the last applied commit, `refs/datahub-gitops/applied` say.",
  },
  prune: mapping("What `--prune` deletes.", {
    kinds: {
      type: "array",
      description:
        "Kinds of which entities are deleted that base declares and the repository no longer does.",
      items: { enum: definitionKinds.map(({ name }) => name) },
      default: defaultPruneKinds,
    },
  }),
};

function mapping(description: string, properties: JsonObject): JsonObject {
  return { type: "object", description, properties, additionalProperties: false };
}

function guardFields(): JsonObject {
  const fields = guards.map(({ name, description, limits }) => {
    const own = Object.entries(limits).map(([limit, about]) => [limit, limitSchema(about)]);
    return [name, mapping(description, Object.fromEntries(own))];
  });
  return Object.fromEntries(fields) as JsonObject;
}

function limitSchema({ unit, default: usual, description }: Limit): JsonObject {
  return {
    type: "integer",
    minimum: 0,
    ...(unit === "percent" && { maximum: 100 }),
    default: usual,
    description,
  };
}

import { definitionKinds } from "../../kinds/index.ts";
import type { JsonObject } from "../../model/json.ts";
import { nonEmptyString } from "../../model/identifier.ts";
import type { Limit } from "../../plan/checks/guards/guard.ts";
import { guards } from "../../plan/checks/guards/index.ts";
import { ignorableFacets, manageSchema } from "../schema/manage-schema.ts";

/** The kinds that `--prune` deletes by default. */
export const defaultPruneKinds: readonly string[] = definitionKinds
  .filter(({ deletion }) => deletion?.byDefault)
  .map(({ name }) => name);

/** JSON Schema of each key of the settings. */
export const settingsFields: JsonObject = {
  version: { const: 1, description: "The version of this format." },
  server: {
    ...nonEmptyString,
    description:
      "The only server that these manifests may be planned against or applied to. It does not select the server.",
  },
  missing: {
    enum: ["error", "skip"],
    default: "error",
    description:
      "What to do when declared datasets, containers or columns do not exist in the catalog: report an error, or skip them.",
  },
  conflicts: {
    enum: ["hold", "skip"],
    default: "hold",
    description:
      "What to do on a conflict, that is, when someone else changed a single value under `merge`. The live value stays and the rest is applied: `hold` exits with 6, `skip` accepts it.",
  },
  writes: {
    enum: ["graphql", "conditional"],
    default: "graphql",
    description:
      "How domains, owners and tags are written: `graphql` uses GraphQL mutations; `conditional` writes an aspect only if nobody has changed it since it was read, which needs DataHub 0.14 and the privilege Edit Entity.",
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
          description: "A whole value, for example a full URN; `*` matches any characters.",
        },
        urn: { ...nonEmptyString, description: "The whole URN of an entity; `*` matches any characters." },
        reason: { ...nonEmptyString, description: "Why the values are ignored. Plans and warnings show it." },
      },
      additionalProperties: false,
    },
  },
  guards: mapping("Limits on what one plan may remove before it is blocked.", guardFields()),
  base: {
    ...nonEmptyString,
    description: "The Git ref of the last applied commit, for example `refs/datahub-gitops/applied`.",
  },
  prune: mapping("What `--prune` deletes.", {
    kinds: {
      type: "array",
      description:
        "The kinds whose entities `--prune` deletes when they were declared before and no longer are.",
      items: { enum: definitionKinds.map(({ name }) => name) },
      default: defaultPruneKinds,
    },
    assignments: {
      type: "boolean",
      default: false,
      description:
        "Whether `--prune` also removes values that were declared before and whose facet, column or manifest no longer is.",
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

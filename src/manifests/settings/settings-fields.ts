import { kinds } from "../../kinds/index.ts";
import { textSchema } from "../../kinds/kind.ts";
import type { JsonObject } from "../../model/json.ts";
import { defaultLimits } from "../../model/policy.ts";
import type { KindName } from "../../model/state.ts";
import { declarableFacets, manageSchema } from "../schema/manage-schema.ts";

/** The kinds that are deleted where pruning is asked for and the settings name none. */
export const defaultPruneKinds: readonly KindName[] = ["Domain", "Tag", "Group"];

const { removals, deletes, vanished } = defaultLimits;

/** JSON Schema of each key of the settings. */
export const settingsFields: JsonObject = {
  version: { const: 1, description: "The version of this format." },
  server: {
    ...textSchema,
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
        facet: { enum: declarableFacets, description: "Only values of this facet." },
        value: {
          ...textSchema,
          description: "The whole text of a value, a full URN say; `*` stands for any text.",
        },
        urn: { ...textSchema, description: "The whole URN of an entity; `*` stands for any text." },
        reason: { ...textSchema, description: "Why, for those who meet it in a plan." },
      },
      additionalProperties: false,
    },
  },
  guards: mapping("How much one plan may take away before it is blocked.", {
    removals: mapping("Values that are removed.", {
      max_percent: percent(removals.max_percent, "Of the values that are there."),
      max_count: amount(removals.max_count, "In one plan."),
      min_existing: amount(removals.min_existing, "Below so many values the percentage does not count."),
    }),
    deletes: mapping("Entities that are deleted.", {
      max_count: amount(deletes.max_count, "In one plan."),
    }),
    vanished: mapping("Entities that base declares and the repository no longer does.", {
      max_percent: percent(vanished.max_percent, "Of what base declares."),
      min_existing: amount(vanished.min_existing, "Below so many entities the percentage does not count."),
    }),
  }),
  base: {
    ...textSchema,
    description: "The ref of the last applied commit, `refs/datahub-gitops/applied` say.",
  },
  prune: mapping("What `--prune` deletes.", {
    kinds: {
      type: "array",
      description:
        "Kinds of which entities are deleted that base declares and the repository no longer does.",
      items: { enum: kinds.filter(({ lifecycle }) => lifecycle === "owned").map(({ name }) => name) },
      default: defaultPruneKinds,
    },
  }),
};

function mapping(description: string, properties: JsonObject): JsonObject {
  return { type: "object", description, properties, additionalProperties: false };
}

function amount(usual: number, description: string): JsonObject {
  return { type: "integer", minimum: 0, default: usual, description };
}

function percent(usual: number, description: string): JsonObject {
  return { type: "integer", minimum: 0, maximum: 100, default: usual, description };
}

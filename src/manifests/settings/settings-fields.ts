import { kinds } from "../../kinds/index.ts";
import { textSchema } from "../../kinds/kind.ts";
import type { JsonObject } from "../../model/json.ts";
import { defaultLimits } from "../../model/policy.ts";
import type { KindName } from "../../model/state.ts";
import { declarableFacets, manageSchema } from "../schema/manage-schema.ts";

/** The kinds that `--prune` deletes by default. */
export const defaultPruneKinds: readonly KindName[] = ["Domain", "Tag", "Group"];

const { removals, deletes, vanished } = defaultLimits;

/** JSON Schema of each key of the settings. */
export const settingsFields: JsonObject = {
  version: { const: 1, description: "The version of this format." },
  server: {
    ...textSchema,
    description:
      "The only server that these manifests may be planned against or applied to. It does not select the server.",
  },
  missing: {
    enum: ["error", "skip"],
    default: "error",
    description:
      "What to do when declared datasets, containers or columns do not exist in the catalog: report an error, or skip them.",
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
          description: "A whole value, for example a full URN; `*` matches any characters.",
        },
        urn: { ...textSchema, description: "The whole URN of an entity; `*` matches any characters." },
        reason: { ...textSchema, description: "Why the values are ignored. Plans and warnings show it." },
      },
      additionalProperties: false,
    },
  },
  guards: mapping("Limits on what one plan may remove before it is blocked.", {
    removals: mapping("Limits on removed values.", {
      max_percent: percent(removals.max_percent, "Most removals, in percent of the live values."),
      max_count: amount(removals.max_count, "Most removals in one plan."),
      min_existing: amount(removals.min_existing, "The percentage applies only from this many live values."),
    }),
    deletes: mapping("Limits on deleted entities.", {
      max_count: amount(deletes.max_count, "Most deletions in one plan."),
    }),
    vanished: mapping("Limits on entities that were declared before and no longer are.", {
      max_percent: percent(vanished.max_percent, "Most such entities, in percent of those declared before."),
      min_existing: amount(
        vanished.min_existing,
        "The percentage applies only from this many entities declared before.",
      ),
    }),
  }),
  base: {
    ...textSchema,
    description: "The Git ref of the last applied commit, for example `refs/datahub-gitops/applied`.",
  },
  prune: mapping("What `--prune` deletes.", {
    kinds: {
      type: "array",
      description:
        "The kinds whose entities `--prune` deletes when they were declared before and no longer are.",
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

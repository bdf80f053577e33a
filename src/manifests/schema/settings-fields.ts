/** Defines the JSON Schema for each key in the settings, including descriptions and defaults. */

import { definitionKinds, prunedByDefault } from "../../kinds/index.ts";
import { isJsonObject, type JsonObject } from "../../model/json.ts";
import { appliedRefs, defaultFights, defaultKeptRuns, runRefs } from "../../model/settings.ts";
import { durationPattern } from "../../model/text/duration.ts";
import { nonEmptyString } from "../../model/identifier.ts";
import type { Limit } from "../../plan/checks/guards/guard.ts";
import { guards } from "../../plan/checks/guards/index.ts";
import { ignorableFacets, listed, manageSchema } from "./manage-schema.ts";
import { mapping } from "./mapping-schema.ts";
import { reviewFields } from "./review-fields.ts";
import { defaultMaxDays } from "../../model/catalog-policy.ts";

/** The kinds that `--prune` deletes by default. */
export const defaultPruneKinds: readonly string[] = prunedByDefault.map(({ name }) => name);

const ignoreExample = { value: "urn:li:tag:dbt:*", reason: "owned by dbt ingestion" };

/** The schemas for settings that an environment can override. */
const sharedFields = {
  server: {
    ...nonEmptyString,
    description:
      "The only DataHub server that you can use these manifests with. This setting guards against mistakes. It does not select the server.",
    examples: ["https://datahub.acme.com/api/gms"],
  },
  missing: {
    enum: ["error", "skip"],
    default: "error",
    description:
      "What to do if declared assets or columns do not exist in DataHub: report an error, or skip them.",
    examples: ["skip"],
  },
  conflicts: {
    enum: ["hold", "skip"],
    default: "hold",
    description:
      "The exit code if someone else changed a single-valued field under `merge`: 6 (`hold`) or 0 (`skip`). Either way, the live value is kept.",
    examples: ["skip"],
  },
  writes: {
    enum: ["graphql", "conditional"],
    default: "graphql",
    description:
      "How changes are written: with GraphQL mutations (`graphql`), or with conditional writes (`conditional`), which never overwrite a simultaneous edit. `conditional` requires DataHub 0.14 or later and the Edit Entity privilege.",
    examples: ["conditional"],
  },
  reads: {
    enum: ["graphql", "openapi"],
    default: "graphql",
    description:
      "How assets are read: through GraphQL (`graphql`), or through OpenAPI (`openapi`), which is faster for large catalogs and requires DataHub 0.14 or later. Both produce the same plan.",
    examples: ["openapi"],
  },
  links: {
    ...nonEmptyString,
    description:
      "The URL of DataHub's web interface, for links in pull request comments and other Markdown. The tool never sends requests to it.",
    examples: ["https://datahub.acme.com"],
  },
  guards: mapping("Limits that block a plan if it would remove or change too much.", guardFields()),
  base: {
    ...nonEmptyString,
    description: "The Git ref that points to the last applied commit.",
    examples: [`${appliedRefs}applied`],
  },
  prune: mapping("Controls what `--prune` deletes.", {
    kinds: {
      type: "array",
      description: "The kinds of entities that `--prune` deletes when they are no longer declared.",
      items: { enum: definitionKinds.map(({ name }) => name) },
      default: defaultPruneKinds,
      examples: [defaultPruneKinds],
    },
    assignments: {
      type: "boolean",
      default: false,
      description:
        "Whether `--prune` also removes values whose field or column is no longer declared, or whose manifest was removed.",
      examples: [true],
    },
  }),
} as const satisfies Readonly<Record<string, JsonObject>>;

const paths = {
  type: "array",
  minItems: 1,
  items: nonEmptyString,
  description:
    "The manifest files for this environment, as path patterns relative to the catalog directory. `*` also matches `/`. The default is all files.",
  examples: [["shared/*", "prod/*"]],
} as const satisfies JsonObject;

/** The schemas for all settings, keyed by setting. */
export const settingsFields = {
  version: { const: 1, description: "The version of the settings format.", examples: [1] },
  server: sharedFields.server,
  missing: sharedFields.missing,
  conflicts: sharedFields.conflicts,
  writes: sharedFields.writes,
  reads: sharedFields.reads,
  links: sharedFields.links,
  manage: manageSchema,
  ignore: {
    type: "array",
    description: "Values that the tool never adds, removes or reports.",
    examples: [[ignoreExample]],
    items: {
      type: "object",
      required: ["reason"],
      anyOf: [{ required: ["value"] }, { required: ["urn"] }],
      properties: {
        facet: {
          enum: ignorableFacets,
          description: "The field that contains the values, such as `tags`. The default is all fields.",
          examples: ignorableFacets.filter((name) => listed.has(name)).slice(0, 1),
        },
        value: {
          ...nonEmptyString,
          description: "The value as shown in plans, such as the full URN of a tag. `*` matches any text.",
          examples: [ignoreExample.value],
        },
        urn: {
          ...nonEmptyString,
          description: "The full URN of the entity. `*` matches any text.",
          examples: ["urn:li:dataset:(urn:li:dataPlatform:snowflake,*_tmp,PROD)"],
        },
        reason: {
          ...nonEmptyString,
          description: "The reason for ignoring the values, shown in plans and warnings.",
          examples: [ignoreExample.reason],
        },
      },
      additionalProperties: false,
    },
  },
  guards: sharedFields.guards,
  base: sharedFields.base,
  prune: sharedFields.prune,
  environments: {
    type: "object",
    description:
      "The environments, one for each server, keyed by name. `--env` selects one, and its settings override the general settings, except that `guards` and `prune` are merged key by key.",
    examples: [{ prod: { server: "https://datahub.acme.com/api/gms", base: `${appliedRefs}prod` } }],
    additionalProperties: {
      type: "object",
      properties: {
        ...withoutDefaults(sharedFields),
        base: {
          ...sharedFields.base,
          description: `The Git ref that points to the last commit applied to this environment. It must begin with \`${appliedRefs}\` and be unique.`,
          examples: [`${appliedRefs}prod`],
        },
        paths,
      },
      additionalProperties: false,
    },
  },
  policies: mapping("How the tool handles changes to policies.", {
    strict: {
      type: "boolean",
      default: false,
      description:
        "Whether a pull request that loosens a policy must still pass the old version of that policy. The tool reads this setting from the merge base.",
      examples: [true],
    },
  }),
  waivers: mapping("Limits on policy waivers.", {
    max_days: {
      type: "integer",
      minimum: 1,
      default: defaultMaxDays,
      description: "The maximum number of days until a waiver expires.",
      examples: [90],
    },
  }),
  runs: {
    description: `Whether to record each apply that changed the catalog as a commit on \`${runRefs.newest}\`. \`false\` turns this off.`,
    examples: [{ keep: 100 }, false],
    if: { type: "boolean" },
    // oxlint-disable-next-line unicorn/no-thenable -- a JSON Schema keyword
    then: { const: false },
    else: {
      type: "object",
      properties: {
        keep: {
          type: "integer",
          minimum: 1,
          default: defaultKeptRuns,
          description: "The minimum number of runs to keep.",
          examples: [100],
        },
      },
      additionalProperties: false,
    },
  },
  fights: mapping(
    "When to stop writing a value that someone keeps reverting. `apply` tries again after the time in `within`, or when the declaration changes. Requires `runs`.",
    {
      times: {
        type: "integer",
        minimum: 1,
        default: defaultFights.times,
        description: "How many times a value is written before it is skipped.",
        examples: [5],
      },
      within: {
        type: "string",
        pattern: durationPattern,
        default: defaultFights.within,
        description:
          "The period in which writes are counted, and for which the value is then skipped, such as `90m`, `12h` or `2d`.",
        examples: ["12h"],
      },
    },
  ),
  ...reviewFields,
} as const satisfies JsonObject;

// Removes the defaults, because an environment inherits the general settings for keys that it does not set.
function withoutDefaults<Schema extends JsonObject>({ default: _, ...schema }: Schema): Schema {
  const entries = Object.entries(schema).map(([key, value]) => [
    key,
    isJsonObject(value) ? withoutDefaults(value) : value,
  ]);
  return Object.fromEntries(entries) as Schema;
}

function guardFields() {
  const fields = guards.map(({ name, description, limits }) => {
    const own = Object.entries(limits).map(([limit, about]) => [limit, limitSchema(about)] as const);
    return [name, mapping(description, Object.fromEntries(own))] as const;
  });
  return Object.fromEntries(fields);
}

function limitSchema({ unit, default: usual, description }: Limit) {
  return {
    type: "integer",
    minimum: 0,
    ...(unit === "percent" && { maximum: 100 }),
    default: usual,
    description,
    examples: [usual],
  } as const;
}

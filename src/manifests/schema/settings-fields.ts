/** The JSON Schema of each key of the settings, with descriptions and defaults. */

import { definitionKinds, prunedByDefault } from "../../kinds/index.ts";
import { isJsonObject, type JsonObject } from "../../model/json.ts";
import { appliedRefs, defaultFights, defaultKeptRuns, runRefs } from "../../model/settings.ts";
import { durationPattern } from "../../model/text/duration.ts";
import { nonEmptyString } from "../../model/identifier.ts";
import type { Limit } from "../../plan/checks/guards/guard.ts";
import { guards } from "../../plan/checks/guards/index.ts";
import { ignorableFacets, manageSchema } from "./manage-schema.ts";
import { mapping } from "./mapping-schema.ts";
import { reviewFields } from "./review-fields.ts";
import { defaultMaxDays } from "../../model/catalog-policy.ts";

/** The kinds that `--prune` deletes by default. */
export const defaultPruneKinds: readonly string[] = prunedByDefault.map(({ name }) => name);

const ignoreExample = { value: "urn:li:tag:dbt:*", reason: "owned by dbt ingestion" };

/** The schemas of the settings that an environment can override. */
const sharedFields = {
  server: {
    ...nonEmptyString,
    description:
      "The only server that these manifests may be planned against or applied to. It does not select the server.",
    examples: ["https://datahub.acme.com/api/gms"],
  },
  missing: {
    enum: ["error", "skip"],
    default: "error",
    description:
      "What to do when declared assets or columns do not exist in the catalog: report an error, or skip them.",
    examples: ["skip"],
  },
  conflicts: {
    enum: ["hold", "skip"],
    default: "hold",
    description:
      "What to do on a conflict, that is, when someone else changed a single value under `merge`. The live value stays and the rest is applied: `hold` exits with 6, `skip` accepts it.",
    examples: ["skip"],
  },
  writes: {
    enum: ["graphql", "conditional"],
    default: "graphql",
    description:
      "How what is assigned to assets and definitions is written: `graphql` uses GraphQL mutations; `conditional` uses proposals that overwrite no edit of others: patches of single values, or aspects that nobody has changed since they were read. It needs DataHub 0.14 and the privilege Edit Entity.",
    examples: ["conditional"],
  },
  reads: {
    enum: ["graphql", "openapi"],
    default: "graphql",
    description:
      "How assets are read: `graphql` asks for fields; `openapi` asks for the aspects that decide, as they are stored, which takes a large catalog less time (DataHub 0.14 or later). The plan is the same. What OpenAPI does not answer is read by GraphQL.",
    examples: ["openapi"],
  },
  links: {
    ...nonEmptyString,
    description:
      "The address of DataHub's web interface. Markdown, such as the comment of a pull request, then links to the pages of entities there. It is never asked for anything.",
    examples: ["https://datahub.acme.com"],
  },
  guards: mapping("Limits on what one plan may remove before it is blocked.", guardFields()),
  base: {
    ...nonEmptyString,
    description: "The Git ref of the last applied commit.",
    examples: [`${appliedRefs}applied`],
  },
  prune: mapping("What `--prune` deletes.", {
    kinds: {
      type: "array",
      description:
        "The kinds whose entities `--prune` deletes when they were declared before and no longer are.",
      items: { enum: definitionKinds.map(({ name }) => name) },
      default: defaultPruneKinds,
      examples: [defaultPruneKinds],
    },
    assignments: {
      type: "boolean",
      default: false,
      description:
        "Whether `--prune` also removes values that were declared before and whose facet, column or manifest no longer is.",
      examples: [true],
    },
  }),
} as const satisfies Readonly<Record<string, JsonObject>>;

const paths = {
  type: "array",
  minItems: 1,
  items: nonEmptyString,
  description:
    "The manifest files of this environment, as patterns of paths below the catalog directory; `*` matches any characters, `/` too. Without it all files are.",
  examples: [["shared/*", "prod/*"]],
} as const satisfies JsonObject;

/** The schema of each key. */
export const settingsFields = {
  version: { const: 1, description: "The version of this format.", examples: [1] },
  server: sharedFields.server,
  missing: sharedFields.missing,
  conflicts: sharedFields.conflicts,
  writes: sharedFields.writes,
  reads: sharedFields.reads,
  links: sharedFields.links,
  manage: manageSchema,
  ignore: {
    type: "array",
    description: "Values that are never added, removed or reported.",
    examples: [[ignoreExample]],
    items: {
      type: "object",
      required: ["reason"],
      anyOf: [{ required: ["value"] }, { required: ["urn"] }],
      properties: {
        facet: {
          enum: ignorableFacets,
          description: "Only values of this facet.",
          examples: ignorableFacets.slice(0, 1),
        },
        value: {
          ...nonEmptyString,
          description: "A whole value, for example a full URN; `*` matches any characters.",
          examples: [ignoreExample.value],
        },
        urn: {
          ...nonEmptyString,
          description: "The whole URN of an entity; `*` matches any characters.",
          examples: ["urn:li:dataset:(urn:li:dataPlatform:snowflake,*_tmp,PROD)"],
        },
        reason: {
          ...nonEmptyString,
          description: "Why the values are ignored. Plans and warnings show it.",
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
      "Several servers for one repository, by name; `--env` selects one. What an environment says wins over the same key for all; guards and `prune` are merged limit by limit, key by key.",
    examples: [{ prod: { server: "https://datahub.acme.com/api/gms", base: `${appliedRefs}prod` } }],
    additionalProperties: {
      type: "object",
      properties: {
        ...withoutDefaults(sharedFields),
        base: {
          ...sharedFields.base,
          description: `The Git ref of the commit that was applied last to this environment. It must begin with \`${appliedRefs}\`, and no other environment can have it.`,
          examples: [`${appliedRefs}prod`],
        },
        paths,
      },
      additionalProperties: false,
    },
  },
  policies: mapping("How changes of policies are judged.", {
    strict: {
      type: "boolean",
      default: false,
      description:
        "Whether a violation that only the policies of the merge base would stop stops the plan, too. The settings of the merge base decide.",
      examples: [true],
    },
  }),
  waivers: mapping("Limits on waivers of policies.", {
    max_days: {
      type: "integer",
      minimum: 1,
      default: defaultMaxDays,
      description: "How many days ahead a waiver may expire.",
      examples: [90],
    },
  }),
  runs: {
    description: `Whether each apply that wrote something is kept as a commit on \`${runRefs.newest}\`, and how many at least.`,
    examples: [{ keep: 100 }, false],
    if: { type: "boolean" },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { const: false },
    else: {
      type: "object",
      properties: {
        keep: {
          type: "integer",
          minimum: 1,
          default: defaultKeptRuns,
          description: "How many runs stay at least.",
          examples: [100],
        },
      },
      additionalProperties: false,
    },
  },
  fights: mapping(
    "When a value that others set back again and again is no longer written: an apply skips it, until a commit changes what is declared or the time has passed. It needs `runs`.",
    {
      times: {
        type: "integer",
        minimum: 1,
        default: defaultFights.times,
        description: "How often a value is written against others.",
        examples: [5],
      },
      within: {
        type: "string",
        pattern: durationPattern,
        default: defaultFights.within,
        description:
          "Within how long, and how long it is then not written: seconds, minutes, hours or days, such as `90m`.",
        examples: ["12h"],
      },
    },
  ),
  ...reviewFields,
} as const satisfies JsonObject;

// A missing key of an environment has the value for all environments, not the default.
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

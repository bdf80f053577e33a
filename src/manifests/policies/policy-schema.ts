import type { Facet } from "../../facets/facet.ts";
import { facetsOf } from "../../facets/index.ts";
import { isOfColumns } from "../../facets/places.ts";
import { assetKinds, kinds } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { matchKeys, patternsSchema } from "../../kinds/match-key.ts";
import { nonEmptyString, refersToKey } from "../../model/identifier.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { innerKey } from "../schema/schema.ts";

/** What the kinds of manifests of policies and waivers are called: no kinds of entities. */
export const policyKind = "Policy";
export const waiverKind = "Waiver";

/** The type of policies among what editors complete, beside the types of entities. */
export const policyType = "policy";

/** The name under which the schema of policies for a kind of entity is kept. */
export function policySchemaName(kind: string): string {
  return `${kind}${policyKind}`;
}

/** The facets of a kind that policies can name: those that manifests can declare. */
export function policyFacets(kind: string): readonly Facet[] {
  return facetsOf(kind).filter(({ schema }) => schema !== undefined);
}

/** The facets by which policies match: those with references, maps by them, and the display name. */
function matchableFacets({ name, displayName }: Kind): readonly Facet[] {
  return policyFacets(name).filter(
    (facet) =>
      !isOfColumns(facet.name) &&
      (facet.refersTo.length > 0 || facet.shape === "map" || facet.name === displayName),
  );
}

/** The facets of columns that policies can name, by their keys below each column. */
export function columnFacets(kind: string): ReadonlyMap<string, Facet> {
  const own = policyFacets(kind).filter(({ name }) => isOfColumns(name));
  return new Map(own.map((facet) => [innerKey(facet) ?? facet.name, facet]));
}

/** Whether values of a facet have a key each, beside those of columns. */
export function hasKeys(facet: Facet): boolean {
  return facet.shape === "map" && facet.keys.length > (isOfColumns(facet.name) ? 1 : 0);
}

const kindNames = kinds.map(({ name }) => name);

const exampleKinds = assetKinds.slice(0, 1).map(({ name }) => name);

const kindOfMatch: JsonObject = {
  enum: kindNames,
  description: "The kind of what it matches.",
  examples: exampleKinds,
};

const valuePatterns = patternsSchema(
  "The id or URN of a value that it has; `*` stands for any text.",
  "finance",
  ["finance", "ops*"],
);

const valuePatternsByKey: JsonObject = {
  type: "object",
  minProperties: 1,
  description: "By key, a value that it has; `*` stands for any text.",
  examples: [{ tier: "1" }],
  additionalProperties: valuePatterns,
};

function facetMatch(facet: Facet): JsonObject {
  return hasKeys(facet) ? valuePatternsByKey : valuePatterns;
}

/** The keys by which policies and waivers match entities of a kind. */
function matchProperties(kind: Kind): JsonObject {
  const keys = kind.matchedBy ?? matchKeys.filter(({ key }) => key === "urn");
  return {
    ...Object.fromEntries(matchableFacets(kind).map((facet) => [facet.name, facetMatch(facet)])),
    ...Object.fromEntries(keys.map(({ key, schema }) => [key, schema])),
  };
}

function withExclusions(keys: JsonObject): JsonObject {
  const excluded = { type: "object", minProperties: 1, properties: keys, additionalProperties: false };
  return {
    ...keys,
    not: {
      if: { type: "array" },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { items: excluded, minItems: 1 },
      else: excluded,
      description: "What it leaves out: all keys hold. A list leaves out what one of its mappings does.",
      examples: [{ name: "*_tmp" }],
    },
  };
}

const list: JsonObject = { type: "array", minItems: 1, items: nonEmptyString };

const ofSets: JsonObject = {
  min: { type: "integer", minimum: 0, description: "How many values there must be.", examples: [2] },
  max: { type: "integer", minimum: 0, description: "How many values there may be.", examples: [3] },
};

const ofReferences: JsonObject = {
  any_of: {
    ...list,
    description: "One value must match one of these patterns of ids or URNs.",
    examples: [["classification.*"]],
  },
  none_of: {
    ...list,
    description: "No value may match one of these patterns of ids or URNs.",
    examples: [["old-*"]],
  },
};

const ofOwners: JsonObject = {
  type: {
    if: { type: "array" },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { items: nonEmptyString, minItems: 1 },
    else: nonEmptyString,
    description: "Only owners of this ownership type, or of one of these, count.",
    examples: ["DATA_STEWARD"],
  },
  kind: { enum: ["user", "group"], description: "Only users, or only groups, count.", examples: ["group"] },
  active: {
    const: true,
    description: "Only owners count that exist, and are neither removed nor suspended.",
    examples: [true],
  },
};

const ofTexts: JsonObject = {
  pattern: {
    ...nonEmptyString,
    description: "What the text must match; `*` stands for any text, `?` for one character.",
    examples: ["?*"],
  },
  one_of: {
    type: "array",
    minItems: 1,
    items: { type: ["string", "number", "boolean"] },
    description: "Each value must be one of these.",
    examples: [[90, 365]],
  },
};

function requirementOf(properties: JsonObject, example: Json = true): JsonObject {
  return {
    if: { type: "boolean" },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { type: "boolean" },
    else: { type: "object", minProperties: 1, properties, additionalProperties: false },
    description:
      "`true` if it must have a value, `false` if it must have none, or what must be true of its values.",
    examples: [example],
  };
}

/** What can be required of a facet, by what its values are. */
const requirements = {
  owners: requirementOf({ ...ofOwners, ...ofSets, ...ofReferences }, { type: "DATA_STEWARD", active: true }),
  references: requirementOf({ ...ofSets, ...ofReferences }),
  reference: requirementOf(ofReferences),
  texts: requirementOf({ ...ofSets, ...ofReferences, ...ofTexts }),
  text: requirementOf({ ...ofReferences, ...ofTexts }),
};

const requirementByKey: JsonObject = {
  type: "object",
  minProperties: 1,
  description: "By key, what must be true of its values.",
  examples: [{ retention_days: { one_of: [90, 365] } }],
  additionalProperties: requirements.texts,
};

function requirementSchema(facet: Facet): JsonObject {
  const { isOwnership, refersTo, set } = facet;
  if (hasKeys(facet)) return requirementByKey;
  if (isOwnership === true) return requirements.owners;
  if (refersTo.length > 0) return set ? requirements.references : requirements.reference;
  return set ? requirements.texts : requirements.text;
}

function requireSchema(facets: readonly (readonly [key: string, facet: Facet])[]): JsonObject {
  return {
    type: "object",
    minProperties: 1,
    properties: Object.fromEntries(facets.map(([key, facet]) => [key, requirementSchema(facet)])),
    additionalProperties: false,
  };
}

function columnsSchema(kind: Kind): JsonObject | undefined {
  const facets = [...columnFacets(kind.name)];
  if (facets.length === 0) return undefined;
  const matched = facets.filter(([, facet]) => facet.refersTo.length > 0 || hasKeys(facet));
  const keys: JsonObject = {
    name: patternsSchema("The name of the column.", "*email*"),
    type: patternsSchema("The native type, as the platform names it.", "VARCHAR*"),
    ...Object.fromEntries(matched.map(([key, facet]) => [key, facetMatch(facet)])),
  };
  return {
    type: "object",
    required: ["require"],
    properties: {
      match: {
        type: "object",
        minProperties: 1,
        description: "Which columns it is about: all keys must hold. Without it all are.",
        examples: [{ tags: "pii" }],
        properties: withExclusions(keys),
        additionalProperties: false,
      },
      require: {
        ...requireSchema(facets),
        description: "What must be true of each of these columns.",
        examples: [{ description: true }],
      },
    },
    additionalProperties: false,
    description:
      "What must be true of columns. Then each column that matches is judged, and not the dataset.",
    examples: [{ match: { tags: "pii" }, require: { description: true } }],
  };
}

/** The fields of all policies. */
export const anyPolicySchema: JsonObject = {
  title: policyKind,
  type: "object",
  required: ["kind", "id", "match"],
  properties: {
    kind: { const: policyKind, description: "What the manifest declares.", examples: [policyKind] },
    id: {
      ...nonEmptyString,
      description: "The name of the policy in plans and messages. No other policy has the same.",
      examples: ["prod-governed"],
    },
    match: {
      type: "object",
      required: ["kind"],
      properties: { kind: kindOfMatch },
      description:
        "Which entities it is about: all keys must hold. A list matches where one of its patterns does. Facets are matched as they will be.",
      examples: exampleKinds.map((kind) => ({ kind, env: "PROD" })),
    },
  },
};

/** JSON Schema of a policy about entities of a kind. */
export function policySchemaOf(kind: Kind): JsonObject {
  const { kind: name, id, match } = anyPolicySchema["properties"] as Readonly<Record<string, JsonObject>>;
  const plain = policyFacets(kind.name).filter((facet) => !isOfColumns(facet.name));
  const columns = columnsSchema(kind);
  const branches = ["require", "check", ...(columns ? ["columns"] : [])];
  return {
    ...anyPolicySchema,
    anyOf: branches.map((key): Json => ({ required: [key] })),
    properties: {
      kind: name ?? {},
      id: id ?? {},
      description: {
        ...nonEmptyString,
        description: "What the policy is for.",
        examples: ["Production data has a domain and a steward who still works here."],
      },
      severity: {
        enum: ["error", "warning"],
        default: "error",
        description: "Whether a violation that a plan introduces stops it, or is only reported.",
        examples: ["warning"],
      },
      match: {
        ...match,
        properties: { kind: kindOfMatch, ...withExclusions(matchProperties(kind)) },
        additionalProperties: false,
      },
      require: {
        ...requireSchema(plain.map((facet) => [facet.name, facet])),
        description: "What must be true of each entity that it matches.",
        examples: [{ owners: { type: "DATA_STEWARD", active: true } }],
      },
      check: {
        ...nonEmptyString,
        description: "An expression of CEL about `asset` that must be true, for what `require` cannot say.",
        examples: ['asset.owners.exists(o, o.type == "DATA_STEWARD" && o.active)'],
      },
      ...(columns && { columns }),
      coverage: {
        type: "object",
        required: ["min_percent"],
        properties: {
          min_percent: {
            type: "number",
            minimum: 0,
            maximum: 100,
            description: "The least share that passes.",
            examples: [80],
          },
        },
        additionalProperties: false,
        description: "How much of what it matches must pass.",
        examples: [{ min_percent: 80 }],
      },
      fail_on: {
        enum: ["introduced", "any"],
        default: "introduced",
        description: "Which violations stop a plan: those that it introduces, or any of what it changes.",
        examples: ["any"],
      },
      message: {
        ...nonEmptyString,
        description:
          "What a violation says, with `{name}`, `{urn}`, `{kind}`, `{platform}`, `{env}` and `{column}`.",
        examples: ["{name} has no steward"],
      },
    },
    additionalProperties: false,
  };
}

/** The parts that schemas of policies have in common, by the name of their definition. */
export const sharedPolicyParts: Readonly<Record<string, JsonObject>> = {
  valuePatterns,
  valuePatternsByKey,
  ...Object.fromEntries(
    Object.entries(requirements).map(([values, schema]) => [`${values}Requirement`, schema]),
  ),
  requirementByKey,
};

/** JSON Schema of a waiver. */
export const waiverSchema: JsonObject = {
  title: waiverKind,
  type: "object",
  required: ["kind", "policy", "match", "reason", "expires"],
  properties: {
    kind: { const: waiverKind, description: "What the manifest declares.", examples: [waiverKind] },
    policy: {
      ...nonEmptyString,
      [refersToKey]: policyType,
      description: "The id of the policy.",
      examples: ["prod-governed"],
    },
    match: {
      type: "object",
      minProperties: 1,
      description: "Which entities it is about: all keys must hold, as in the `match` of policies.",
      examples: [{ name: "prod.legacy.*" }],
      properties: withExclusions(Object.assign({}, ...kinds.map(matchProperties)) as JsonObject),
      additionalProperties: false,
    },
    reason: {
      ...nonEmptyString,
      description: "Why it is waived.",
      examples: ["Replaced in the first quarter, DATA-412."],
    },
    expires: {
      ...nonEmptyString,
      description: "The last day on which it applies, in UTC.",
      examples: ["2027-01-31"],
    },
  },
  additionalProperties: false,
};

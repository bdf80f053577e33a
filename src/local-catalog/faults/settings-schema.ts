import type { JsonObject } from "../../model/json.ts";
import type { Fault } from "./settings.ts";

interface Parameters {
  readonly required?: JsonObject;
  readonly optional?: JsonObject;
}

const milliseconds: JsonObject = { type: "integer", minimum: 0, maximum: 600_000 };
const when: JsonObject = { enum: ["before", "after"] };
const code: JsonObject = { enum: [403, 500, 503] };

// What each fault has besides `rate` and `only`.
const parametersOf: Readonly<Record<Fault["fault"], Parameters>> = {
  latency: { required: { milliseconds } },
  status: {
    required: { status: { enum: [429, 500, 502, 503, 504] } },
    optional: { retry_after: { type: "integer", minimum: 0 }, when },
  },
  reset: { optional: { when } },
  hang: { optional: { when } },
  truncated_body: {},
  graphql_errors: { optional: { code } },
  failed_alias: { optional: { code } },
  failed_entity: { optional: { code } },
  unstable_scroll: {},
  lost_update: { required: { milliseconds } },
};

/** The names of the faults. */
export const faultNames: readonly string[] = Object.keys(parametersOf);

/** The JSON Schema of `FaultSettings`. Each fault has its own, which `fault` selects. */
export const faultSettingsSchema: JsonObject = {
  type: "object",
  properties: {
    seed: { type: "integer", minimum: 0 },
    requests_per_second: { type: "integer", minimum: 1 },
    faults: {
      type: "array",
      items: {
        type: "object",
        discriminator: { propertyName: "fault" },
        oneOf: Object.entries(parametersOf).map(([name, parameters]) => schemaOf(name, parameters)),
      },
    },
  },
  additionalProperties: false,
};

function schemaOf(name: string, { required = {}, optional = {} }: Parameters): JsonObject {
  return {
    type: "object",
    required: ["fault", "rate", ...Object.keys(required)],
    properties: {
      fault: { const: name },
      rate: { type: "number", minimum: 0, maximum: 1 },
      only: { type: "array", minItems: 1, items: { type: "string", minLength: 1 } },
      ...required,
      ...optional,
    },
    additionalProperties: false,
  };
}

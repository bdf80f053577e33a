/** Defines the fault settings, as types and as a JSON Schema. */

import type { JsonObject } from "../../model/json.ts";

/** Selects the requests that a fault can affect, and how often it does. */
interface Chance {
  /** The fraction of selected requests that the fault affects, from 0 to 1. */
  readonly rate: number;
  /** Selects requests, all by default: `reads`, `writes`, a GraphQL operation or field by its name, or a path by its beginning. */
  readonly only?: readonly string[];
}

/** Whether a request fails before the catalog carries it out (the default), or after. */
type When = "before" | "after";

/** A fault that the catalog injects. `code` is the code in DataHub's GraphQL errors, 500 by default. */
export type Fault = Chance &
  (
    | { readonly fault: "latency" | "lost_update"; readonly milliseconds: number }
    | {
        readonly fault: "status";
        readonly status: 429 | 500 | 502 | 503 | 504;
        /** When the client may retry, in seconds. */
        readonly retry_after?: number;
        readonly when?: When;
      }
    | { readonly fault: "reset" | "hang"; readonly when?: When }
    | { readonly fault: "truncated_body" | "unstable_scroll" }
    | { readonly fault: "graphql_errors" | "failed_alias" | "failed_entity"; readonly code?: 403 | 500 | 503 }
  );

/** The content of a faults file. */
export interface FaultSettings {
  /** The seed for the draws, 1 by default. Another seed selects other requests. */
  readonly seed?: number;
  /** The maximum number of requests per second. The catalog answers further requests with 429. */
  readonly requests_per_second?: number;
  readonly faults?: readonly Fault[];
}

const milliseconds: JsonObject = { type: "integer", minimum: 0, maximum: 600_000 };
const status: JsonObject = { enum: [429, 500, 502, 503, 504] };
const retryAfter: JsonObject = { type: "integer", minimum: 0 };
const when: JsonObject = { enum: ["before", "after"] };
const code: JsonObject = { enum: [403, 500, 503] };

// Each fault's parameters, in addition to `rate` and `only`.
const parametersOf: Readonly<Record<Fault["fault"], Readonly<Record<string, JsonObject>>>> = {
  latency: { milliseconds },
  status: { status, retry_after: retryAfter, when },
  reset: { when },
  hang: { when },
  truncated_body: {},
  graphql_errors: { code },
  failed_alias: { code },
  failed_entity: { code },
  unstable_scroll: {},
  lost_update: { milliseconds },
};

const required = new Set(["milliseconds", "status"]);

/** The names of all faults. */
export const faultNames: readonly string[] = Object.keys(parametersOf);

/** The JSON Schema for `FaultSettings`. The key `fault` selects a separate schema for each fault. */
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
        oneOf: Object.entries(parametersOf).map(([name, parameters]) => ({
          type: "object",
          required: ["fault", "rate", ...Object.keys(parameters).filter((key) => required.has(key))],
          properties: {
            fault: { const: name },
            rate: { type: "number", minimum: 0, maximum: 1 },
            only: { type: "array", minItems: 1, items: { type: "string", minLength: 1 } },
            ...parameters,
          },
          additionalProperties: false,
        })),
      },
    },
  },
  additionalProperties: false,
};

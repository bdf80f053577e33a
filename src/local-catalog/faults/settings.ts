/** Defines the fault settings, as types and as a JSON Schema. */

import type { JsonObject } from "../../model/json.ts";

/** Specifies which requests a fault can affect, and how often it affects them. */
interface Chance {
  /** The probability, from 0 to 1, that the fault affects a request that `only` selects. */
  readonly rate: number;
  /**
   * The requests that the fault can affect; all by default. Entries are `reads`, `writes`, names of GraphQL operations or fields,
   * and path prefixes.
   */
  readonly only?: readonly string[];
}

/** Whether a request fails before the catalog carries it out (the default) or afterward. */
type When = "before" | "after";

/** A fault that the catalog injects. `code` is the DataHub error code in the GraphQL response, 500 by default. */
export type Fault = Chance &
  (
    | { readonly fault: "latency" | "lost_update"; readonly milliseconds: number }
    | {
        readonly fault: "status";
        readonly status: 429 | 500 | 502 | 503 | 504;
        /** The number of seconds after which the client may retry. */
        readonly retry_after?: number;
        readonly when?: When;
      }
    | { readonly fault: "reset" | "hang"; readonly when?: When }
    | { readonly fault: "truncated_body" | "unstable_scroll" }
    | { readonly fault: "graphql_errors" | "failed_alias" | "failed_entity"; readonly code?: 403 | 500 | 503 }
  );

/** The content of a faults file. */
export interface FaultSettings {
  /** The seed for the random draws, 1 by default. A different seed affects different requests. */
  readonly seed?: number;
  /** The maximum number of requests per second. The catalog answers excess requests with 429. */
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

/** The JSON Schema for `FaultSettings`. The schema of each entry in `faults` depends on the entry's value for `fault`. */
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

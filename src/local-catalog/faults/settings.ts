/** Which requests have a fault, and how often. */
interface Chance {
  /** The share of the requests in question that have the fault, from 0 to 1. */
  readonly rate: number;
  /**
   * The requests in question, all by default: `reads`, `writes`, the name of a GraphQL operation or of its fields, or the
   * beginning of a path.
   */
  readonly only?: readonly string[];
}

/** Whether a request fails before it is carried out (the default), or after. */
interface Moment {
  readonly when?: "before" | "after";
}

/** What a GraphQL error says: DataHub's code, 500 by default. */
interface Code {
  readonly code?: 403 | 500 | 503;
}

/** A fault that the catalog injects. */
export type Fault = Chance &
  (
    | { readonly fault: "latency"; readonly milliseconds: number }
    | (Moment & {
        readonly fault: "status";
        readonly status: 429 | 500 | 502 | 503 | 504;
        /** Seconds. */
        readonly retry_after?: number;
      })
    | (Moment & { readonly fault: "reset" | "hang" })
    | { readonly fault: "truncated_body" }
    | { readonly fault: "unstable_scroll" }
    | (Code & { readonly fault: "graphql_errors" | "failed_alias" | "failed_entity" })
    | { readonly fault: "lost_update"; readonly milliseconds: number }
  );

/** What a file of faults says. */
export interface FaultSettings {
  /** Another seed draws other requests; 1 by default. */
  readonly seed?: number;
  /** Further requests within a second are answered with 429. */
  readonly requests_per_second?: number;
  readonly faults?: readonly Fault[];
}

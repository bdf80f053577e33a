/** Defines capabilities that only some servers have, and how to detect them. */

/** How to detect whether a server has a capability. */
export type CapabilityProbe =
  /** Checks whether a GraphQL type has a field. A field that introspection does not list counts as missing. */
  | { readonly by: "field"; readonly field: `${string}.${string}` }
  /**
   * Checks whether a GraphQL input type has a field, by sending one search that uses it. A server without the field rejects the
   * search.
   */
  | { readonly by: "input"; readonly field: `${string}.${string}` }
  /** Checks a feature flag of the server: a field of `FeatureFlagsConfig` in GraphQL. */
  | { readonly by: "flag"; readonly flag: string }
  /** Checks whether the server returns the versions of aspects. */
  | { readonly by: "versions" }
  /** Requests the aspects of zero entities, to check whether the server supports such requests for several entities. */
  | { readonly by: "aspects-of-none" };

/** A feature that only some servers have. */
export interface Capability {
  readonly id: string;
  /** The name of the capability, which messages use as the subject of a sentence. */
  readonly what: string;
  readonly asked: CapabilityProbe;
  /** How the tool behaves on a server without the capability: a sentence without the final period. */
  readonly without: string;
  /** The first DataHub release with the capability. It is informational only: no decision depends on the server's version. */
  readonly release: string;
}

/** A capability, and whether the server has it; `null` if unknown. */
export interface KnownCapability extends Capability {
  readonly isThere: boolean | null;
}

/** A capability that only some servers have, and how to find out about it. */

/** How to find out whether a server has a capability. */
export type CapabilityProbe =
  /** By the fields of a GraphQL type. A field that introspection does not show counts as missing. */
  | { readonly by: "field"; readonly field: `${string}.${string}` }
  /** By the fields of a GraphQL input type; a search with such a field is sent once, and refused by a server without it. */
  | { readonly by: "input"; readonly field: `${string}.${string}` }
  /** By a feature flag of the server: a field of GraphQL's `FeatureFlagsConfig` that is on. */
  | { readonly by: "flag"; readonly flag: string }
  /** By the versions of aspects, which the server shows or does not. */
  | { readonly by: "versions" }
  /** By a request for the aspects of no entities, which writes nothing. */
  | { readonly by: "aspects-of-none" };

/** A feature that only some servers have. */
export interface Capability {
  readonly id: string;
  /** The capability, as the subject of a sentence. */
  readonly what: string;
  readonly asked: CapabilityProbe;
  /** The behavior of this program on a server without it: a sentence without its full stop. */
  readonly without: string;
  /** The first release of DataHub that has it, for readers only: the version number of a server decides nothing. */
  readonly release: string;
}

/** A capability, and whether a server has it; `null` if unknown. */
export interface KnownCapability extends Capability {
  readonly isThere: boolean | null;
}

/** Describes a capability that only some servers have, and how to detect it. */

/** How to detect whether a server has a capability. */
export type CapabilityProbe =
  /** By a GraphQL type's fields. A field that introspection does not show counts as missing. */
  | { readonly by: "field"; readonly field: `${string}.${string}` }
  /** By a GraphQL input type's fields. A search with such a field is sent once, and a server without it refuses the search. */
  | { readonly by: "input"; readonly field: `${string}.${string}` }
  /** By a server's feature flag: a field in GraphQL's `FeatureFlagsConfig` that is on. */
  | { readonly by: "flag"; readonly flag: string }
  /** By aspect versions, which the server may or may not show. */
  | { readonly by: "versions" }
  /** By requesting aspects for zero entities, which writes nothing. */
  | { readonly by: "aspects-of-none" };

/** A feature that only some servers have. */
export interface Capability {
  readonly id: string;
  /** The capability's name, used as the subject of a sentence. */
  readonly what: string;
  readonly asked: CapabilityProbe;
  /** This program's behavior on a server without it: a sentence without its period. */
  readonly without: string;
  /** The first DataHub release that has it. It only informs readers: no decision depends on a server's version number. */
  readonly release: string;
}

/** A capability, and whether a server has it; `null` if unknown. */
export interface KnownCapability extends Capability {
  readonly isThere: boolean | null;
}

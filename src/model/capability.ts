/** How a server is asked whether it has a capability. */
export type CapabilityQuestion =
  /** By the fields of a type of GraphQL. What introspection does not show counts as not there. */
  | { readonly by: "field"; readonly field: `${string}.${string}` }
  /** By the fields of an input type of GraphQL; a search that has one is sent once, and refused by a server without it. */
  | { readonly by: "input"; readonly field: `${string}.${string}` }
  /** By a feature flag of the server, a field of `FeatureFlagsConfig` in GraphQL that is on. */
  | { readonly by: "flag"; readonly flag: string }
  /** By whether the server shows the versions of aspects. */
  | { readonly by: "versions" }
  /** By a request for the aspects of no entities, which writes nothing. */
  | { readonly by: "aspects-of-none" };

/** Something that only some servers can do. */
export interface Capability {
  readonly id: string;
  /** What it is, as the subject of a sentence. */
  readonly what: string;
  readonly asked: CapabilityQuestion;
  /** What this program does on a server without it, as a sentence without its full stop. */
  readonly without: string;
  /** The first release of DataHub that has it. Only people read it: a server is never judged by its number. */
  readonly release: string;
}

/** A capability and whether a server has it; `null` where it is not known. */
export interface KnownCapability extends Capability {
  readonly isThere: boolean | null;
}

/** Defines references from manifests to other entities, and the possible results of looking up their targets. */

import type { Origin } from "./origin.ts";
import type { Place } from "./place.ts";
import type { Urn } from "./urn.ts";

/** A reference in a value that a manifest or a rule declares. `facet` and `path` are spelled as in the manifest. */
export interface WrittenReference extends Place {
  readonly urn: Urn;
  /** The required entity type, spelled as in URNs: `tag`, `corpuser`, … */
  readonly entityType: string;
  readonly origin: Origin;
}

/** A reference in a manifest that declares the entity `from`. */
export interface DeclaredReference extends WrittenReference {
  readonly from: Urn;
}

/** References in declaration order. They are rebuilt on each iteration. */
export type References = Iterable<DeclaredReference>;

/** Whether the target of a reference exists. A failed lookup is an error and never counts as absence. */
export type Existence =
  | { readonly status: "present" | "absent" | "soft-deleted" }
  | { readonly status: "unreadable"; readonly error: string };

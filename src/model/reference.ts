/** References from manifests to other entities, and whether their targets exist. */

import type { Origin } from "./origin.ts";
import type { Place } from "./place.ts";
import type { Urn } from "./urn.ts";

/** A reference in the value at a place of a manifest or a rule. The keys are those in the manifest. */
export interface WrittenReference extends Place {
  readonly urn: Urn;
  /** The required entity type, in the spelling of URNs: `tag`, `corpuser`, … */
  readonly entityType: string;
  readonly origin: Origin;
}

/** A reference from the manifest of `from`. */
export interface DeclaredReference extends WrittenReference {
  readonly from: Urn;
}

/** The references in the order of their declarations, built again for each iteration. */
export type References = Iterable<DeclaredReference>;

/** Whether the target of a reference exists: a failed lookup is an error, never an absence. */
export type Existence =
  | { readonly status: "present" | "absent" | "soft-deleted" }
  | { readonly status: "unreadable"; readonly error: string };

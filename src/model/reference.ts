/** References from manifests to other entities, and whether their targets exist. */

import type { Origin } from "./origin.ts";
import type { Place } from "./place.ts";
import type { Urn } from "./urn.ts";

/** A reference from the manifest of `from`, in the value at a place. The keys are those in the manifest. */
export interface DeclaredReference extends Place {
  readonly urn: Urn;
  /** The required entity type, in the spelling of URNs: `tag`, `corpuser`, … */
  readonly entityType: string;
  readonly from: Urn;
  readonly origin: Origin;
}

/** The references in the order of their declarations, built again for each iteration. */
export type References = Iterable<DeclaredReference>;

/** Whether the target of a reference exists: a failed lookup is an error, never an absence. */
export type Existence =
  | { readonly status: "present" | "absent" | "soft-deleted" }
  | { readonly status: "unreadable"; readonly error: string };

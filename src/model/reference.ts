/** Defines references from manifests to other entities, and whether their targets exist. */

import type { Origin } from "./origin.ts";
import type { Place } from "./place.ts";
import type { Urn } from "./urn.ts";

/** A reference in the value at a place in a manifest or a rule. The keys are those in the manifest. */
export interface WrittenReference extends Place {
  readonly urn: Urn;
  /** The required entity type, spelled as in URNs: `tag`, `corpuser`, … */
  readonly entityType: string;
  readonly origin: Origin;
}

/** A reference from the manifest that declares `from`. */
export interface DeclaredReference extends WrittenReference {
  readonly from: Urn;
}

/** References in declaration order, built again for each iteration. */
export type References = Iterable<DeclaredReference>;

/** Whether a reference's target exists. A failed lookup is an error, never an absence. */
export type Existence =
  | { readonly status: "present" | "absent" | "soft-deleted" }
  | { readonly status: "unreadable"; readonly error: string };

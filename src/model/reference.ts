import type { Origin } from "./origin.ts";
import type { Place } from "./place.ts";
import type { Urn } from "./urn.ts";

/** Where the manifest of `from` refers to another entity: in the value at a place, whose keys are as the manifest names them. */
export interface DeclaredReference extends Place {
  readonly urn: Urn;
  /** What it must be, in the spelling of URNs: `tag`, `corpuser`, … */
  readonly entityType: string;
  readonly from: Urn;
  readonly origin: Origin;
}

/** References in the order of what declares them. Each iteration makes them anew. */
export type References = Iterable<DeclaredReference>;

/** Whether something that is referred to can be used: a failed look-up is an error, never an absence. */
export type Existence =
  | { readonly status: "present" | "absent" | "soft-deleted" }
  | { readonly status: "unreadable"; readonly error: string };

import type { Origin } from "./origin.ts";
import type { Urn } from "./urn.ts";

/** A place where the manifest of `from` refers to another entity. */
export interface DeclaredReference {
  readonly urn: Urn;
  /** What it must be, in the spelling of URNs: `tag`, `corpuser`, … */
  readonly entityType: string;
  readonly from: Urn;
  readonly facet: string;
  /** As the manifest names it. */
  readonly column?: string;
  readonly origin: Origin;
}

/** References in the order of what declares them. Each iteration makes them anew. */
export type References = Iterable<DeclaredReference>;

/** Whether something that is referred to can be used: a failed look-up is an error, never an absence. */
export type Existence =
  | { readonly status: "present" | "absent" | "soft-deleted" }
  | { readonly status: "unreadable"; readonly error: string };

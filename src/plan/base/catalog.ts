/** The two inputs for a comparison: the manifests' declarations, and the state read from the catalog. */

import type { State } from "../../model/state.ts";
import type { References, Existence } from "../../model/reference.ts";
import type { Live } from "../../model/live.ts";
import type { KnownEdges } from "../../model/membership.ts";
import type { Urn } from "../../model/urn.ts";

/** The declared entities, and everything that they refer to. */
export interface Desired {
  readonly state: State;
  /** References in declaration order. An iterator makes them on demand, because rules have references for each asset. */
  readonly references: References;
}

/** The catalog's state, as far as it was read. */
export interface Catalog {
  readonly live: Live;
  readonly edges: KnownEdges;
  /** Whether each URN exists that is referred to but not declared. */
  readonly existence: ReadonlyMap<Urn, Existence>;
  /** The definitions among these URNs that constrain values. */
  readonly definitions?: State | undefined;
}

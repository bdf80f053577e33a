/** The two inputs of a comparison: what manifests declare, and what was read of the catalog. */

import type { State } from "../../model/state.ts";
import type { References, Existence } from "../../model/reference.ts";
import type { Live } from "../../model/live.ts";
import type { KnownEdges } from "../../model/membership.ts";
import type { Urn } from "../../model/urn.ts";

/** The declared entities, and everything that they refer to. */
export interface Desired {
  readonly state: State;
  /** In the order of their declarations. An iterator makes them on demand, because rules have references for each asset. */
  readonly references: References;
}

/** The state of the catalog, as far as it was read. */
export interface Catalog {
  readonly live: Live;
  readonly edges: KnownEdges;
  /** For each URN that is referred to but not declared. */
  readonly existence: ReadonlyMap<Urn, Existence>;
  /** The definitions among these that constrain values. */
  readonly definitions?: State | undefined;
}

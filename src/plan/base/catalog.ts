/** The two inputs of a comparison: the declarations in the manifests, and the state read from the catalog. */

import type { State } from "../../model/state.ts";
import type { References, Existence } from "../../model/reference.ts";
import type { Live } from "../../model/live.ts";
import type { KnownEdges } from "../../model/membership.ts";
import type { Urn } from "../../model/urn.ts";

/** The declared entities, and their references to other entities. */
export interface Desired {
  readonly state: State;
  /** References in declaration order. An iterator produces them on demand, because rules produce references for each asset. */
  readonly references: References;
}

/** The state that was read from the catalog. */
export interface Catalog {
  readonly live: Live;
  readonly edges: KnownEdges;
  /** Whether each referenced but undeclared URN exists in the catalog. */
  readonly existence: ReadonlyMap<Urn, Existence>;
  /** The undeclared definitions that constrain values, for example structured properties. */
  readonly definitions?: State | undefined;
}

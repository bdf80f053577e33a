/** The scope of a plan: its directory and selection, and the values that it leaves in the catalog. */

import type { Place } from "./place.ts";
import type { Member, Scalar } from "./state.ts";
import type { Urn } from "./urn.ts";

/** The scope of a plan: its directory, environment, base ref, and selection. */
export interface PlanScope {
  /** Relative to the working directory, with `/`. */
  readonly directory: string;
  /** The selected environment, if the settings have any. */
  readonly environment?: string;
  readonly ref?: string;
  readonly targets?: readonly string[];
  readonly excluded?: readonly string[];
  readonly kinds?: readonly string[];
  readonly platforms?: readonly string[];
  readonly domains?: readonly Urn[];
  /** Ids of rules. */
  readonly rules?: readonly string[];
  readonly changedSince?: string;
  /** Values that a prune would remove, but that the plan keeps in the catalog, if any. */
  readonly left?: Leftovers;
}

/** Entities and values that were declared before, are no longer declared, and are kept. */
export interface Leftovers {
  readonly entities: readonly Urn[];
  /** The number of such values of entities that are kept. */
  readonly values: number;
  /**
   * The values that soft-deleted assets, and columns that left the schema, bring back when they return; absent if there are none.
   */
  readonly away?: readonly DormantValue[];
}

/**
 * A value that a prune cannot remove, on a soft-deleted asset or on a column that left the schema. Without `value`, the asset could
 * not be read.
 */
export interface DormantValue extends Partial<Place> {
  readonly urn: Urn;
  readonly value?: Member | Scalar;
}

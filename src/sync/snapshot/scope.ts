/** Defines the scope of a snapshot, and finds the entities that its manifests declare or refer to. */

import { systemOwnershipTypes } from "../../facets/ownership-types.ts";
import type { Asset, Rule } from "../../model/rule.ts";
import type { KindName, State } from "../../model/state.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import type { AssetQuestion } from "../read/assets/index-filters.ts";
import { definitionsMentioned } from "./mentioned.ts";
import type { Desired } from "../../plan/base/catalog.ts";

/** Rules, and a match function that tolerates unknown columns. */
interface Deciding {
  readonly rules: readonly Rule[];
  readonly holds: (question: AssetQuestion, asset: Asset) => boolean;
}

/** The manifests that a snapshot covers, and the earlier declarations. */
export interface SnapshotScope {
  readonly desired: Desired;
  readonly before?: State | undefined;
  /** The rules in the manifests, including rules in earlier commits. */
  readonly deciding: Deciding;
  /** The kinds of the entities that policies apply to. */
  readonly judged?: readonly KindName[];
}

/** Returns the entities that the manifests declare now, declared earlier, or refer to, and DataHub's own ownership types. */
export function namedIn({ desired, before = new Map(), deciding }: SnapshotScope): readonly Urn[] {
  const references = Array.from(desired.references, ({ urn }) => urn);
  const values = definitionsMentioned([desired.state, before, deciding.rules]);
  const system = systemOwnershipTypes.filter(isUrn);
  return [...desired.state.keys(), ...before.keys(), ...references, ...values, ...system];
}

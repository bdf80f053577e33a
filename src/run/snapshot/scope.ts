import { systemOwnershipTypes } from "../../facets/ownership-types.ts";
import type { Asset, Rule } from "../../model/rule.ts";
import type { KindName, State } from "../../model/state.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import type { Desired } from "../../plan/compare.ts";
import { definitionsMentioned } from "./mentioned.ts";

/** Rules, and how one decides about an asset whose columns may not be known. */
interface Deciding {
  readonly rules: readonly Rule[];
  readonly holds: (rule: Rule, asset: Asset) => boolean;
}

/** The manifests that a snapshot is taken for, and what was declared before. */
export interface SnapshotScope {
  readonly desired: Desired;
  readonly before?: State | undefined;
  /** The rules among them, also those of earlier commits. */
  readonly deciding: Deciding;
  /** The kinds whose entities policies judge. */
  readonly judged?: readonly KindName[];
}

/** The entities that manifests declare, now or before, or refer to, and those that DataHub has of itself. */
export function namedIn({ desired, before = new Map(), deciding }: SnapshotScope): readonly Urn[] {
  const references = Array.from(desired.references, ({ urn }) => urn);
  const values = definitionsMentioned([desired.state, before, deciding.rules]);
  const system = systemOwnershipTypes.filter(isUrn);
  return [...desired.state.keys(), ...before.keys(), ...references, ...values, ...system];
}

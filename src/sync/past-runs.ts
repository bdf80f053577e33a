/** Compares desired and live state, taking earlier applies into account. */

import { compare, type Comparison } from "../plan/compare.ts";
import { fightsIn, pastWritesIn } from "../plan/notes/fights.ts";
import type { Policy, FightRules } from "../plan/base/policy.ts";
import type { WrittenSince } from "../plan/base/written-since.ts";
import type { Desired, Catalog } from "../plan/base/catalog.ts";

/** Earlier writes that a comparison takes into account. */
export interface PastRuns {
  readonly fights: FightRules;
  readonly written: WrittenSince;
}

/** Reads the writes of earlier applies. Called only if there are changes. */
export type ReadPastRuns = () => Promise<PastRuns>;

/**
 * Compares desired and live state. Leaves out changes that are held back because of fights, so deletions and guards ignore them.
 * Values that earlier applies wrote count as applied. Rethrows errors from `read`.
 */
export async function compareWithRuns(
  desired: Desired,
  catalog: Catalog,
  policy: Policy,
  read: ReadPastRuns | undefined,
): Promise<Comparison> {
  const comparison = compare(desired, catalog, policy);
  const { changes } = comparison;
  if (!read || changes.length === 0) return comparison;
  const { fights, written } = await read();
  const past = pastWritesIn(fights);
  const isFought = changes.some((change) => fightsIn(change, fights, past).length > 0);
  if (!isFought && !changes.some(({ urn }) => written.has(urn))) return comparison;
  return compare(desired, catalog, { ...policy, written, ...(isFought && { fights }) });
}

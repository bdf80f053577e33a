import { type Catalog, compare, type Comparison, type Desired } from "../plan/compare.ts";
import { type FightRules, withFights } from "../plan/fights.ts";
import type { Policy } from "../plan/policy.ts";
import type { WrittenSince } from "../plan/written-since.ts";

/** What earlier applies say of what is to be compared. */
export interface PastRuns {
  readonly fights: FightRules;
  readonly written: WrittenSince;
}

/** Reads what earlier applies wrote. It is called only where something changes. */
export type ReadPastRuns = () => Promise<PastRuns>;

/**
 * Compares by what earlier applies wrote: without what fights hold back, so that what is left decides about deletions and guards, and
 * with what they wrote counting as applied. Throws what the reading throws.
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
  const isNone = withFights(changes, fights).every((change, index) => change === changes[index]);
  if (isNone && !changes.some(({ urn }) => written.has(urn))) return comparison;
  return compare(desired, catalog, { ...policy, written, ...(!isNone && { fights }) });
}

import { type Catalog, compare, type Comparison, type Desired } from "../plan/compare.ts";
import { type FightRules, withFights } from "../plan/fights.ts";
import type { Policy } from "../plan/policy.ts";

/** Reads what earlier applies wrote. It is called only where something changes. */
export type ReadFights = () => Promise<FightRules>;

/** Compares, without what fights hold back: then what is left decides about deletions and guards. Throws what the reading throws. */
export async function compareWithFights(
  desired: Desired,
  catalog: Catalog,
  policy: Policy,
  read: ReadFights | undefined,
): Promise<Comparison> {
  const comparison = compare(desired, catalog, policy);
  const { changes } = comparison;
  if (!read || changes.length === 0) return comparison;
  const fights = await read();
  const isNone = withFights(changes, fights).every((change, index) => change === changes[index]);
  return isNone ? comparison : compare(desired, catalog, { ...policy, fights });
}

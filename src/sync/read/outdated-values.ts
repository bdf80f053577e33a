/** Warns about values that may no longer fit a changed definition. */

import { entitiesNamedIn } from "../../facets/places.ts";
import { aspectOf } from "../../facets/writes.ts";
import { type Change, isFacetChange } from "../../model/change.ts";
import type { Live } from "../../model/live.ts";
import type { Problem } from "../../model/problem.ts";
import { outdatingChanges } from "../../plan/checks/defined-values.ts";
import type { Reader } from "../../datahub/client.ts";
import type { ReadOptions } from "./read-batches.ts";
import { searchUses } from "./incoming-references.ts";

/**
 * A warning for each changed definition if the search index finds entities with values that the plan does not write again. Throws
 * only the reason of the signal.
 */
export async function warnAboutOutdatedValues(
  reader: Reader,
  changes: readonly Change[],
  live: Live,
  options: ReadOptions,
): Promise<readonly Problem[]> {
  const outdating = outdatingChanges(changes, live);
  if (outdating.length === 0) return [];
  const found = await searchUses(reader, outdating, options);
  return outdating.flatMap(({ urn, source }, index): readonly Problem[] => {
    const uses = found[index];
    const origin = source && { origin: source };
    if (!uses) return [{ code: "values-outdated", severity: "warning", args: { urn, on: [] }, ...origin }];
    const { urns, total } = uses;
    const written = new Set<string>(
      changes
        .filter((change) => isFacetChange(change) && entitiesNamedIn(change).includes(urn))
        .flatMap((change) => aspectOf(change).map((at) => at.urn)),
    );
    const left = urns.filter((each) => !written.has(each));
    const count = total - (urns.length - left.length);
    if (count === 0) return [];
    const args = { urn, count, on: left.slice(0, maxNamed) };
    return [{ code: "values-outdated", severity: "warning", args, ...origin }];
  });
}

/** The maximum number of entities in a warning. */
const maxNamed = 5;

/** Reads details that make a plan easier to review: suggestions, writers, owners, leftovers and display names. */

import type { Reader } from "../datahub/client.ts";
import type { Facet } from "../facets/facet.ts";
import { entitiesNamedIn } from "../facets/places.ts";
import { aspectOf } from "../facets/writes.ts";
import { type Change, isFacetChange } from "../model/change.ts";
import type { Live } from "../model/live.ts";
import type { Plan } from "../model/plan.ts";
import type { Leftovers } from "../model/plan-scope.ts";
import type { Problem } from "../model/problem.ts";
import type { Urn } from "../model/urn.ts";
import { outdatingChanges } from "../plan/checks/defined-values.ts";
import { withSuggestion } from "../plan/checks/suggestions.ts";
import type { Comparison } from "../plan/compare.ts";
import { dormantValues } from "../plan/notes/dormant.ts";
import { unmanagedWithWriter, writers } from "../plan/notes/details.ts";
import { withNotes } from "../plan/notes/index.ts";
import { leftoversOf, type Prunable } from "../plan/notes/leftovers.ts";
import { namesFor, namesIn, urnsShown } from "../plan/notes/names.ts";
import { ownerFacets, touchedOwners } from "../plan/notes/touched-owners.ts";
import type { PlanContent } from "../plan/plan.ts";
import { readDormant } from "./read/dormant.ts";
import { entityToRead, stateOf } from "./read/entities-to-read.ts";
import { readLastWriters } from "./read/last-writers.ts";
import { readLive } from "./read/live-state.ts";
import { searchUses } from "./read/incoming-references.ts";
import { readNames } from "./read/names.ts";
import type { ReadOptions } from "./read/read-batches.ts";
import { readSubstitutes } from "./read/reference-suggestions.ts";
import type { Declarations } from "./rules/expand-rules.ts";
import type { Catalog } from "../plan/base/catalog.ts";

interface Compared {
  readonly declared: Declarations;
  readonly catalog: Catalog;
}

/**
 * Adds details to a comparison: suggestions for missing entities, the last writers of removed values, and warnings about existing
 * values that the changes may make invalid. Throws only if the signal is aborted.
 */
export async function addDetails<C extends Comparison>(
  reader: Reader,
  comparison: C,
  { declared, catalog }: Compared,
  options: ReadOptions,
): Promise<C> {
  const known = namesIn(declared.desired.state, catalog.live.state);
  const substitutes = await readSubstitutes(reader, comparison.problems, known, options);
  const writerOf = await readLastWriters(reader, comparison, options);
  const outdated = await warnAboutOutdatedValues(reader, comparison.changes, catalog.live, options);
  const { changes, unmanaged, problems } = comparison;
  return {
    ...comparison,
    changes: changes.map((change) => withNotes(change, [writers], writerOf)),
    unmanaged: unmanaged.map((each) => unmanagedWithWriter(each, writerOf)),
    problems: [...problems.map((problem) => withSuggestion(problem, substitutes)), ...outdated],
  };
}

/**
 * Reads the owners of changed entities if they have not been read yet, and adds a warning for each entity whose owners could not
 * be read.
 */
export async function ownersOf(
  reader: Reader,
  { changes }: Comparison,
  { declared, catalog }: Compared,
  options: ReadOptions,
): Promise<{ readonly owners: readonly Urn[]; readonly problems: readonly Problem[] }> {
  const desired = declared.desired.state;
  const live = catalog.live.state;
  const unread = changes
    .filter(({ action }) => action !== "create")
    .flatMap(({ urn }) => entityToRead(urn, ownerFacetsOf))
    .filter(({ urn, facets }) => [...facets.keys()].some((name) => !live.get(urn)?.facets.has(name)));
  const { state, unreadable } = await readLive(reader, stateOf(unread), options);
  const problems = [...unreadable].map(([urn, error]): Problem => {
    const origin = desired.get(urn)?.origin;
    return { code: "ownership-unread", severity: "warning", args: { urn, error }, ...(origin && { origin }) };
  });
  return { owners: touchedOwners(changes, [desired, live, state]), problems };
}

function ownerFacetsOf(kind: string): readonly Facet[] {
  return ownerFacets.filter(({ kinds }) => kinds.some((each) => each === kind));
}

/** Reads the values that a prune would remove, and the display names of all URNs in the plan. */
export async function readLeftoversAndNames(
  reader: Reader,
  content: PlanContent,
  { declared, catalog }: Compared,
  { prunable, ...options }: ReadOptions & { readonly prunable?: Prunable | undefined },
): Promise<{ readonly left: Leftovers | undefined; readonly names: Plan["names"] }> {
  const { desired, policy, dormant } = declared;
  const { live } = catalog;
  const found = prunable && dormant && (await readDormant(reader, dormant, live, options));
  const returning = found && dormantValues(dormant.declared, found, policy, prunable.assignments);
  const sides = { desired: desired.state, before: policy.base };
  const left = prunable && leftoversOf(content.unmanaged, sides, prunable, returning);
  const known = namesIn(desired.state, live.state);
  const shown = urnsShown(content);
  const unknown = shown.filter((urn) => !known.has(urn));
  const names = new Map([...known, ...(await readNames(reader, unknown, options))]);
  return { left, names: namesFor(shown, names) };
}

/** Maximum number of entities listed in a warning. */
const maxNamed = 5;

/**
 * Adds a warning for each changed definition on which existing values depend, unless the plan rewrites all of these values. Finds
 * the entities with such values in the search index. Throws only if the signal is aborted.
 */
async function warnAboutOutdatedValues(
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

import type { Reader } from "../datahub/client.ts";
import type { Plan } from "../model/plan.ts";
import type { Urn } from "../model/urn.ts";
import { withSuggestions } from "../plan/checks/suggestions.ts";
import type { Catalog, Comparison } from "../plan/compare.ts";
import { leftAway } from "../plan/diff/away.ts";
import { withDetails } from "../plan/diff/details.ts";
import { type Prunable, withLeft } from "../plan/diff/left-behind.ts";
import { namesIn, urnsShown, withNames } from "../plan/diff/names.ts";
import { touchedOwners } from "../plan/touched-owners.ts";
import { readAway } from "./read/away.ts";
import { readLastWriters } from "./read/last-writers.ts";
import { readNames } from "./read/names.ts";
import { readOwners } from "./read/owners.ts";
import type { ReadOptions } from "./read/read-batches.ts";
import { readSubstitutes } from "./read/substitutes.ts";
import type { Declarations } from "./rules/expand-rules.ts";

/** What was declared, and what was read for it. */
interface Compared {
  readonly declared: Declarations;
  readonly catalog: Catalog;
}

/**
 * A comparison with what the catalog says beside: what was perhaps meant where something is absent, and who put there what
 * goes. Throws only the reason of a signal.
 */
export async function addDetails<C extends Comparison>(
  reader: Reader,
  comparison: C,
  { declared, catalog }: Compared,
  { onProgress: _, ...options }: ReadOptions,
): Promise<C> {
  const known = namesIn(declared.desired.state, catalog.live.state);
  const substitutes = await readSubstitutes(reader, comparison.problems, known, options);
  const writerOf = await readLastWriters(reader, comparison, options);
  return withDetails(withSuggestions(comparison, substitutes), { writerOf });
}

/** Who owns what changes. Throws `CatalogError` where the server cannot be asked, and the reason of a signal. */
export async function ownersOf(
  reader: Reader,
  { changes }: Comparison,
  { declared, catalog }: Compared,
  options: ReadOptions,
): Promise<readonly Urn[]> {
  const live = catalog.live.state;
  const owners = await readOwners(reader, changes, live, options);
  return touchedOwners(changes, [declared.desired.state, live, owners]);
}

/**
 * A plan that says what a prune would take away and it leaves, and the display names of what it shows. Throws `CatalogError`
 * where the server cannot be asked, and the reason of a signal.
 */
export async function addLeftoversAndNames(
  reader: Reader,
  made: Plan,
  { declared, catalog }: Compared,
  { prunable, ...options }: ReadOptions & { readonly prunable?: Prunable | undefined },
): Promise<Plan> {
  const { desired, policy, away } = declared;
  const { live } = catalog;
  const found = prunable && away && (await readAway(reader, away, live, options));
  const left = found && leftAway(away.declared, found, policy, prunable.assignments);
  const sides = { desired: desired.state, before: policy.base };
  const plan = withLeft(made, sides, prunable, left);
  const known = namesIn(desired.state, live.state);
  const unknown = urnsShown(plan).filter((urn) => !known.has(urn));
  return withNames(plan, new Map([...known, ...(await readNames(reader, unknown, options))]));
}

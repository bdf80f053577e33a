import type { Reader } from "../datahub/client.ts";
import type { Facet } from "../facets/facet.ts";
import type { Change } from "../model/change.ts";
import type { Plan } from "../model/plan.ts";
import type { State } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";
import { withSuggestions } from "../plan/checks/suggestions.ts";
import type { Catalog, Comparison } from "../plan/compare.ts";
import { leftAway } from "../plan/diff/away.ts";
import { withDetails } from "../plan/diff/details.ts";
import { type Prunable, withLeftovers } from "../plan/diff/leftovers.ts";
import { namesIn, urnsShown, withNames } from "../plan/diff/names.ts";
import { ownerFacets, touchedOwners } from "../plan/touched-owners.ts";
import { readAway } from "./read/away.ts";
import { entityToRead, stateOf } from "./read/entities-to-read.ts";
import { readLastWriters } from "./read/last-writers.ts";
import { readLive } from "./read/live-state.ts";
import { readNames } from "./read/names.ts";
import type { ReadOptions } from "./read/read-batches.ts";
import { readSubstitutes } from "./read/substitutes.ts";
import type { Declarations } from "./rules/expand-rules.ts";

/** What was declared, and what was read for it. */
interface Compared {
  readonly declared: Declarations;
  readonly catalog: Catalog;
}

/** Adds to a comparison suggestions for what is absent, and who wrote what is removed. Throws only the reason of a signal. */
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

/** The owners of what changes. */
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

/** Reads the owners of entities that change, where they were not read before. What cannot be read has none here. */
async function readOwners(
  reader: Reader,
  changes: readonly Change[],
  live: State,
  { onProgress: _, ...options }: ReadOptions,
): Promise<State> {
  const unread = changes
    .filter(({ action }) => action !== "create")
    .flatMap(({ urn }) => entityToRead(urn, ownerFacetsOf))
    .filter(({ urn, facets }) => [...facets.keys()].some((name) => !live.get(urn)?.facets.has(name)));
  return (await readLive(reader, stateOf(unread), options)).state;
}

function ownerFacetsOf(kind: string): readonly Facet[] {
  return ownerFacets.filter(({ kinds }) => kinds.some((each) => each === kind));
}

/** Adds to a plan what a prune would remove, and the display names of what it shows. */
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
  const plan = withLeftovers(made, sides, prunable, left);
  const known = namesIn(desired.state, live.state);
  const unknown = urnsShown(plan).filter((urn) => !known.has(urn));
  return withNames(plan, new Map([...known, ...(await readNames(reader, unknown, options))]));
}

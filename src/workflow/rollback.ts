/**
 * Plans the rollback of a run to restore the values that the run changed or removed, and warns about manifests that would
 * overwrite the restored values.
 */

import type { Reader } from "../datahub/client.ts";
import { facetNamed, facets } from "../facets/index.ts";
import type { Origin } from "../model/origin.ts";
import type { Plan, PlanHeader } from "../model/plan.ts";
import { type PlanProblem, type ProblemOf, sortProblems } from "../model/problem.ts";
import type { Existence } from "../model/reference.ts";
import type { Report } from "../model/report.ts";
import type { State } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";
import { type Limits, unlimited } from "../plan/checks/guards/index.ts";
import { compare, type Comparison } from "../plan/compare.ts";
import { pendingIn } from "../model/held-back.ts";
import { withNotes } from "../plan/notes/index.ts";
import { rollbackConflict } from "../plan/notes/rollback-conflict.ts";
import { applyGuards, planOf } from "../plan/plan.ts";
import { defaultPolicy, type Policy } from "../plan/base/policy.ts";
import { restoreExtraAspects } from "../plan/rollback/restore-content.ts";
import { deletionsOf, referrersIn } from "../plan/rollback/deletable.ts";
import { rollbackChanges } from "../plan/rollback/rollback-changes.ts";
import { type RollbackWarning, rollbackWarning } from "../plan/rollback/rollback-warning.ts";
import { conflictsWithManifests, overruledByPlace } from "../plan/rollback/manifest-conflicts.ts";
import { type Wanted, withoutMembersMovedSince, withoutRefused } from "../plan/rollback/refused.ts";
import { referencesIn, type RollbackStates, statesOf } from "../plan/rollback/states.ts";
import { type Written, writtenBy } from "../plan/base/written.ts";
import { isRemovedDefinition } from "../plan/base/definitions.ts";
import { messageOf } from "../report/document/problems.ts";
import { addDetails, readLeftoversAndNames } from "../sync/details.ts";
import { readCatalog } from "../sync/read/catalog.ts";
import { withAllFacets } from "../sync/read/entities-to-read.ts";
import { readLive } from "../sync/read/live-state.ts";
import type { ReadOptions, ReportingOptions } from "../sync/read/read-batches.ts";
import { expandRules } from "../sync/rules/expand-rules.ts";
import type { Scope } from "./scope/scope.ts";
import type { Desired, Catalog } from "../plan/base/catalog.ts";

export interface RollbackOptions extends ReportingOptions {
  readonly header: PlanHeader;
  /** The run to roll back, as the source location of the plan's changes. */
  readonly origin: Origin;
  /** Selects the entities to roll back. The default is all entities. */
  readonly isSelected?: ((urn: Urn) => boolean) | undefined;
  /** The kinds of entities to delete if the run created them. Empty by default. */
  readonly prune?: ReadonlySet<string> | undefined;
  /** The limits of the guards. Without limits, no guard blocks the rollback. */
  readonly limits?: Limits | undefined;
}

// Merge mode keeps changes that other writers have made since the run. Guards are off by default, because the run was approved.
const policy: Policy = {
  ...defaultPolicy,
  modes: Object.fromEntries(facets.map(({ name }) => [name, "merge"])),
  limits: unlimited,
};

/**
 * Restores values that a run changed or removed, if they have not changed in the catalog since the run. In a set, removes the
 * elements that the run added and adds those that it removed. A single value that has changed since is a conflict. Anything else
 * that cannot be restored causes a warning. Writes nothing. Throws `CatalogError` if the catalog cannot be read, or the signal's
 * reason if it is aborted.
 */
export async function planRollback(
  report: Report,
  reader: Reader,
  { header, origin, prune, isSelected, limits = unlimited, onProgress, ...options }: RollbackOptions,
): Promise<Plan> {
  const judging = { ...policy, limits };
  const written = selectedIn(writtenBy(report), isSelected);
  const states = statesOf(written, origin);
  const { left, created } = states;
  if (states.before.size + created.size === 0)
    return planOf(header, applyGuards({ ...nothing, problems: unknownIn(written) }, judging));
  const catalog = await readCatalog(
    reader,
    desiredOf(states.before, origin),
    policyWith([left, created], prune),
    { ...options, onProgress },
  );
  const fitted = rollbackChanges(states, catalog);
  const referring = withAllFacets(prune ? referrersIn(states, catalog.live) : []);
  const { state: referrers } = await readLive(reader, referring, options);
  const deletions = deletionsOf(states, catalog.live, { prune, referrers });
  const wanted = { before: fitted.before, deleted: deletions.deleted };
  const possible = possibleOf(wanted, { states, catalog, origin, prune });
  const { desired, chosen, deleted } = possible;
  const { changes, problems, unmanaged, ...comparison } = possible.comparison;
  const staying = [...created.keys()].filter((urn) => catalog.live.state.has(urn) && !deleted.has(urn));
  const kept = [...deletions.held, ...possible.held];
  const noted = changes.map((change) => withNotes(change, [rollbackConflict], left));
  const restored = restoreExtraAspects(noted, written);
  const found = {
    ...comparison,
    // Elements that others added are not part of the rollback. A value that replaced a single value from the run is part of it.
    unmanaged: unmanaged.filter(({ facet, reason }) => {
      return reason === "not-expressible" && facet !== undefined && facetNamed(facet).shape === "scalar";
    }),
    changes: restored.changes,
    problems: [
      ...problems,
      ...fitted.held,
      ...kept,
      ...restored.held,
      ...unknownIn(written),
      ...keptOf(staying, kept),
    ],
  };
  const compared = { declared: { desired, policy: chosen }, catalog };
  const content = applyGuards(await addDetails(reader, found, compared, options), judging);
  return planOf(header, content, await readLeftoversAndNames(reader, content, compared, options));
}

function selectedIn(
  { changed, created, deleted, removed }: Written,
  isSelected: (urn: Urn) => boolean = () => true,
): Written {
  const isOwn = ({ urn }: { readonly urn: Urn }): boolean => isSelected(urn);
  return {
    changed: changed.filter(isOwn),
    created: created.filter(isOwn),
    deleted: deleted.filter(isOwn),
    removed: removed.filter(({ change }) => isOwn(change)),
  };
}

interface Comparing {
  readonly origin: RollbackOptions["origin"];
  readonly prune?: RollbackOptions["prune"];
  readonly states: RollbackStates;
  readonly catalog: Catalog;
}

interface Possible extends Wanted {
  readonly desired: Desired;
  readonly chosen: Policy;
  readonly comparison: Comparison;
  readonly held: readonly RollbackWarning[];
}

/**
 * Compares a rollback with the catalog. Holds back each change that the catalog would reject or that other writers have
 * overwritten, then compares the remaining changes again until no more are held back.
 */
function possibleOf(wanted: Wanted, comparing: Comparing): Possible {
  const { states, catalog, origin, prune } = comparing;
  const { before, deleted } = wanted;
  const desired = desiredOf(before, origin);
  const remaining = new Map([...states.left].filter(([urn]) => before.has(urn)));
  const chosen = policyWith([remaining, deleted], prune);
  const comparison = compare(desired, knowing(catalog, states.before, before), chosen);
  const moved = withoutMembersMovedSince(before, comparison.changes, states.left);
  const rest = withoutRefused({ before: moved.before, deleted }, comparison.problems, messageOf);
  const held = [...moved.held, ...rest.held];
  if (held.length === 0) return { ...wanted, desired, chosen, comparison, held };
  const smaller = possibleOf(rest, comparing);
  return { ...smaller, held: [...held, ...smaller.held] };
}

const nothing: Comparison = {
  changes: [],
  unmanaged: [],
  unchanged: 0,
  counts: {},
  problems: [],
  deletions: [],
};

function desiredOf(state: State, origin: Origin): Desired {
  return { state, references: referencesIn(state, origin) };
}

/**
 * Adds the existence of entities that are no longer compared, because changes may refer to them. Without this step,
 * `catalog.existence` contains only entities that were never compared.
 */
function knowing(catalog: Catalog, all: State, compared: State): Catalog {
  const { live } = catalog;
  const left = [...all.keys()].filter((urn) => !compared.has(urn));
  const known = left.map((urn): readonly [Urn, Existence] => {
    const found = live.state.get(urn);
    if (found) return [urn, { status: isRemovedDefinition(found) ? "soft-deleted" : "present" }];
    return [urn, { status: live.missing.get(urn) ?? "absent" }];
  });
  return { ...catalog, existence: new Map([...catalog.existence, ...known]) };
}

function policyWith(base: readonly State[], prune: ReadonlySet<string> | undefined): Policy {
  return { ...policy, base: new Map(base.flatMap((state) => [...state])), ...(prune && { prune }) };
}

/**
 * Returns a warning for each deleted entity that cannot be recreated, because the report has an older format without the entity's
 * values.
 */
function unknownIn({ deleted }: Written): readonly RollbackWarning[] {
  const unknown = deleted.filter(({ values }) => values === undefined);
  return unknown.map(({ urn, kind }) => rollbackWarning({ urn, kind, because: "unknown-values" }));
}

/** Returns a warning that lists the entities that the run created and the rollback keeps, unless they already have a warning. */
function keptOf(
  staying: readonly Urn[],
  held: readonly RollbackWarning[],
): readonly ProblemOf<"rollback-keeps">[] {
  const named = new Set<string>(held.map(({ args }) => args.urn));
  const urns = staying.filter((urn) => !named.has(urn));
  return urns.length === 0 ? [] : [{ code: "rollback-keeps", severity: "warning", args: { urns } }];
}

/**
 * For each rule or file in a scope, adds a warning if it will overwrite a restored value at the next apply. `commit` is the run's
 * commit. Throws `CatalogError` if the catalog cannot be read, or the signal's reason if it is aborted.
 */
export async function withOverruled(
  plan: Plan,
  scope: Scope,
  reader: Reader,
  { commit, ...options }: ReadOptions & { readonly commit: string | null },
): Promise<Plan> {
  const pending = pendingIn(plan.changes);
  if (pending.length === 0) return plan;
  const { git, rules } = scope;
  const expandOptions = { ...options, git, rules };
  const { desired, policy: by } = await expandRules(reader, scope.desired, scope.policy, expandOptions);
  const overruled = overruledByPlace(conflictsWithManifests(pending, desired.state, by), commit);
  return overruled.length === 0
    ? plan
    : { ...plan, problems: sortProblems<PlanProblem>([...(plan.problems ?? []), ...overruled]) };
}

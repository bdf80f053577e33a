/**
 * Plans a repository's manifests against a catalog, and derives a plan's inputs from the settings: the allowed server, links,
 * owners, and fight rules.
 */

import { createReader, type Reader } from "../datahub/client.ts";
import { checkServer } from "../datahub/server-config.ts";
import { releaseProblemsOf } from "../sync/policies/releases.ts";
import type { PastRuns } from "../sync/past-runs.ts";
import type { ReportingOptions } from "../sync/read/read-batches.ts";
import { defaultFights } from "../model/settings.ts";
import { durationOf } from "../model/text/duration.ts";
import { policyChanges } from "../plan/policies/policy-changes.ts";
import { maxSpans } from "../plan/notes/fights.ts";
import type { WrittenSince } from "../plan/base/written-since.ts";
import type { Plan, PlanHeader } from "../model/plan.ts";
import { plan } from "./plan.ts";
import { movedToChangedFiles } from "./scope/changed-places.ts";
import type { Settings } from "../manifests/settings/settings-content.ts";
import { dayOf, expiryProblems } from "../manifests/policies/policy-set.ts";
import { scopeHeader, shardHeader } from "./scope/plan-header.ts";
import type { Repository } from "./scope/repository.ts";
import { declaringIn, type Scope } from "./scope/scope.ts";
import { tool } from "./version.ts";
import type { FightTimes, PastWrite } from "../plan/base/policy.ts";
import type { Connection } from "../datahub/http/connection.ts";
import { refuseOtherServer } from "./scope/pinned-server.ts";

export interface PlanScopeOptions extends ReportingOptions {
  /** The time of the plan, in ISO 8601. */
  readonly createdAt: string;
  /**
   * Reads the writes of earlier applies. The plan then holds back values that other writers keep resetting. Values written since
   * the last applied commit count as applied. Called only if there are changes. Its errors are rethrown.
   */
  readonly pastRuns?: (() => Promise<PastWrites>) | undefined;
  /** The server's name in the plan. Defaults to its URL. */
  readonly target?: string | undefined;
}

/** The writes of earlier applies. */
export interface PastWrites {
  /** The writes to check for fights, oldest first. */
  readonly writes: readonly PastWrite[];
  /** The values written since the last applied commit. */
  readonly written: WrittenSince;
}

/** A plan, and the number of requests that it required. */
export interface Planned {
  readonly plan: Plan;
  /** Number of requests for reading the catalog. */
  readonly requests: number;
}

/**
 * Compares the catalog with a repository's declarations, under the scope's policy. Writes nothing. The plan's `problems` include
 * problems with individual entities. Throws `ScopeError` before any request if the settings pin a different server,
 * `CatalogError` if the server cannot be reached, or the signal's reason if it is aborted.
 */
export async function planScope(
  scope: Scope,
  connection: Connection,
  { createdAt, target, ...reading }: PlanScopeOptions,
): Promise<Planned> {
  const { address } = connection.endpoint;
  const { settings } = scope.repository;
  refuseOtherServer(address, settings.server);
  await checkServer(connection, reading.signal);
  const { traffic } = connection;
  const before = traffic.counts().requests;
  const options = { ...reading, createdAt, target: target ?? address };
  const made = await planWithReader(scope, createReader({ reads: settings.reads, ...connection }), options);
  return { plan: made, requests: traffic.counts().requests - before };
}

/** Creates a plan with a reader. `target` is the catalog's name in the plan. Throws the reader's errors. */
export async function planWithReader(
  scope: Scope,
  reader: Reader,
  { createdAt, target, pastRuns, ...reading }: PlanScopeOptions & { readonly target: string },
): Promise<Plan> {
  const { settings, settingsChanges, settingsBefore = settings } = scope.repository;
  const shard = shardHeader(scope);
  const links = linksOf(settings);
  const changed = scope.policiesAtFork ? policyChanges(scope.policiesAtFork, scope.desired) : [];
  const header: PlanHeader = {
    tool,
    createdAt,
    target,
    git: scope.git,
    scope: scopeHeader(scope),
    ...(settings.writes === "conditional" && { writes: settings.writes }),
    ...(shard && { shard }),
    ...(links !== undefined && { links }),
    ...(settingsChanges && { settingsChanges }),
    ...(changed.length > 0 && { policyChanges: changed }),
  };
  const { policies, waivers } = scope.desired;
  const day = dayOf(createdAt);
  const fork = changed.length > 0 ? scope.policiesAtFork : undefined;
  const options = {
    ...reading,
    header,
    rules: scope.rules,
    prunable: settings.prune,
    namesOwners: ownersNamed(scope.repository).length > 0,
    pastRuns: pastRuns && pastRunsOf(scope, createdAt, pastRuns),
    ...((policies.length > 0 || fork) && {
      policies: { policies, waivers, day, fork, base: scope.policiesBefore, declaring: declaringIn(scope) },
      strictPolicies: settingsBefore.policies?.strict === true && fork !== undefined,
    }),
  };
  const made = await plan(scope.desired, reader, scope.policy, options);
  const found = [
    ...(made.problems ?? []),
    ...scope.problems,
    ...(await releaseProblemsOf(policies, reader, reading)),
    ...expiryProblems(waivers, day, settings.waivers?.max_days),
  ];
  const problems = await movedToChangedFiles(found, scope, scope.desired);
  return { ...made, ...(problems.length > 0 && { problems }) };
}

/** Returns the ids and URNs of owners that the current or earlier settings map to GitHub names. */
export function ownersNamed({ settings, settingsBefore = settings }: Repository): readonly string[] {
  return [settings, settingsBefore].flatMap(({ github, reviewers: { groups = {}, users = {} } = {} }) =>
    [github?.mention ?? {}, groups, users].flatMap((names) => Object.keys(names)),
  );
}

/** Adds the fight rules to the writes of earlier applies. `createdAt` is the plan's time. */
export function pastRunsOf(
  { repository: { settings }, git }: Scope,
  createdAt: string,
  pastRuns: () => Promise<PastWrites>,
): () => Promise<PastRuns> {
  return async () => {
    const { writes, written } = await pastRuns();
    return { fights: { ...fightRules(settings, createdAt), writes, base: git.base }, written };
  };
}

/** Returns the fight rules for a plan made at time `at`, and the time of the earliest writes to consider. */
export function fightRules(
  { fights = {} }: { readonly fights?: Settings["fights"] },
  at: string,
): FightTimes & { readonly since: number } {
  const settings = { ...defaultFights, ...fights };
  const [now, within] = [Date.parse(at), durationOf(settings.within)];
  return { times: settings.times, within, now, since: now - maxSpans * within };
}

/** Returns the URL of DataHub's web UI, if the settings contain it. */
export function linksOf({ links }: Settings): string | undefined {
  return links?.replace(/\/+$/, "");
}

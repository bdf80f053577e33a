/** Evaluates policies against the entities on a server or in a snapshot, for `check`. */

import { createReader } from "../../datahub/client.ts";
import { checkServer } from "../../datahub/server-config.ts";
import { checkScope } from "../../workflow/check.ts";
import { linksOf } from "../../workflow/plan-scope.ts";
import { revealedFor } from "../../workflow/plan-snapshot.ts";
import type { ListFilter } from "../../model/listing.ts";
import type { CheckResult } from "../../plan/policies/check-result.ts";
import { serverSource } from "../../sync/read/entity-source.ts";
import { snapshotSource } from "../../sync/snapshot/snapshot-source.ts";
import { openRepository } from "../../workflow/scope/repository.ts";
import type { Scope } from "../../workflow/scope/scope.ts";
import { createdAt } from "../created-at.ts";
import { InputError } from "../errors.ts";
import type { Io } from "../io.ts";
import { locationOf } from "../options/options.ts";
import { withTarget } from "../options/target.ts";
import { progressOf } from "../output/progress.ts";
import { type PlanOptions, scopeFor } from "./plan-run.ts";
import { noteAge, readSnapshot } from "./snapshot.ts";

/** The options for `check`. */
export interface CheckRunOptions extends PlanOptions {
  readonly live?: true;
  readonly snapshot?: string;
}

/** Evaluates the policies in a catalog directory, using a read-only client. Throws `InputError` if there are no policies. */
export async function runCheck(dir: string, options: CheckRunOptions, io: Io): Promise<CheckResult> {
  const repository = await openRepository(locationOf(dir, options, io));
  const scope = await scopeFor({ dir, options, writes: false }, repository, io);
  if (scope.desired.policies.length === 0)
    throw new InputError(`${dir} has no policies; add a manifest with \`kind: Policy\``, "no-policies");
  const { settings } = repository;
  const links = linksOf(settings);
  const checked = { at: createdAt(io), links, isLive: options.live === true, signal: io.interrupted };
  if (options.snapshot !== undefined) {
    const snapshot = readSnapshot(options.snapshot, io);
    const source = snapshotSource(revealedFor(scope, snapshot));
    noteAge(snapshot, options, io, "Checking");
    return await checkScope(scope, source, {
      ...checked,
      target: snapshot.target,
      snapshot: snapshot.createdAt,
    });
  }
  return await withTarget(options, { settings, writes: false }, io, async ({ connection, name }) => {
    await checkServer(connection, io.interrupted);
    const progress = progressOf("Checking", io, options.quiet === true);
    const source = await serverSource(createReader(connection), filterFor(scope), {
      signal: io.interrupted,
      onProgress: progress.report,
    });
    return await checkScope(scope, source, { ...checked, target: name }).finally(() => progress.end());
  });
}

/** Returns a filter for all entities of the kinds that policies apply to. */
function filterFor({ desired: { policies } }: Scope): ListFilter {
  const kinds = [...new Set(policies.map(({ kind }) => kind))];
  return { kinds, conditions: [], values: new Map(), missing: [] };
}

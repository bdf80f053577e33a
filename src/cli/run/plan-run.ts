import { createReader, type Reader } from "../../datahub/client/client.ts";
import { checkServer, type ServerInfo } from "../../datahub/client/server-config.ts";
import type { Settings } from "../../manifests/settings/settings.ts";
import type { Plan, PlanHeader } from "../../model/plan.ts";
import type { Limits } from "../../model/policy.ts";
import { type Problem, sortProblems } from "../../model/problem.ts";
import type { MissingRule } from "../../plan/checks/missing.ts";
import type { Policy } from "../../plan/policy.ts";
import type { Winner } from "../../plan/diff/provenance.ts";
import { plan } from "../../reconcile.ts";
import { count } from "../../report/count.ts";
import { UsageError } from "../errors.ts";
import type { Io } from "../io.ts";
import { type LimitOptions, limitsWith } from "../options/limits.ts";
import type { Format } from "../output/print.ts";
import { hasMissingReference, withPendingReferences } from "../../scope/pending-references.ts";
import { progressOf } from "../output/progress.ts";
import type { ReportFile } from "../output/report-files.ts";
import { loadSettings } from "../../scope/repository.ts";
import { type BaseRef, loadScope, type Scope } from "../../scope/scope.ts";
import type { ScopeOptions } from "../../scope/scope-files.ts";
import { openTarget, type Target, type TargetOptions } from "../options/target.ts";
import { version } from "../version.ts";

/** The options that `plan` and `apply` share. */
export interface PlanOptions extends TargetOptions, ScopeOptions, LimitOptions {
  readonly missing?: MissingRule;
  readonly forceConflicts?: boolean;
  readonly skipConflicts?: boolean;
  readonly format: Format;
  readonly report?: readonly ReportFile[];
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** A plan, what its server can do, and the target it was made for, still open. */
export interface Planned {
  readonly plan: Plan;
  readonly server: ServerInfo;
  readonly target: Target;
  readonly baseRef: BaseRef | undefined;
}

/**
 * Reads settings and manifests, opens the target, reads the catalog and makes the plan, then hands it to `use`.
 * The target is closed afterwards, whatever happens.
 */
export async function withPlan<T>(
  dir: string,
  options: PlanOptions,
  writes: boolean,
  io: Io,
  use: (planned: Planned) => Promise<T>,
): Promise<T> {
  const settings = await loadSettings(dir, options.settings, io);
  const target = await openTarget(options, { pinned: settings.server, writes }, io);
  try {
    return await use({ ...(await makePlanFor(dir, options, settings, target, writes, io)), target });
  } finally {
    await target.close();
  }
}

async function makePlanFor(
  dir: string,
  options: PlanOptions,
  settings: Settings,
  target: Target,
  writes: boolean,
  io: Io,
): Promise<Omit<Planned, "target">> {
  const started = performance.now();
  const note = (text: string): void => {
    if (options.verbose === true)
      io.stderr.write(`${text} (${Math.round(performance.now() - started)} ms)\n`);
  };
  const limits = limitsWith(settings.limits, options);
  const scope = await loadScope({ dir, options, settings, writes, io }, limits);
  const { desired, baseRef } = scope;
  note(`${count(desired.documents, "document")} in ${count(desired.files, "file")} read`);
  const header: PlanHeader = {
    tool: `datahub-gitops/${version}`,
    createdAt: createdAt(io),
    target: target.name,
    git: scope.git,
  };
  const server = await checkServer(target.endpoint, target.client);
  const reader = counting(createReader(target.endpoint, target.client));
  const progress = progressOf("Reading", io, options.quiet === true);
  const made = await plan(header, desired, reader, policyOf(options, settings, scope, limits), {
    signal: io.interrupted,
    onProgress: (done, total) => progress.report(done, total),
  }).finally(() => progress.end());
  note(`catalog read with ${count(reader.requests(), "request")} and compared`);
  const shown = writes ? made : await withPending(made, scope);
  return { plan: withProblems(shown, scope.problems), server, baseRef };
}

function policyOf(
  options: PlanOptions,
  settings: Settings,
  { base, ignored }: Scope,
  limits: Limits,
): Policy {
  const winner = winnerOf(options);
  return {
    modes: settings.manage ?? {},
    ignored,
    base,
    ...(winner && { winner }),
    ...(options.prune === true && { prune: settings.prune.kinds }),
    missing: options.missing ?? settings.missing ?? "error",
    limits,
  };
}

// An apply of a part would write the reference and not what it leads to: there it stays an error.
async function withPending(made: Plan, { whole }: Scope): Promise<Plan> {
  return whole && hasMissingReference(made) ? withPendingReferences(made, await whole()) : made;
}

function winnerOf({ forceConflicts, skipConflicts }: PlanOptions): Winner {
  if (forceConflicts === true) return "desired";
  return skipConflicts === true ? "live" : undefined;
}

function withProblems(made: Plan, problems: readonly Problem[]): Plan {
  return problems.length === 0
    ? made
    : { ...made, problems: sortProblems([...(made.problems ?? []), ...problems]) };
}

function counting(reader: Reader): Reader & { requests(): number } {
  let requests = 0;
  return {
    endpoint: reader.endpoint,
    query: (document, variables) => {
      requests += 1;
      return reader.query(document, variables);
    },
    stored: {
      read: (kind, wanted) => {
        requests += 1;
        return reader.stored.read(kind, wanted);
      },
    },
    requests: () => requests,
  };
}

/** The instant that a plan names: `SOURCE_DATE_EPOCH` where it is set, so that the same plan is the same text. */
export function createdAt(io: Io): string {
  const epoch = io.env["SOURCE_DATE_EPOCH"];
  if (epoch === undefined || epoch === "") return io.now().toISOString();
  if (!/^\d{1,11}$/.test(epoch)) throw new UsageError("SOURCE_DATE_EPOCH is not a number of seconds");
  return new Date(Number(epoch) * 1000).toISOString();
}

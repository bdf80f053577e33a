import { createReader, type Reader } from "../datahub/client.ts";
import { checkServer, type ServerInfo } from "../datahub/server-config.ts";
import { gitStateOf } from "../manifests/git-state.ts";
import type { Settings } from "../manifests/settings.ts";
import type { Plan, PlanHeader } from "../model/plan.ts";
import type { MissingRule } from "../plan/missing.ts";
import { selectTargets } from "../plan/select.ts";
import { plan } from "../reconcile.ts";
import { count } from "../report/symbols.ts";
import { UsageError } from "./errors.ts";
import type { Io } from "./io.ts";
import { progressOf } from "./progress.ts";
import { loadDesired, loadSettings } from "./repository.ts";
import { openTarget, type Target, type TargetOptions } from "./target.ts";
import { version } from "./version.ts";
import { resolve } from "node:path";

/** The options that `plan` and `apply` share. */
export interface PlanOptions extends TargetOptions {
  readonly settings?: string;
  readonly target?: readonly string[];
  readonly missing?: MissingRule;
  readonly format: "text" | "json";
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** A plan, what its server can do, and the target it was made for, still open. */
export interface Planned {
  readonly plan: Plan;
  readonly server: ServerInfo;
  readonly target: Target;
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
    return await use({ ...(await makePlanFor(dir, withSettings(options, settings), target, io)), target });
  } finally {
    await target.close();
  }
}

/** What the settings say counts where no flag says otherwise. */
function withSettings(options: PlanOptions, { missing }: Settings): PlanOptions {
  return { ...(missing && { missing }), ...options };
}

async function makePlanFor(
  dir: string,
  options: PlanOptions,
  target: Target,
  io: Io,
): Promise<Omit<Planned, "target">> {
  const started = performance.now();
  const [desired, git] = await Promise.all([
    loadDesired(dir, options.settings, io),
    gitStateOf(resolve(io.cwd, dir)),
  ]);
  const note = (text: string): void => {
    if (options.verbose === true)
      io.stderr.write(`${text} (${Math.round(performance.now() - started)} ms)\n`);
  };
  note(`${count(desired.documents, "document")} in ${count(desired.files, "file")} read`);
  const scope = options.target ? selectTargets(desired, options.target) : desired;
  if (scope.state.size === 0)
    throw new UsageError(`no declared entity matches --target ${options.target?.join(" ")}`);
  const header: PlanHeader = {
    tool: `datahub-gitops/${version}`,
    createdAt: createdAt(io),
    target: target.name,
    git,
  };
  const server = await checkServer(target.endpoint, target.client);
  const reader = counting(createReader(target.endpoint, target.client));
  const progress = progressOf("Reading", io, options.quiet === true);
  const made = await plan(header, scope, reader, {
    ...(options.missing && { missing: options.missing }),
    signal: io.interrupted,
    onProgress: (done, total) => progress.report(done, total),
  }).finally(() => progress.end());
  note(`catalog read with ${count(reader.requests(), "request")} and compared`);
  return { plan: made, server };
}

function counting(reader: Reader): Reader & { requests(): number } {
  let requests = 0;
  return {
    endpoint: reader.endpoint,
    query: (document, variables) => {
      requests += 1;
      return reader.query(document, variables);
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

import { dirname, resolve } from "node:path";
import { createReader } from "../../datahub/client.ts";
import { checkServer } from "../../datahub/server-config.ts";
import type { Kind } from "../../kinds/kind.ts";
import { gitStateOf } from "../../git/state.ts";
import { readRecords, type Records } from "../../manifests/records/records.ts";
import { appendTo } from "../../model/append.ts";
import type { Plan, PlanHeader } from "../../model/plan.ts";
import { type PlanProblem, type Problem, sortProblems } from "../../model/problem.ts";
import { type Entity, type FacetValue, scalarOf, type State } from "../../model/state.ts";
import { keyOf, type Urn } from "../../model/urn.ts";
import { limitsFrom } from "../../plan/checks/guards/index.ts";
import { defaultPolicy, type Policy } from "../../plan/policy.ts";
import { apply, plan } from "../../reconcile.ts";
import type { Format } from "../../library/render.ts";
import { carryOut, printOutcomes } from "./apply-plan.ts";
import { ManifestError } from "../../scope/errors.ts";
import { type ExitCode, exitCodes, worst } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { createdAt, type Planned } from "./plan-run.ts";
import { requireStdout } from "../output/lost-output.ts";
import { printIdle, printPlan, printProblems, tellIfLost } from "../output/print.ts";
import { openTarget, type Target, type TargetOptions } from "../options/target.ts";
import { tool } from "../../library/version.ts";
import { settle, type Wanted } from "./upsert-references.ts";

/** The options of `user upsert` and `group upsert`. */
export interface UpsertOptions extends TargetOptions {
  readonly file: string;
  /** Whether the fields of the info aspect that a record does not have are unset. */
  readonly overwrite?: boolean;
  readonly dryRun?: boolean;
  readonly format: Format;
  readonly quiet?: boolean;
}

/** Creates or updates what the records of a file declare. An error in one of them does not hold back the others. */
export async function upsert(kind: Kind, options: UpsertOptions, io: Io): Promise<ExitCode> {
  const read = readRecords(options.file, kind, io.cwd);
  const records = options.overwrite === true ? { ...read, state: withUnsetInfo(read.state, kind) } : read;
  if (records.broken) throw new ManifestError(records.problems);
  if (records.state.size === 0) {
    printProblems(records.problems, options.format, io);
    return exitCodes.invalid;
  }
  const target = await openTarget(options, { pinned: undefined, writes: options.dryRun !== true }, io);
  try {
    const server = await checkServer(target.connection, io.interrupted);
    const made = await planRecords(records, options, target, io);
    const recordCode = exitCodeOf(records.problems, exitCodes.invalid);
    if (options.dryRun !== true)
      return worst([recordCode, await write({ plan: made, server, target }, options, io)]);
    await printPlan(made, options, io, false);
    return worst([recordCode, exitCodeOfProblems(made)]);
  } finally {
    await target.close();
  }
}

/**
 * The records with `none` for each field that they do not have and that is kept in the aspect which makes the entity.
 * Other aspects, and users that a group only lists, are left as they are.
 */
function withUnsetInfo(state: State, kind: Kind): State {
  const entities = [...state].map(([urn, entity]): readonly [Urn, Entity] => {
    if (entity.kind !== kind.name) return [urn, entity];
    const info = Object.keys(kind.initial(keyOf(urn)));
    const unset = Object.entries(kind.keeps).flatMap(([name, [aspect]]): readonly [string, FacetValue][] =>
      info.includes(aspect) ? [[name, scalarOf(null, entity.origin)]] : [],
    );
    return [urn, { ...entity, facets: new Map([...unset, ...entity.facets]) }];
  });
  return new Map(entities);
}

// A file of records says what its few users and groups shall be, and nothing of the rest: no limit fits it.
const unguarded: Policy = {
  ...defaultPolicy,
  limits: limitsFrom({
    removals: { max_percent: 100, max_count: Number.MAX_SAFE_INTEGER, min_existing: 0 },
  }),
};

/** Plans until the plan holds nothing that an upsert does not do: each time less is left to settle. */
async function planRecords(records: Records, options: UpsertOptions, target: Target, io: Io): Promise<Plan> {
  const header: PlanHeader = {
    tool,
    createdAt: createdAt(io),
    target: target.name,
    git: await gitStateOf(dirname(resolve(io.cwd, options.file))),
  };
  const reader = createReader(target.connection);
  const planOf = (wanted: Wanted): Promise<Plan> =>
    plan(wanted, reader, unguarded, { header, signal: io.interrupted });
  let made = await planOf(records);
  let before: Wanted = records;
  let settled = settle(before, made);
  const problems: Problem[] = [...records.problems, ...settled.problems];
  while (settled.wanted !== before) {
    before = settled.wanted;
    made = await planOf(before);
    settled = settle(before, made);
    appendTo(problems, settled.problems);
  }
  const all = sortProblems<PlanProblem>([...(made.problems ?? []), ...problems]);
  return all.length === 0 ? made : { ...made, problems: all };
}

async function write(planned: Omit<Planned, "scope">, options: UpsertOptions, io: Io): Promise<ExitCode> {
  const { plan: made } = planned;
  const problemCode = exitCodeOfProblems(made);
  if (options.format === "text") await printPlan(made, options, io, false);
  if (made.changes.length === 0) {
    await printIdle({ plan: made, outcomes: [] }, options, io, false);
    return problemCode;
  }
  requireStdout("nothing was applied", io);
  const report = await carryOut(planned, apply, options, io);
  await printOutcomes(report, options, io);
  await tellIfLost(report, options, io);
  const applied = report.outcomes.every(({ status }) => status === "applied");
  const interrupted = io.interrupted.aborted ? exitCodes.interrupted : exitCodes.done;
  return worst([problemCode, applied ? exitCodes.done : exitCodes.error, interrupted]);
}

// Like the commands whose place these take, they know one kind of failure beside records that are not valid.
function exitCodeOfProblems({ problems = [] }: Plan): ExitCode {
  return exitCodeOf(problems, exitCodes.error);
}

function exitCodeOf(problems: readonly PlanProblem[], code: ExitCode): ExitCode {
  return problems.some(({ severity }) => severity === "error") ? code : exitCodes.done;
}

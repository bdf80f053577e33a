/** Defines the commands `user upsert` and `group upsert`, which create or update users and groups from a file. */

import { dirname, resolve } from "node:path";
import { Command } from "commander";
import { createReader } from "../../datahub/client.ts";
import { checkServer } from "../../datahub/server-config.ts";
import { edgeSets } from "../../facets/index.ts";
import { gitStateOf } from "../../git/state.ts";
import { group } from "../../kinds/group.ts";
import type { Kind } from "../../kinds/kind.ts";
import { user } from "../../kinds/user.ts";
import type { Format } from "../../workflow/render.ts";
import { tool } from "../../workflow/version.ts";
import { readRecords, type Records } from "../../manifests/records/records.ts";
import type { Plan, PlanHeader } from "../../model/plan.ts";
import { isError, type PlanProblem, sortProblems } from "../../model/problem.ts";
import { type Entity, scalarOf } from "../../model/state.ts";
import { keyOf } from "../../model/urn.ts";
import { limitsFrom } from "../../plan/checks/guards/index.ts";
import { defaultPolicy, type Policy } from "../../plan/base/policy.ts";
import { plan } from "../../workflow/plan.ts";
import { wrapText } from "../../report/text/wrap.ts";
import { ManifestError } from "../../workflow/scope/errors.ts";
import { type ExitCode, exitCodes, highestPrecedence } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { addExamples, type Examples } from "../options/examples.ts";
import { addGroup, addTargetOptions, common } from "../options/options.ts";
import { type Target, type TargetOptions, withTarget } from "../options/target.ts";
import { requireStdout } from "../output/lost-output.ts";
import { printIdle, printResult, printToStderrIfStdoutFailed } from "../output/print.ts";
import { type Approved, carryOut, printOutcomes } from "../run/apply-plan.ts";
import { createdAt } from "../created-at.ts";
import { dropMissingReferences } from "../run/upsert-references.ts";
import { apply } from "../../workflow/apply.ts";

type Done = (code: ExitCode) => void;

/** Defines `user upsert`, which behaves like the command of the same name in DataHub's CLI. */
export function userCommand(io: Io, done: Done): Command {
  const note =
    "Users are added to their `groups` and never removed from a group. Groups that do not exist are skipped with a warning.";
  return parentCommand(user, { note, exampleId: "alice@acme.com" }, io, done);
}

/** Defines `group upsert`, which behaves like the command of the same name in DataHub's CLI. */
export function groupCommand(io: Io, done: Done): Command {
  const note =
    "Everyone in `members` is added, and no member is removed. `owners` (or `admins`) replaces the list of owners. Members with fields are created if needed. Members without fields, and owners, are skipped with a warning if they do not exist. If an owner is skipped, no owner is removed.";
  return parentCommand(group, { note, exampleId: "finance-data" }, io, done);
}

interface HelpTexts {
  readonly note: string;
  /** The id of the record in the example. */
  readonly exampleId: string;
}

/** Creates the command for a kind. The command has one subcommand, which is also the default. */
function parentCommand(kind: Kind, { note, exampleId }: HelpTexts, io: Io, done: Done): Command {
  const name = kind.name.toLowerCase();
  const line = `${name} upsert -f ${kind.plural}.yaml`;
  const examples: Examples = [
    [`Create or update a ${name}`, `$ echo 'id: ${exampleId}' > ${kind.plural}.yaml`, line],
    ["Show what would change", `${line} --dry-run`],
  ];
  const upserting = addExamples(upsertCommand(kind, note, io, done), examples);
  return addExamples(new Command(name).addCommand(upserting, { isDefault: true }), examples);
}

function upsertCommand(kind: Kind, note: string, io: Io, done: Done): Command {
  const command = new Command("upsert")
    .description(`create or update ${kind.plural} from a file without asking for approval`)
    .requiredOption(
      "-f, --file <file>",
      `YAML file that contains one record or a list of records, each with the fields of a ${kind.name} manifest`,
    )
    .option("--overwrite", "also unset fields that are missing from a record")
    .option("--dry-run", "show the plan without applying it");
  return addGroup(addTargetOptions(command), "Output:", [common.format(), common.quiet()])
    .addHelpText("after", () => `\n${wrapText(note, io.stdout.columns, "")}`)
    .action(async (options: UpsertOptions) => done(await upsert(kind, options, io)));
}

interface UpsertOptions extends TargetOptions {
  readonly file: string;
  /** Whether to unset fields of the info aspect that are missing from a record. */
  readonly overwrite?: boolean;
  readonly dryRun?: boolean;
  readonly format: Format;
  readonly quiet?: boolean;
}

/** Creates or updates the entities that are declared in a file. An error in one record does not affect the other records. */
async function upsert(kind: Kind, options: UpsertOptions, io: Io): Promise<ExitCode> {
  const read = readRecords(options.file, kind, io.cwd);
  if (read.state.size === 0) throw new ManifestError(read.problems);
  const records = options.overwrite === true ? withUnsetInfo(read, kind) : read;
  const rules = { writes: options.dryRun !== true };
  return await withTarget(options, rules, io, async (target) => {
    await checkServer(target.connection, io.interrupted);
    const planned = { plan: await planRecords(records, options, target, io), target };
    const recordCode = exitCodeOf(records.problems, exitCodes.invalid);
    return highestPrecedence([recordCode, await carryOutRecords(planned, options, io)]);
  });
}

/** Declares `null` for each field that is missing from a record, if the field belongs to the aspect that creates the entity. */
function withUnsetInfo(records: Records, kind: Kind): Records {
  const unset = ({ urn, origin }: Entity) =>
    Object.entries(kind.storage).flatMap(([name, [aspect]]) =>
      Object.hasOwn(kind.initial(keyOf(urn)), aspect) ? [[name, scalarOf(null, origin)] as const] : [],
    );
  const entities = [...records.state].map(([urn, entity]): readonly [typeof urn, Entity] =>
    entity.kind === kind.name
      ? [urn, { ...entity, facets: new Map([...unset(entity), ...entity.facets]) }]
      : [urn, entity],
  );
  return { ...records, state: new Map(entities) };
}

// A record file lists only some of the users and groups, so memberships that are not in the file must not be removed. The limits
// on removals do not apply.
const policy: Policy = {
  ...defaultPolicy,
  modes: Object.fromEntries(
    edgeSets.flatMap(({ facet, inverse }) => [facet, inverse]).map((facet) => [facet, "additive"]),
  ),
  limits: limitsFrom({
    removals: { max_percent: 100, max_count: Number.MAX_SAFE_INTEGER, min_existing: 0 },
  }),
};

/** Creates a plan. If some referenced entities are missing, removes the references and creates the plan again. */
async function planRecords(records: Records, options: UpsertOptions, target: Target, io: Io): Promise<Plan> {
  const header: PlanHeader = {
    tool,
    createdAt: createdAt(io),
    target: target.name,
    git: await gitStateOf(dirname(resolve(io.cwd, options.file))),
  };
  const reader = createReader(target.connection);
  const planOf = (wanted: Records): Promise<Plan> =>
    plan(wanted, reader, policy, { header, signal: io.interrupted });
  const first = await planOf(records);
  const { declared, problems: missing } = dropMissingReferences(records, first);
  const made = missing.length === 0 ? first : await planOf(declared);
  const problems = [...(made.problems ?? []), ...records.problems, ...missing];
  // Values that were set by other writers are not listed, because a record file does not manage them.
  const unmanaged = made.unmanaged.filter(({ reason }) => reason !== "other-writer");
  return {
    ...made,
    unmanaged,
    summary: { ...made.summary, unmanaged: unmanaged.length },
    ...(problems.length > 0 && { problems: sortProblems<PlanProblem>(problems) }),
  };
}

async function carryOutRecords(planned: Approved, options: UpsertOptions, io: Io): Promise<ExitCode> {
  const { plan: made } = planned;
  // As in DataHub's CLI, invalid records have their own exit code, and all other failures share one exit code.
  const problemCode = exitCodeOf(made.problems ?? [], exitCodes.error);
  if (options.dryRun === true || options.format === "text")
    await printResult({ plan: made }, options, io, { isRefusable: false });
  if (options.dryRun === true) return problemCode;
  if (made.changes.length === 0) {
    await printIdle({ plan: made, outcomes: [] }, options, io, false);
    return problemCode;
  }
  requireStdout("nothing was applied", io);
  const report = await carryOut(planned, apply, options, io);
  await printOutcomes(report, options, io);
  await printToStderrIfStdoutFailed(report, options, io);
  const applied = report.outcomes.every(({ status }) => status === "applied");
  const interrupted = io.interrupted.aborted && exitCodes.interrupted;
  return highestPrecedence([problemCode, !applied && exitCodes.error, interrupted]);
}

function exitCodeOf(problems: readonly PlanProblem[], code: ExitCode): ExitCode {
  return problems.some(isError) ? code : exitCodes.done;
}

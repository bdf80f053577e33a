import { Command, CommanderError } from "commander";
import { CatalogError } from "../model/catalog-error.ts";
import { GithubError } from "../github/failure.ts";
import { annotateFailure } from "./output/annotate.ts";
import { applyCommand } from "./commands/apply.ts";
import { completionCommand } from "./commands/completion.ts";
import { demoCommand } from "./commands/demo.ts";
import { exportCommand } from "./commands/export.ts";
import { driftCommand } from "./commands/drift.ts";
import { fmtCommand } from "./commands/fmt.ts";
import { githubCommand } from "./commands/github.ts";
import { getCommand } from "./commands/get.ts";
import { groupCommand } from "./commands/group.ts";
import { initCommand } from "./commands/init.ts";
import { planCommand } from "./commands/plan.ts";
import { pullCommand } from "./commands/pull.ts";
import { schemaCommand } from "./commands/schema.ts";
import { serveCommand } from "./commands/serve.ts";
import { showCommand } from "./commands/show.ts";
import { userCommand } from "./commands/user.ts";
import { validateCommand } from "./commands/validate.ts";
import { InputError, RunError, UsageError } from "./errors.ts";
import { type ExitCode, exitCodes, worst } from "./exit-code.ts";
import { hasColor, type Io } from "./io.ts";
import { exitCodeOfOutputs } from "./output/lost-output.ts";
import { type MetricsRequest, writeMetrics } from "./output/metrics-file.ts";
import { printProblems } from "./output/print.ts";
import type { ReportFile } from "./output/report-files.ts";
import { say } from "./output/say.ts";
import { asCommandError } from "./output/scope-failure.ts";
import { type Destination, writeFailure, writeProblems } from "./output/write-failure.ts";
import type { Failure } from "../report/failure.ts";
import type { Measured } from "../report/metrics.ts";
import { printableLine } from "../report/printable.ts";
import { closest } from "../text/suggestion.ts";
import { formats } from "../library/render.ts";
import { version } from "../library/version.ts";
import { ManifestError, ScopeError } from "../scope/errors.ts";

const commands = [
  initCommand,
  validateCommand,
  fmtCommand,
  planCommand,
  applyCommand,
  driftCommand,
  exportCommand,
  pullCommand,
  showCommand,
  getCommand,
  userCommand,
  groupCommand,
  githubCommand,
  serveCommand,
  demoCommand,
  schemaCommand,
  completionCommand,
];

const goneText = "the working directory does not exist any more; change to another directory";

/** The options of commands that say where a result goes. */
interface Outputs {
  readonly format: string;
  readonly report: readonly ReportFile[];
  readonly metrics: string;
}

/** Runs a command line, given without the program name, and returns the exit code. Never throws. */
export async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  let code: ExitCode = exitCodes.done;
  let hasPrinted = false;
  const facts: Partial<Measured>[] = [];
  const watched: Io = {
    ...io,
    stdout: {
      ...io.stdout,
      write: (text) => {
        hasPrinted = true;
        io.stdout.write(text);
      },
    },
    measure: (each) => {
      facts.push(each);
    },
  };
  let to: Destination = { format: "text", hasPrinted: () => hasPrinted };
  let metrics: MetricsRequest | undefined;
  const program = programFor(watched, (result) => {
    code = result;
  }).hook("preAction", (_, command) => {
    const options = command.opts<Partial<Outputs>>();
    to = { ...to, format: formats.find((each) => each === options.format) ?? "text" };
    if (io.isDirectoryGone === true) throw new RunError(goneText, "no-working-directory");
    if (options.metrics !== undefined)
      metrics = { file: options.metrics, command: command.name(), startedAt: io.now() };
    if (options.report) to = { ...to, report: options.report };
  });
  try {
    await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    code = await explain(error, to, io);
  }
  code = worst([code, await exitCodeOfOutputs(io)]);
  if (!metrics) return code;
  return worst([code, await writeMetrics(metrics, { ...Object.assign({}, ...facts), exitCode: code }, io)]);
}

function programFor(io: Io, done: (code: ExitCode) => void): Command {
  const program = new Command("datahub-gitops")
    .description(
      "Metadata as code for DataHub: declare domains, owners and tags in YAML, review the plan, apply it.",
    )
    .version(version);
  for (const make of commands) program.addCommand(make(io, done));
  const parents = [
    program,
    ...program.commands.filter(({ commands: subcommands }) => subcommands.length > 0),
  ];
  for (const parent of parents) parent.addHelpText("before", () => refuseUnknownCommand(parent));
  for (const command of new Set([...parents, ...parents.flatMap((parent) => parent.commands)])) {
    command
      .exitOverride()
      .allowExcessArguments(false)
      .configureHelp({ minWidthToWrap: 20 })
      .showHelpAfterError(`Run "${pathOf(command)} --help" for usage.`)
      .configureOutput({
        writeOut: (text) => io.stdout.write(text),
        writeErr: (text) => io.stderr.write(text.split("\n").map(printableLine).join("\n")),
        getOutHelpWidth: () => io.stdout.columns,
        getErrHelpWidth: () => io.stderr.columns,
        getOutHasColors: () => hasColor(io.stdout, io.env),
        getErrHasColors: () => hasColor(io.stderr, io.env),
      });
  }
  return program;
}

/** Commander shows the help of the parent for `import --help`, as if the unknown command were not there. */
function refuseUnknownCommand(parent: Command): string {
  const [first = "", second = ""] = parent.args;
  const name = first === "help" ? second : first;
  const names = parent.commands.map((command) => command.name());
  if (name === "" || name.startsWith("-") || names.includes(name)) return "";
  const meant = closest(name, names);
  const hint = meant === undefined ? "" : `\n(Did you mean ${meant}?)`;
  return parent.error(`error: unknown command '${name}'${hint}`, { code: "commander.unknownCommand" });
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

/** Says why a command failed: to people on stderr, and to programs in the format of the result that is missing. */
async function explain(error: unknown, to: Destination, io: Io): Promise<ExitCode> {
  if (error instanceof CommanderError) return explainUsage(error, io);
  if (io.interrupted.aborted) {
    io.stderr.write("Interrupted.\n");
    await writeFailure({ code: "interrupted", message: "interrupted" }, to, io);
    return exitCodes.interrupted;
  }
  if (error instanceof ManifestError) {
    printProblems(error.problems, to.format, io);
    await writeProblems(error.problems, to, io);
    return exitCodes.invalid;
  }
  if (error instanceof ScopeError) return explain(asCommandError(error), to, io);
  if (error instanceof UsageError) {
    say(error.message, io);
    return exitCodes.usage;
  }
  const failure = failureOf(error);
  if (!failure) return explainBug(error, to, io);
  say(failure.message, io);
  await writeFailure(failure, to, io);
  return error instanceof InputError ? exitCodes.invalid : exitCodes.error;
}

/** The failures that have a message for people. */
function failureOf(error: unknown): Failure | undefined {
  if (error instanceof InputError || error instanceof RunError) return error;
  if (error instanceof CatalogError) return { code: error.failure, message: error.message };
  if (error instanceof GithubError) return { code: `github-${error.failure}`, message: error.message };
  return isLocalCatalogError(error) ? { code: "local-catalog", message: error.message } : undefined;
}

async function explainBug(error: unknown, to: Destination, io: Io): Promise<ExitCode> {
  const stack = (error instanceof Error ? (error.stack ?? error.message) : String(error))
    .split("\n")
    .map(printableLine)
    .join("\n");
  io.stderr.write(`This is a bug in datahub-gitops ${version}. Please report it:\n${stack}\n`);
  const message = `a bug in datahub-gitops ${version}: ${stack.split("\n")[0]}`;
  annotateFailure(message, io);
  await writeFailure({ code: "internal", message }, to, io);
  return exitCodes.error;
}

function explainUsage({ exitCode, code, message }: CommanderError, io: Io): ExitCode {
  if (exitCode === 0) return exitCodes.done;
  if (code !== "commander.help") annotateFailure(message.replace(/^error: /, ""), io);
  return exitCodes.usage;
}

// Compared by name, because importing the class would load the whole local catalog.
function isLocalCatalogError(error: unknown): error is Error {
  return error instanceof Error && error.name === "LocalCatalogError";
}

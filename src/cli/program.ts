/** Runs a command line: builds the program from its commands, and turns results and errors into an exit code. */

import { type Argument, Command, CommanderError, Help, type Option } from "commander";
import { formats } from "../report/format.ts";
import { version } from "../workflow/version.ts";
import { printableLine } from "../report/printable.ts";
import { nearestSpelling } from "../model/text/suggestion.ts";
import { commandsFor, isHidden } from "./commands/index.ts";
import { RunError } from "./errors.ts";
import { type ExitCode, exitCodes, highestPrecedence } from "./exit-code.ts";
import { type Facts, hasColor, type Io } from "./io.ts";
import { addExamples, type Examples } from "./options/examples.ts";
import { withHint } from "./options/option-hints.ts";
import { annotateFailure } from "./output/annotate.ts";
import { exitCodeOfOutputs } from "./output/lost-output.ts";
import type { MetricsRequest } from "./output/metrics-file.ts";
import type { ReportFile } from "./output/report-files.ts";
import type { Destination } from "./output/explain.ts";
import type { OpenedPage } from "./output/opened-page.ts";

const closingText = "the working directory no longer exists; change to a different directory";

interface OutputOptions {
  readonly format: string;
  readonly report: readonly ReportFile[];
  readonly metrics: string;
  readonly open: true;
}

/** Runs a command line, passed without the program name, and returns the exit code. Never throws. */
export async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  let code: ExitCode = exitCodes.done;
  let hasPrinted = false;
  const facts: Facts = {};
  const watched: Io = {
    ...io,
    stdout: {
      ...io.stdout,
      write: (text) => {
        hasPrinted = true;
        (opened ?? io.stdout).write(text);
      },
    },
    measure: (each) => void Object.assign(facts, each),
  };
  let to: Destination = { format: "text", hasPrinted: () => hasPrinted };
  let metrics: MetricsRequest | undefined;
  let opened: OpenedPage | undefined;
  const noteOptions = async (_: Command, command: Command): Promise<void> => {
    const options = command.opts<Partial<OutputOptions>>();
    to = { ...to, format: formats.find((each) => each === options.format) ?? "text" };
    if (io.isDirectoryMissing === true) throw new RunError(closingText, "no-working-directory");
    if (options.metrics !== undefined)
      metrics = { file: options.metrics, command: command.name(), startedAt: io.now() };
    if (options.open) {
      const { openedPage } = await import("./output/opened-page.ts");
      opened = openedPage(command.name(), options.format ?? "", io);
    }
    if (options.report) to = { ...to, report: options.report };
  };
  try {
    const words = asHelpOption(argv);
    const commands = await commandsFor(words, watched, (result) => {
      code = result;
    });
    await programOf(commands, io).hook("preAction", noteOptions).parseAsync(words, { from: "user" });
  } catch (error) {
    code = await explain(error, to, watched);
  }
  await opened?.show();
  code = highestPrecedence([code, await exitCodeOfOutputs(io)]);
  if (!metrics) return code;
  const { writeMetrics } = await import("./output/metrics-file.ts");
  return highestPrecedence([code, await writeMetrics(metrics, { ...facts, exitCode: code }, io)]);
}

function programOf(commands: readonly Command[], io: Io): Command {
  const program = new Command("datahub-gitops")
    .commandsGroup("Other:")
    .description(
      "Metadata as code for DataHub: declare domains, owners and tags in YAML, review the plan, and apply it.",
    )
    .version(version, "-V, --version", "print the version");
  addExamples(program, examples);
  for (const command of commands) program.addCommand(command, { hidden: isHidden(command) });
  const parents = [
    program,
    ...program.commands.filter(({ commands: subcommands }) => subcommands.length > 0),
  ];
  for (const parent of parents) {
    const refuse = (): string => refuseUnknownCommand(parent);
    // Without these handlers, Commander ignores an unknown command that precedes `--help`, and passes any other unknown command
    // to the default command as an argument.
    parent
      .helpCommand("help [command]", "show help for a command")
      .addHelpText("before", refuse)
      .hook("preSubcommand", () => void refuse())
      .on("command:*", refuse);
  }
  for (const command of new Set([...parents, ...parents.flatMap((parent) => parent.commands)])) {
    command
      .exitOverride()
      .allowExcessArguments(false)
      .optionsGroup("Options:")
      .helpOption("-h, --help", "show help")
      .configureHelp(helpStyle)
      .showHelpAfterError(`Run "${pathOf(command)} --help" for usage.`)
      .configureOutput({
        writeOut: (text) => io.stdout.write(text),
        outputError: (text, write) => write(withHint(text, command.name())),
        writeErr: (text) => io.stderr.write(text.split("\n").map(printableLine).join("\n")),
        getOutHelpWidth: () => io.stdout.columns,
        getErrHelpWidth: () => io.stderr.columns,
        getOutHasColors: () => hasColor(io.stdout, io.env),
        getErrHasColors: () => hasColor(io.stderr, io.env),
      });
  }
  return program;
}

/** The help style for all commands. Command lists show only names, so each command fits on one line. */
const helpStyle: Partial<Help> = {
  minWidthToWrap: 20,
  subcommandTerm: (command: Command) => command.name(),
  optionDescription: (option: Option) => withoutQuotes(new Help().optionDescription(option)),
  argumentDescription: (argument: Argument) => withoutQuotes(new Help().argumentDescription(argument)),
};

/** Removes the quotes that Commander adds around choices and defaults in a description. */
function withoutQuotes(description: string): string {
  return description.replaceAll('"', "").replace(/(?<=\(choices: .*), default: /, "; default: ");
}

const examples: Examples = [
  ["Try datahub-gitops on sample data, without a server", "demo"],
  ["Set up a repository for the server in DATAHUB_GMS_URL", "init"],
  ["Show what would change, and then apply it", "plan", "apply"],
];

/**
 * Throws if the first argument is not a subcommand. The message suggests the most similar name. If no name is similar, the
 * message about an unknown subcommand lists all subcommands.
 */
function refuseUnknownCommand(parent: Command): string {
  const [first = "", second = ""] = parent.args;
  const name = first === "help" ? second : first;
  const names = parent.commands.map((command) => command.name());
  if (name === "" || name.startsWith("-") || names.includes(name)) return "";
  return parent.error(`error: unknown command '${name}'${hintFor(name, parent, names)}`, {
    code: "commander.unknownCommand",
  });
}

function hintFor(name: string, parent: Command, names: readonly string[]): string {
  const meant = nearestSpelling(name, names);
  if (meant !== undefined) return `\n(Did you mean ${meant}?)`;
  return parent.parent ? `\n(Commands of ${parent.name()}: ${names.join(", ")})` : "";
}

/** Turns `help github comment` into `github comment --help`, because the command `help` accepts only one name. */
function asHelpOption(argv: readonly string[]): readonly string[] {
  const [first, ...names] = argv;
  return first === "help" && names.length > 1 ? [...names, "--help"] : argv;
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

/** Explains an error. The code for explanations is loaded on demand, because most commands succeed. */
async function explain(error: unknown, to: Destination, io: Io): Promise<ExitCode> {
  if (error instanceof CommanderError) return explainUsage(error, io);
  return await (await import("./output/explain.ts")).explain(error, to, io);
}

function explainUsage({ exitCode, code, message }: CommanderError, io: Io): ExitCode {
  if (exitCode === 0) return exitCodes.done;
  if (code !== "commander.help") annotateFailure(withHint(message).replace(/^error: /, ""), io);
  return exitCodes.usage;
}

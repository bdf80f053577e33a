import { type Command, InvalidArgumentError, Option } from "commander";
import { prunedByDefault } from "../../kinds/index.ts";
import { formats } from "../../report/format.ts";
import type { Location } from "../../scope/repository.ts";
import type { Io } from "../io.ts";
import { parseReportFile } from "../output/report-files.ts";
import { addLimitOptions } from "./limits.ts";
import { addNarrowingOptions, collect } from "./scope.ts";

/** The default data directory of the local catalog. */
export const defaultDataDirectory = ".datahub-gitops/catalog";

/** The catalog directory where none is given. */
export const defaultDirectory = "catalog";

/** Adds the options that select a server, as a group of the help. */
export function addTargetOptions(command: Command): Command {
  return command
    .optionsGroup("Server:")
    .option("--server <url>", "address of the DataHub server (default: DATAHUB_GMS_URL)")
    .option("--local", "use a local catalog, started by this command, instead of a server")
    .option("--data <dir>", `data directory of the local catalog (default: ${defaultDataDirectory})`)
    .addOption(
      new Option(
        "--concurrency <n>",
        "requests at the same time, reads and writes together (default: 8)",
      ).argParser(parseConcurrency),
    )
    .addOption(
      new Option("--timeout <seconds>", "how long to wait for an answer (default: 60)").argParser(
        parseTimeout,
      ),
    );
}

/** Adds the options that `plan` and `apply` share, in groups. */
export function addPlanOptions(command: Command): Command {
  addTargetOptions(command);
  addScopeOptions(command);
  addRuleOption(command);
  addChangeOptions(command);
  addConflictOptions(command);
  addLimitOptions(command);
  return addOutputOptions(command);
}

/** Adds the options of a plan that is not applied: it has none for conflicts and guards. */
export function addDriftOptions(command: Command): Command {
  addTargetOptions(command);
  addScopeOptions(command);
  addRuleOption(command);
  addChangeOptions(command);
  return addOutputOptions(command);
}

/** Adds the options that select what a plan looks at. */
export function addScopeOptions(command: Command): Command {
  command.optionsGroup("Scope:").addOption(settingsOption()).addOption(environmentOption());
  return addNarrowingOptions(command, {
    verb: "plan",
    ofPlatform: "whose URN names a data platform",
    inDomain: "that are declared in a domain",
  })
    .option(
      "--changed-since <ref>",
      "plan only entities whose declaration changed since the merge base with <ref>",
    )
    .option("--base <ref>", "Git ref of the last applied commit (default: `base` in the settings)");
}

/** The option that looks at what rules do. */
function addRuleOption(command: Command): Command {
  return command
    .optionsGroup("Scope:")
    .option("--rule <id>", "plan only assets that the rule matches (repeatable)", collect);
}

function addChangeOptions(command: Command): void {
  command
    .optionsGroup("Changes:")
    .option(
      "--prune",
      `delete definitions (${prunedByDefault.map(({ plural }) => plural).join(", ")}) that were declared before and no longer are; with prune.assignments in the settings, also remove such values`,
    )
    .addOption(
      new Option(
        "--missing <rule>",
        "what to do if declared assets or columns are not in the catalog",
      ).choices(["error", "skip"]),
    );
}

function addConflictOptions(command: Command): void {
  command
    .addOption(
      new Option("--force-conflicts", "on a conflict, overwrite the live value").conflicts("skipConflicts"),
    )
    .option("--skip-conflicts", "on a conflict, accept the live value: exit with 0, not 6");
}

function addOutputOptions(command: Command): Command {
  return addResultOptions(command)
    .addOption(pagerOption())
    .option("--verbose", "log each step and its duration");
}

/** Adds the options for the output of a plan, as a group of the help. */
export function addResultOptions(command: Command): Command {
  return command
    .optionsGroup("Output:")
    .addOption(formatOption())
    .addOption(
      new Option(
        "--report <[format=]file>",
        "also write the result to a file, as JSON unless a format is given (repeatable)",
      ).argParser(parseReportFile),
    )
    .addOption(allOption())
    .addOption(showUnmanagedOption())
    .addOption(quietOption("do not print progress, notes, and values that are not managed"));
}

/** The option that names a file for metrics. */
export function metricsOption(): Option {
  return new Option(
    "--metrics <file>",
    "write counts and durations to a file, in the text format of Prometheus",
  );
}

/** The option that names a settings file. */
export function settingsOption(): Option {
  return new Option(
    "--settings <file>",
    "settings file (default: datahub-gitops.yaml in the catalog directory)",
  );
}

/** The option that names an environment of the settings. */
export function environmentOption(): Option {
  return new Option("--env <name>", "environment of the settings: its server, base, guards and manifests");
}

/** Where the manifests are that a command is asked about. */
export function locationOf(
  directory: string,
  { settings, env }: { readonly settings?: string; readonly env?: string },
  { cwd }: Pick<Io, "cwd">,
): Location {
  return { cwd, directory, settingsFile: settings, environment: env };
}

/** The option that chooses the output format. */
export function formatOption(): Option {
  return new Option("--format <format>", "output format").choices(formats).default("text");
}

/** The option that leaves only the result and errors. */
export function quietOption(description = "do not print progress and notes"): Option {
  return new Option("--quiet", description);
}

/** The option that shows changes one by one, also those that many entities share. */
export function allOption(): Option {
  return new Option("--all", "list changes that many entities share for each entity");
}

/** The option that turns the pager off. */
export function pagerOption(): Option {
  return new Option("--no-pager", "do not page through a text that is longer than the screen");
}

/** The option that lists the values that are not managed, however many there are. */
export function showUnmanagedOption(): Option {
  return new Option("--show-unmanaged", "list all values that are not managed, even if there are many");
}

function parseConcurrency(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number from 1 to 999.");
}

function parseTimeout(text: string): number {
  if (/^\d{1,5}(\.\d{1,3})?$/.test(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError("It must be a number of seconds greater than 0, for example 60.");
}

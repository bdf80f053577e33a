/**
 * Defines the options and default directories that several commands share, and adds the options to commands in groups of the help.
 */

import { type Command, InvalidArgumentError, Option } from "commander";
import { prunedByDefault } from "../../kinds/index.ts";
import { coverageFormats, formats, listFormats } from "../../report/format.ts";
import type { Location } from "../../workflow/scope/repository.ts";
import type { Io } from "../io.ts";
import { parseReportFile } from "../output/report-files.ts";
import { addLimitOptions } from "./limits.ts";
import { addNarrowingOptions, collect } from "./scope.ts";

/** The default data directory of the local catalog. */
export const defaultDataDirectory = ".datahub-gitops/catalog";

/** The default catalog directory. */
export const defaultDirectory = "catalog";

/** Creates shared options. Each call creates a new one, because commander stores the help heading of a command in its options. */
export const common = {
  settings: () =>
    new Option("--settings <file>", "settings file (default: datahub-gitops.yaml in the catalog directory)"),
  environment: () =>
    new Option("--env <name>", "environment of the settings: its server, base, guards and manifests"),
  /** For commands where `--env` could mean the environment in URNs. */
  environmentOfSettings: () =>
    new Option("--environment <name>", "environment of the settings: its server and manifests"),
  base: () =>
    new Option("--base <ref>", "Git ref of the last applied commit (default: `base` in the settings)"),
  format: () => new Option("--format <format>", "output format").choices(formats).default("text"),
  listFormat: () => new Option("--format <format>", "output format").choices(listFormats).default("text"),
  coverageFormat: () =>
    new Option("--format <format>", "output format").choices(coverageFormats).default("text"),
  open: () =>
    new Option("--open", "show the result as a page in the browser (needs a terminal)").implies({
      format: "html",
    }),
  quiet: () => new Option("--quiet", "do not print progress and notes"),
  all: () => new Option("--all", "list changes that many entities share for each entity"),
  pager: () => new Option("--no-pager", "do not page through a text that is longer than the screen"),
  unmanaged: () =>
    new Option("--show-unmanaged", "list all values that are not managed, even if there are many"),
  verbose: () => new Option("--verbose", "log each step and its duration"),
  out: () => new Option("--out <file>", "save the plan as JSON"),
  exitCode: () => new Option("--detailed-exitcode", "exit with 2 if there are changes to apply"),
  metrics: () =>
    new Option("--metrics <file>", "write counts and durations to a file, in the text format of Prometheus"),
} as const;

const target = (): readonly Option[] => [
  new Option("--server <url>", "address of the DataHub server (default: DATAHUB_GMS_URL)"),
  new Option("--local", "use a local catalog, started by this command, instead of a server"),
  new Option("--data <dir>", `data directory of the local catalog (default: ${defaultDataDirectory})`),
  new Option(
    "--concurrency <n>",
    "requests at the same time, reads and writes together (default: 8)",
  ).argParser(parseConcurrency),
  new Option("--timeout <seconds>", "how long to wait for an answer (default: 60)").argParser(parseTimeout),
];

const rule = (): Option =>
  new Option("--rule <rule>", "plan only assets that the rule matches (repeatable)").argParser(collect);

const changes = (): readonly Option[] => [
  new Option(
    "--prune",
    `delete definitions (${prunedByDefault.map(({ plural }) => plural).join(", ")}) that were declared before and no longer are; with prune.assignments in the settings, also remove such values`,
  ),
  new Option("--missing <rule>", "what to do if declared assets or columns are not in the catalog").choices([
    "error",
    "skip",
  ]),
];

const conflicts = (): readonly Option[] => [
  new Option("--force-conflicts", "on a conflict, overwrite the live value").conflicts("skipConflicts"),
  new Option("--skip-conflicts", "on a conflict, accept the live value: exit with 0, not 6"),
];

const results = (): readonly Option[] => [
  common.format(),
  new Option(
    "--report <[format=]file>",
    "also write the result to a file, in the format of its extension (.md, .html, .sarif, .xml for JUnit, else JSON) unless one is given (repeatable)",
  ).argParser(parseReportFile),
  common.all(),
  common.unmanaged(),
  quietOption("do not print progress, notes, and values that are not managed"),
];

/** Adds options to a command under a heading of its help. */
export function addGroup(command: Command, heading: string, group: readonly Option[]): Command {
  for (const option of group) command.optionsGroup(heading).addOption(option);
  return command;
}

/** Adds the options that select a server. */
export function addTargetOptions(command: Command): Command {
  return addGroup(command, "Server:", target());
}

/** Adds the options that `plan` and `apply` share. */
export function addPlanOptions(command: Command): Command {
  addComparingOptions(command, conflicts());
  return addOutputOptions(addLimitOptions(command));
}

/** Adds the options of a plan that cannot be applied, which has no options for conflicts and guards. */
export function addDriftOptions(command: Command): Command {
  return addOutputOptions(addComparingOptions(command));
}

function addComparingOptions(command: Command, more: readonly Option[] = []): Command {
  addScopeOptions(addTargetOptions(command));
  addGroup(command, "Scope:", [rule()]);
  return addGroup(command, "Changes:", [...changes(), ...more]);
}

/** Adds the options that select the manifests and entities of a plan. */
export function addScopeOptions(command: Command): Command {
  addGroup(command, "Scope:", [common.settings(), common.environment()]);
  addNarrowingOptions(command, {
    verb: "plan",
    ofPlatform: "whose URN names a data platform",
    inDomain: "that are declared in a domain",
  });
  const since = "plan only entities whose declaration changed since the merge base with <ref>";
  return addGroup(command, "Scope:", [new Option("--changed-since <ref>", since), common.base()]);
}

function addOutputOptions(command: Command): Command {
  return addGroup(addResultOptions(command), "Output:", [common.pager(), common.verbose()]);
}

/** Adds the options for the output of a plan. */
export function addResultOptions(command: Command): Command {
  return addGroup(command, "Output:", results());
}

/** The option `--quiet` for a command where it hides more or less than progress and notes. */
export function quietOption(description: string): Option {
  return new Option("--quiet", description);
}

/** The option for a snapshot to use instead of a server. */
export function snapshotOption(description: string): Option {
  return new Option("--snapshot <file>", description).conflicts(["server", "local", "data"]);
}

/** The location of the manifests and settings for a command. */
export function locationOf(
  directory: string,
  { settings, env }: { readonly settings?: string; readonly env?: string },
  { cwd }: Io,
): Location {
  return { cwd, directory, settingsFile: settings, environment: env };
}

function parseConcurrency(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number from 1 to 999.");
}

function parseTimeout(text: string): number {
  if (/^\d{1,5}(\.\d{1,3})?$/.test(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError("It must be a number of seconds greater than 0, for example 60.");
}

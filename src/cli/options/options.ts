/** Defines options and default directories that several commands share, and adds them to commands, grouped in the help. */

import { type Command, Option } from "commander";
import { coverageFormats, explanationFormats, formats, listFormats } from "../../report/format.ts";
import type { Location } from "../../workflow/scope/repository.ts";
import type { Io } from "../io.ts";
import { parseReportFile } from "../output/report-files.ts";
import { addLimitOptions } from "./limits.ts";
import { choiceOption } from "./names.ts";
import { numberParser } from "./number.ts";
import { addNarrowingOptions, collect } from "./scope.ts";

/** The local catalog's default data directory. */
export const defaultDataDirectory = ".datahub-gitops/catalog";

/** The default catalog directory. */
export const defaultDirectory = "catalog";

/** Creates shared options. Each call creates a new option, because Commander stores the help heading in the option itself. */
export const common = {
  settings: () =>
    new Option("--settings <file>", "settings file (default: datahub-gitops.yaml in the catalog directory)"),
  environment: () =>
    new Option(
      "--env <name>",
      "environment from the settings, such as prod, which sets the allowed server, base, guards and manifests",
    ),
  /**
   * Creates `--environment`, which replaces `--env` in commands where that flag could be mistaken for the environment in URNs.
   */
  environmentOfSettings: () =>
    new Option(
      "--environment <name>",
      "environment from the settings, such as prod, which sets the allowed server and manifests",
    ),
  base: () =>
    new Option("--base <ref>", "Git ref of the last applied commit (default: `base` in the settings)"),
  format: () => formatOption(formats),
  listFormat: () => formatOption(listFormats),
  coverageFormat: () => formatOption(coverageFormats),
  /** Creates `--format` for commands that print only text or JSON. */
  shortFormat: () => formatOption(explanationFormats),
  open: () =>
    new Option("--open", "open the result as an HTML page in the browser (needs a terminal)").implies({
      format: "html",
    }),
  quiet: () => new Option("--quiet", "hide progress and notes"),
  all: () => new Option("--all", "list every entity, even if many have the same change"),
  pager: () => new Option("--no-pager", "do not use a pager for long output"),
  unmanaged: () => new Option("--show-unmanaged", "list all unmanaged values, even if there are many"),
  verbose: () => new Option("--verbose", "log each step and its duration"),
  out: () => new Option("--out <file>", "save the plan as JSON"),
  exitCode: () => new Option("--detailed-exitcode", "exit with 2 if changes are pending"),
  metrics: () =>
    new Option("--metrics <file>", "write counts and durations to a file in Prometheus text format"),
} as const;

/** Adds options to a command, under a heading in its help. */
export function addGroup(command: Command, heading: string, group: readonly Option[]): Command {
  for (const option of group) command.optionsGroup(heading).addOption(option);
  return command;
}

/** Adds the options that select a server. */
export function addTargetOptions(command: Command): Command {
  return addGroup(command, "Server:", [
    new Option("--server <url>", "URL of the DataHub server (default: DATAHUB_GMS_URL)"),
    new Option("--local", "use a local catalog instead of a server"),
    new Option("--data <dir>", `data directory of the local catalog (default: ${defaultDataDirectory})`),
    new Option("--concurrency <n>", "maximum number of concurrent requests (default: 8)").argParser(
      numberParser(/^[1-9]\d{0,2}$/, "It must be a whole number from 1 to 999."),
    ),
    new Option("--timeout <seconds>", "timeout for each request (default: 60)").argParser(
      numberParser(
        /^(?=.*[1-9])\d{1,5}(\.\d{1,3})?$/,
        "It must be a number of seconds greater than 0, such as 60.",
      ),
    ),
  ]);
}

/** Adds the options that `plan` and `apply` share. */
export function addPlanOptions(command: Command): Command {
  addComparingOptions(
    command,
    "delete definitions, such as tags, that are no longer declared; with `prune.assignments` in the settings, also remove values that are no longer declared",
  );
  addGroup(command, "Changes:", [
    new Option("--force-conflicts", "on a conflict, overwrite the value in the catalog").conflicts(
      "skipConflicts",
    ),
    new Option(
      "--skip-conflicts",
      "on a conflict, keep the value in the catalog and exit with 0 instead of 6",
    ),
  ]);
  return addOutputOptions(addLimitOptions(command));
}

/** Adds the options for plans that are never applied. For such plans, options for conflicts and guards are not needed. */
export function addDriftOptions(command: Command): Command {
  return addOutputOptions(
    addComparingOptions(command, "also report what apply --prune would delete or remove"),
  );
}

function addComparingOptions(command: Command, prune: string): Command {
  addScopeOptions(addTargetOptions(command));
  addGroup(command, "Scope:", [
    new Option("--rule <rule>", "only assets that this rule matches (repeatable)").argParser(collect),
  ]);
  return addGroup(command, "Changes:", [
    new Option("--prune", prune),
    choiceOption(
      "--missing <action>",
      "how to handle declared assets and columns that are missing from the catalog",
      ["error", "skip"],
    ),
  ]);
}

/** Adds the options that select a plan's manifests and entities. */
export function addScopeOptions(command: Command): Command {
  addGroup(command, "Scope:", [common.settings(), common.environment()]);
  addNarrowingOptions(command, "only assets that the manifests assign to this domain (repeatable)");
  const since = "only entities whose declaration changed since the merge base with <ref>";
  return addGroup(command, "Scope:", [new Option("--changed-since <ref>", since), common.base()]);
}

function addOutputOptions(command: Command): Command {
  return addGroup(addResultOptions(command), "Output:", [common.pager(), common.verbose()]);
}

/** Adds the options for the output of a plan or other result. */
export function addResultOptions(command: Command): Command {
  return addGroup(command, "Output:", [
    common.format(),
    new Option(
      "--report <[format=]file>",
      "also write the result to a file; the extension selects the format: .md, .html, .sarif, .xml (JUnit), otherwise JSON (repeatable)",
    ).argParser(parseReportFile),
    common.all(),
    common.unmanaged(),
    new Option("--quiet", "hide progress, notes and unmanaged values"),
  ]);
}

function formatOption(names: readonly string[]): Option {
  return choiceOption("--format <format>", "output format", names).default("text");
}

/** Creates the option for using a snapshot instead of a server. `condition` is placed at the beginning of the help text. */
export function snapshotOption(condition = ""): Option {
  const description = `${condition}use a snapshot saved by export --snapshot instead of a server`;
  return new Option("--snapshot <file>", description).conflicts(["server", "local", "data"]);
}

/** Returns the location of a command's manifests and settings. */
export function locationOf(
  directory: string,
  { settings, env }: { readonly settings?: string; readonly env?: string },
  { cwd }: Io,
): Location {
  return { cwd, directory, settingsFile: settings, environment: env };
}

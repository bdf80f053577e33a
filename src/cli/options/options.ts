import { type Command, Option } from "commander";
import { addLimitOptions } from "./limits.ts";
import { formats } from "../../library/render.ts";
import { parseReportFile } from "../output/report-files.ts";
import { defaultDataDirectory } from "./target.ts";

/** The catalog directory when none is named. */
export const defaultDirectory = "catalog";

/** Adds the options that select a server. */
export function addTargetOptions(command: Command): Command {
  return command
    .option("--server <url>", "address of the DataHub (default: DATAHUB_GMS_URL)")
    .option("--local", "use the local catalog, started in this process")
    .option("--data <dir>", `data directory of the local catalog (default: ${defaultDataDirectory})`);
}

/** Adds the options that `plan` and `apply` share. */
export function addPlanOptions(command: Command): Command {
  addTargetOptions(command)
    .option("--settings <file>", "settings file (default: datahub-gitops.yaml in the catalog directory)")
    .option("--target <pattern>", "only entities whose URN matches; * is any text (repeatable)", collect)
    .addOption(
      new Option(
        "--missing <rule>",
        "datasets, containers and columns that are gone: refuse the plan, or skip them",
      ).choices(["error", "skip"]),
    )
    .option("--base <ref>", "the last applied commit: what it declares is ours (default: the settings' base)")
    .option("--changed-since <ref>", "only manifests that differ from where this branch left that one")
    .option("--prune", "delete definitions that base declares and nobody declares any more");
  return addLimitOptions(command)
    .addOption(
      new Option(
        "--force-conflicts",
        "where somebody changed a value that is merged, what is declared wins",
      ).conflicts("skipConflicts"),
    )
    .option(
      "--skip-conflicts",
      "where somebody changed a value that is merged, it stays, and the rest goes on",
    )
    .addOption(formatOption())
    .addOption(
      new Option(
        "--report <[format=]file>",
        "write the result to a file, too, as JSON unless a format is given (repeatable)",
      ).argParser(parseReportFile),
    )
    .option("--quiet", "no progress and no notes")
    .option("--verbose", "tell what is done and how long it takes");
}

/** The option that chooses the form of the result. */
export function formatOption(): Option {
  return new Option("--format <format>", "form of the result").choices(formats).default("text");
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

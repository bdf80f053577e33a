/** Defines the command `github` with its subcommands, which workflows use in addition to the other commands. */

import { Command, InvalidArgumentError, Option } from "commander";
import { isName } from "../../github/marker.ts";
import type { ExitCode } from "../exit-code.ts";
import { printApprovers } from "../github/approvers-run.ts";
import { type CommentOptions, commentOnPlan } from "../github/comment-run.ts";
import { type DriftIssueOptions, runDriftIssue } from "../github/drift-run.ts";
import { compareWithReviewed, type ReviewedOptions } from "../github/reviewed-run.ts";
import { fetchSnapshot } from "../github/snapshot-run.ts";
import type { Io } from "../io.ts";

type Done = (code: ExitCode) => void;

/** Defines the commands. They write only to GitHub, and never to a catalog. */
export function githubCommand(io: Io, done: Done): Command {
  return new Command("github")
    .description(
      "comment on a pull request, keep an issue about drift, find a reviewed plan and who approved it",
    )
    .addCommand(commentCommand(io, done))
    .addCommand(driftIssueCommand(io, done))
    .addCommand(reviewedPlanCommand(io, done))
    .addCommand(snapshotCommand(io, done))
    .addCommand(approversCommand(io, done));
}

function commentCommand(io: Io, done: Done): Command {
  return new Command("comment")
    .description("create or update the comment of a pull request about a plan")
    .argument("<file.json...>", "what plan --report wrote")
    .addOption(nameOption("plan"))
    .addOption(
      new Option(
        "--pull-request <number>",
        "pull request (default: that of the event in GITHUB_EVENT_PATH)",
      ).argParser(parseNumber),
    )
    .addOption(
      new Option("--page <address>", "address of the plans as a page, for a link").argParser(parseAddress),
    )
    .option(
      "--request-reviews",
      "ask those for a review who own what the plan changes, by `reviewers` of the settings",
    )
    .action(async (files: readonly string[], options: CommentOptions) =>
      done(await commentOnPlan(files, options, io)),
    );
}

function driftIssueCommand(io: Io, done: Done): Command {
  return new Command("drift-issue")
    .description("open, update or close the issue about drift")
    .argument("<file.json>", "what drift --report wrote")
    .addOption(nameOption("drift"))
    .option("--label <label>", "label of a new issue")
    .action(async (file: string, options: DriftIssueOptions) => done(await runDriftIssue(file, options, io)));
}

function reviewedPlanCommand(io: Io, done: Done): Command {
  return new Command("reviewed-plan")
    .description("compare a plan with the one that was reviewed in the pull request that was merged")
    .argument("<plan.json>", "saved plan")
    .addOption(artifactOption("datahub-gitops-plan"))
    .addOption(
      new Option("--workflow <file>", "file name of the workflow that plans pull requests").default(
        "plan.yml",
      ),
    )
    .action(async (file: string, options: ReviewedOptions) =>
      done(await compareWithReviewed(file, options, io)),
    );
}

function snapshotCommand(io: Io, done: Done): Command {
  return new Command("snapshot")
    .description("download the newest snapshot from a run on the default branch")
    .requiredOption("--out <file>", "where to save it")
    .addOption(artifactOption("datahub-gitops-snapshot"))
    .action(async (options: { readonly out: string; readonly artifact: string }) =>
      done(await fetchSnapshot(options, io)),
    );
}

function approversCommand(io: Io, done: Done): Command {
  return new Command("approvers")
    .description("print who approved the run of the workflow")
    .action(async () => done(await printApprovers(io)));
}

function nameOption(name: string): Option {
  return new Option("--name <name>", "tells several catalogs or environments of a repository apart")
    .default(name)
    .argParser(parseName);
}

function artifactOption(name: string): Option {
  return new Option("--artifact <name>", "name of the artifact").default(name);
}

function parseName(text: string): string {
  if (isName(text)) return text;
  throw new InvalidArgumentError("Use letters, digits, and single dots, hyphens and underscores.");
}

function parseNumber(text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be the number of a pull request.");
}

function parseAddress(text: string): string {
  const address = URL.canParse(text) ? new URL(text) : undefined;
  if (!address || !/^https?:$/.test(address.protocol))
    throw new InvalidArgumentError("Use an address such as https://github.com/acme/catalog/actions/runs/1.");
  return address.href.replaceAll("(", "%28").replaceAll(")", "%29");
}

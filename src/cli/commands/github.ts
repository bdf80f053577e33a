/** Defines the command `github` and its subcommands, which are meant for use in GitHub workflows. */

import { Command, InvalidArgumentError, Option } from "commander";
import { isName } from "../../github/marker.ts";
import type { ExitCode } from "../exit-code.ts";
import { printApprovers } from "../github/approvers-run.ts";
import { type CommentOptions, commentOnPlan } from "../github/comment-run.ts";
import { type DriftIssueOptions, runDriftIssue } from "../github/drift-run.ts";
import { compareWithReviewed, type ReviewedOptions } from "../github/reviewed-run.ts";
import { fetchSnapshot } from "../github/snapshot-run.ts";
import type { Io } from "../io.ts";
import { addExamples } from "../options/examples.ts";
import { numberParser } from "../options/number.ts";

type Done = (code: ExitCode) => void;

/** Defines the commands. They write only to GitHub, never to a catalog. */
export function githubCommand(io: Io, done: Done): Command {
  const command = new Command("github");
  addExamples(command, [
    ["Show a plan on a pull request", "plan --report plan.json", "github comment plan.json"],
    ["Report drift in an issue", "drift --report drift.json", "github drift-issue drift.json"],
  ]);
  return command
    .addCommand(commentCommand(io, done))
    .addCommand(driftIssueCommand(io, done))
    .addCommand(reviewedPlanCommand(io, done))
    .addCommand(snapshotCommand(io, done))
    .addCommand(approversCommand(io, done));
}

function commentCommand(io: Io, done: Done): Command {
  const command = new Command("comment")
    .description("show a plan in a comment on the pull request")
    .argument("<file.json...>", "results saved with plan --report")
    .addOption(nameOption("plan"))
    .addOption(
      new Option(
        "--pull-request <number>",
        "pull request number (default: from GITHUB_EVENT_PATH)",
      ).argParser(numberParser(/^[1-9]\d{0,9}$/, "It must be a pull request number.")),
    )
    .addOption(
      new Option("--page <url>", "URL of a page that shows the plan; the comment links to it").argParser(
        parseAddress,
      ),
    )
    .option(
      "--request-reviews",
      "request reviews from the owners of changed entities, as mapped by `reviewers` in the settings",
    );
  return addExamples(command, [
    [
      "Comment on the pull request that started the workflow",
      "plan --report plan.json",
      "github comment plan.json",
    ],
    ["Use a separate comment for each environment", "github comment plan.json --name prod"],
    ["Comment on a specific pull request", "github comment plan.json --pull-request 12"],
  ]).action(async (files: readonly string[], options: CommentOptions) =>
    done(await commentOnPlan(files, options, io)),
  );
}

function driftIssueCommand(io: Io, done: Done): Command {
  const command = new Command("drift-issue")
    .description("open, update or close the issue about drift")
    .argument("<file.json>", "result saved with drift --report")
    .addOption(nameOption("drift"))
    .option("--label <label>", "label for a new issue");
  return addExamples(command, [
    ["Report drift in an issue", "drift --report drift.json", "github drift-issue drift.json"],
    ["Use a separate issue for each environment", "github drift-issue drift.json --name prod"],
  ]).action(async (file: string, options: DriftIssueOptions) => done(await runDriftIssue(file, options, io)));
}

function reviewedPlanCommand(io: Io, done: Done): Command {
  const command = new Command("reviewed-plan")
    .description("compare a plan with the plan that was reviewed in the merged pull request")
    .argument("<plan.json>", "plan saved with plan --out")
    .addOption(artifactOption("datahub-gitops-plan"))
    .addOption(
      new Option("--workflow <file>", "file name of the workflow that runs plan on pull requests").default(
        "plan.yml",
      ),
    );
  return addExamples(command, [
    [
      "After a merge, compare with the reviewed plan",
      "plan --out plan.json",
      "github reviewed-plan plan.json",
    ],
    ["Save the result for a later step", "github reviewed-plan plan.json > review.txt"],
  ]).action(async (file: string, options: ReviewedOptions) =>
    done(await compareWithReviewed(file, options, io)),
  );
}

function snapshotCommand(io: Io, done: Done): Command {
  const command = new Command("snapshot")
    .description("download the newest snapshot saved on the default branch")
    .requiredOption("--out <file>", "file to save the snapshot to")
    .addOption(artifactOption("datahub-gitops-snapshot"));
  return addExamples(command, [
    ["Download the newest snapshot", "github snapshot --out snapshot.json"],
    ["Plan with the snapshot, without a server or token", "plan --snapshot snapshot.json"],
  ]).action(async (options: { readonly out: string; readonly artifact: string }) =>
    done(await fetchSnapshot(options, io)),
  );
}

function approversCommand(io: Io, done: Done): Command {
  const command = new Command("approvers").description(
    "print the users who approved the current workflow run",
  );
  return addExamples(command, [
    ["Print the approvers, separated by commas", "github approvers"],
    ["Save the approvers for a later step", "github approvers > approvers.txt"],
  ]).action(async () => done(await printApprovers(io)));
}

function nameOption(name: string): Option {
  return new Option("--name <name>", "name of this catalog or environment, if the repository has several")
    .default(name)
    .argParser(parseName);
}

function artifactOption(name: string): Option {
  return new Option("--artifact <name>", "artifact name").default(name);
}

function parseName(text: string): string {
  if (isName(text)) return text;
  throw new InvalidArgumentError("Use letters, digits, and single dots, hyphens and underscores.");
}

function parseAddress(text: string): string {
  const address = URL.canParse(text) ? new URL(text) : undefined;
  if (!address || !/^https?:$/.test(address.protocol))
    throw new InvalidArgumentError("Use a URL such as https://github.com/acme/catalog/actions/runs/1.");
  return address.href.replaceAll("(", "%28").replaceAll(")", "%29");
}

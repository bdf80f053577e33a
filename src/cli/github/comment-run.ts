/** Updates the pull request comment that shows the plans, and requests reviews from owners, for `github comment`. */

import { resolve } from "node:path";
import { readRegularFile } from "../../files/read-file.ts";
import { syncComment, type StickyOutcome } from "../../github/sticky-comment.ts";
import { markerOf } from "../../github/marker.ts";
import type { Plan } from "../../model/plan.ts";
import { errorMessage } from "../../model/text/error-text.ts";
import { reviewMarkdown } from "../../report/github/review.ts";
import type { SavedResult } from "../../report/saved/saved-result.ts";
import { ManifestError, ScopeError } from "../../workflow/scope/errors.ts";
import { openRepository } from "../../workflow/scope/repository.ts";
import { UsageError } from "../errors.ts";
import { exitCodes, type ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { fileAddress } from "../output/file-address.ts";
import { note } from "../output/messages.ts";
import { readResult } from "../run/saved-file.ts";
import { openGithub, runAddress } from "./environment.ts";
import { type PlansWithSettings, reviewByOwners } from "./owner-reviews.ts";

/** The options for `github comment`. */
export interface CommentOptions {
  readonly name: string;
  readonly pullRequest?: number;
  /** The URL of a page that shows the plans. */
  readonly page?: string;
  /** Whether to request reviews from the owners of changed entities. */
  readonly requestReviews?: boolean;
}

/** Updates the comment about saved `plan` results, and prints the URL of the comment. Throws `GithubError` and `UsageError`. */
export async function commentOnPlan(
  files: readonly string[],
  { name, pullRequest: number, page, requestReviews = false }: CommentOptions,
  io: Io,
): Promise<ExitCode> {
  const client = await openGithub(io, number === undefined ? ["GITHUB_EVENT_PATH"] : []);
  const pullRequest = pullRequestOf(number, io);
  const results = await Promise.all(files.map((file) => readPlan(file, io)));
  const judged = await plansWithSettings(results, io);
  const outcome = await syncComment(client, {
    thread: { number: pullRequest.number, needs: "pull-requests: write" },
    marker: markerOf("comment", name),
    author: await client.login(),
    text: reviewOf(files, results, { ...pullRequest, page, judged }, io),
    isNeeded: results.some(needsComment),
  });
  printOutcome(outcome, io);
  const about = { results, pullRequest: pullRequest.number, head: pullRequest.head, name, requestReviews };
  await reviewByOwners(client, judged, about, io);
  return exitCodes.done;
}

async function readPlan(file: string, io: Io): Promise<SavedResult> {
  const result = await readResult(file, io);
  if ("plan" in result && result.plan.changes.some((change) => change.class !== undefined))
    throw new UsageError(
      `${file} is a drift report, not a plan; use github drift-issue for it, or save a plan with plan --report`,
    );
  return result;
}

/** Whether to create a comment for a result. An empty plan does not need a comment. */
function needsComment(result: SavedResult): boolean {
  if (!("plan" in result)) return true;
  const { changes, findings, problems = [], settingsChanges = [], policyChanges = [] } = result.plan;
  return [changes, findings, problems, settingsChanges, policyChanges].some(({ length }) => length > 0);
}

function printOutcome(outcome: StickyOutcome, io: Io): void {
  if (outcome.done === "not-needed") return note("No changes, and no comment to update", io);
  note(`Comment ${outcome.done}`, io);
  io.stdout.write(`${outcome.url}\n`);
}

function reviewOf(
  files: readonly string[],
  results: readonly SavedResult[],
  {
    head,
    author,
    page,
    judged,
  }: PullRequest & { readonly page: string | undefined; readonly judged: PlansWithSettings },
  io: Io,
): string {
  const mentions = judged.flatMap(({ plan: { owners = [] }, settings }) => {
    const mention = settings.github?.mention ?? {};
    return owners.flatMap((urn) => (Object.hasOwn(mention, urn) ? (mention[urn] ?? []) : []));
  });
  return reviewMarkdown(results, {
    run: runAddress(io),
    page,
    titles: files,
    linkOf: (origin) => fileAddress(origin, head ?? (io.env["GITHUB_SHA"] || undefined), io),
    mentions: [...new Set(mentions)].filter((name) => !isSameName(name, author)).toSorted(),
  });
}

// GitHub login names are not case-sensitive.
function isSameName(name: string, author: string | undefined): boolean {
  return name.toLowerCase() === author?.toLowerCase();
}

/** Returns the plans with their settings. Skips plans whose settings cannot be read. */
async function plansWithSettings(results: readonly SavedResult[], io: Io): Promise<PlansWithSettings> {
  const plans = results.flatMap((result) => ("plan" in result ? [result.plan] : []));
  return (await Promise.all(plans.map((plan) => withSettings(plan, io)))).flat();
}

async function withSettings(plan: Plan, io: Io): Promise<PlansWithSettings> {
  const { scope, owners = [] } = plan;
  if (!scope) return [];
  const { directory, environment } = scope;
  try {
    const { settings } = await openRepository({ cwd: io.cwd, directory, environment });
    return [{ plan, settings }];
  } catch (error) {
    if (!(error instanceof ManifestError || error instanceof ScopeError)) throw error;
    if (owners.length > 0)
      note(
        `Owners are neither mentioned nor asked for reviews, because the settings in ${directory} cannot be read`,
        io,
      );
    return [];
  }
}

interface PullRequest {
  readonly number: number;
  /** The last commit on the pull request's branch, if the event contains it. */
  readonly head?: string | undefined;
  /** The author's login, if it is known. */
  readonly author?: string | undefined;
}

/** The event that started a workflow. */
interface Event {
  readonly pull_request?: EventPullRequest;
  /** The issue that was commented on. It has a `pull_request` if the comment is on a pull request. */
  readonly issue?: EventPullRequest & { readonly pull_request?: object };
}

interface EventPullRequest {
  readonly number?: number;
  readonly head?: { readonly sha?: string };
  readonly user?: { readonly login?: string } | null;
}

/**
 * Returns the pull request with the given number, or else the pull request from the event. Throws `UsageError` if neither exists.
 */
function pullRequestOf(number: number | undefined, io: Io): PullRequest {
  const { pull_request: pull, issue } = eventIn(io, number !== undefined);
  const own = pull ?? (issue?.pull_request && issue);
  const wanted = number ?? own?.number;
  if (wanted === undefined)
    throw new UsageError(
      "the event in GITHUB_EVENT_PATH is not about a pull request; use --pull-request <number>",
    );
  const known = wanted === own?.number ? own : undefined;
  return { number: wanted, head: known?.head?.sha, author: known?.user?.login };
}

function eventIn({ env, cwd }: Io, isOptional: boolean): Event {
  const path = env["GITHUB_EVENT_PATH"]?.trim() ?? "";
  if (path === "") {
    if (isOptional) return {};
    throw new UsageError("GITHUB_EVENT_PATH is not set; use --pull-request <number>");
  }
  try {
    return (JSON.parse(readRegularFile(resolve(cwd, path)).toString("utf8")) as Event | null) ?? {};
  } catch (error) {
    if (isOptional) return {};
    throw new UsageError(`cannot read the event in GITHUB_EVENT_PATH: ${errorMessage(error)}`);
  }
}

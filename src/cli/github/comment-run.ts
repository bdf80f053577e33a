import { keepComment, type StickyOutcome } from "../../github/sticky-comment.ts";
import { markerOf } from "../../github/marker.ts";
import type { SavedResult } from "../../report/saved/saved-result.ts";
import { UsageError } from "../errors.ts";
import { exitCodes, type ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { note } from "../output/messages.ts";
import { openGithub } from "./environment.ts";
import { pullRequestOf } from "./pull-request.ts";
import { reviewOf } from "./review.ts";
import { readResult } from "./saved-result.ts";

/** The options of `github comment`. */
export interface CommentOptions {
  readonly name: string;
  readonly pullRequest?: number;
}

/** Brings the comment of a pull request up to date with what `plan` found. Prints its address. */
export async function commentOnPlan(
  files: readonly string[],
  { name, pullRequest: number }: CommentOptions,
  io: Io,
): Promise<ExitCode> {
  const { client, repository } = await openGithub(io, number === undefined ? ["GITHUB_EVENT_PATH"] : []);
  const pullRequest = pullRequestOf(number, io);
  const results = files.map((file) => readPlan(file, io));
  const outcome = await keepComment(client, {
    thread: { ...repository, number: pullRequest.number, needs: "pull-requests: write" },
    marker: markerOf("comment", name),
    author: await client.login(),
    text: await reviewOf(files, results, pullRequest, io),
    isNeeded: results.some(isWorthAComment),
  });
  printOutcome(outcome, io);
  return exitCodes.done;
}

function readPlan(file: string, io: Io): SavedResult {
  const result = readResult(file, io);
  if ("plan" in result && result.plan.changes.some((change) => change.class !== undefined))
    throw new UsageError(
      `${file} is a report of drift, not a plan: use github drift-issue, or plan --report`,
    );
  return result;
}

/** Whether a result needs a new comment: a plan with nothing to do does not. */
function isWorthAComment(result: SavedResult): boolean {
  if (!("plan" in result)) return true;
  const { changes, findings, problems = [], settingsChanges = [] } = result.plan;
  return [changes, findings, problems, settingsChanges].some(({ length }) => length > 0);
}

function printOutcome(outcome: StickyOutcome, io: Io): void {
  if (outcome.done === "not-needed") return note("There is nothing to do, and no comment to update", io);
  note(`Comment ${outcome.done}`, io);
  io.stdout.write(`${outcome.url}\n`);
}

/** Opens, updates or closes the drift issue, for `github drift-issue`. */

import { type DriftOutcome, syncDriftIssue } from "../../github/drift-issue.ts";
import { noDriftText, driftIssueText } from "../../report/github/drift-issue.ts";
import { countsOf } from "../../report/document/problems.ts";
import type { SavedResult } from "../../report/saved/saved-result.ts";
import { UsageError } from "../errors.ts";
import { exitCodes, type ExitCode } from "../exit-code.ts";
import { exitCodeOfProblems } from "../result-exit-code.ts";
import type { Io } from "../io.ts";
import { note, printError } from "../output/messages.ts";
import { openGithub, runAddress, workflowAddress } from "./environment.ts";
import { readResult } from "../run/saved-file.ts";

/** The options for `github drift-issue`. */
export interface DriftIssueOptions {
  readonly name: string;
  readonly label?: string;
}

/**
 * Opens, updates or closes the drift issue, and prints its URL. Changes nothing if the file does not show whether there is drift.
 */
export async function runDriftIssue(file: string, options: DriftIssueOptions, io: Io): Promise<ExitCode> {
  const client = await openGithub(io);
  const result = await readResult(file, io);
  if ("plan" in result && result.plan.changes.some((change) => change.class === undefined))
    throw new UsageError(
      `${file} is a plan, not a drift report; use github comment for it, or save a drift report with drift --report`,
    );
  const failed = exitCodeOfResult(result);
  const drift =
    "plan" in result && driftIssueText(result.plan, { run: runAddress(io), workflow: workflowAddress(io) });
  const isKnown = failed === exitCodes.done || (failed === exitCodes.invalid && drift !== undefined);
  if (drift === false || !isKnown) {
    printError(
      `${file} does not show whether the catalog has drifted, so no issue was changed: ${failureIn(result)}`,
      io,
    );
    return failed;
  }
  const outcome = await syncDriftIssue(client, {
    ...options,
    author: await client.login(),
    drift,
    closingText: noDriftText,
  });
  printOutcome(outcome, io);
  return exitCodes.done;
}

/** Returns the exit code that `drift` would return if changes were ignored. */
function exitCodeOfResult(result: SavedResult): ExitCode {
  if ("plan" in result) return exitCodeOfProblems(result.plan);
  return "failure" in result ? exitCodes.error : exitCodes.invalid;
}

function failureIn(result: SavedResult): string {
  if ("failure" in result) return result.failure.message;
  return countsOf("plan" in result ? (result.plan.problems ?? []) : result.problems);
}

function printOutcome(outcome: DriftOutcome, io: Io): void {
  if (outcome.done === "no-drift") return note("No drift, and no open issue", io);
  note(`Issue ${outcome.done}`, io);
  io.stdout.write(`${outcome.url}\n`);
}

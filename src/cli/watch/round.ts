/** Runs one round of `watch`: pulls from the upstream, runs `drift` or `apply`, and collects the result. */

import { isError } from "../../model/problem.ts";
import type { Round } from "../../model/round.ts";
import { count } from "../../report/count.ts";
import type { Failure } from "../../report/document/document.ts";
import { countDrift, countOutcomes } from "../../report/document/notes.ts";
import { ScopeError } from "../../workflow/scope/errors.ts";
import { createdAt } from "../created-at.ts";
import { UsageError } from "../errors.ts";
import { type ExitCode, exitCodes, highestPrecedence } from "../exit-code.ts";
import type { Facts, Io, Output } from "../io.ts";
import { asCommandError } from "../output/command-error.ts";
import { explain, failureIn, problemsFailure } from "../output/explain.ts";
import type { PlanOptions } from "../run/plan-run.ts";
import { followUpstream } from "./follow.ts";
import type { EndedRound } from "./tally.ts";
import { applyCatalog } from "../run/apply-catalog.ts";
import { showDrift } from "../run/show-drift.ts";

/** The modes of a round: `drift` only reads, and `correct` applies changes. */
export const roundModes = ["drift", "correct"] as const;

export type Mode = (typeof roundModes)[number];

/** The directory, mode and options for each round. */
export interface RoundRequest {
  readonly dir: string;
  readonly mode: Mode;
  readonly pull: boolean;
  readonly options: PlanOptions;
}

/** The result of the command that a round runs. */
interface CommandResult {
  readonly exitCode: ExitCode;
  readonly facts: Facts;
  readonly failure?: Failure | undefined;
}

/**
 * Runs one round. Prints a failure as the command itself does, and adds the failure to the result. Throws `UsageError` if the
 * first round shows that every round would fail.
 */
export async function runRound(request: RoundRequest, round: number, io: Io): Promise<EndedRound> {
  const { dir, mode, pull } = request;
  const at = createdAt(io);
  const startedAt = io.now();
  const pullFailure = pull ? await followUpstream(dir, mode === "drift", io) : undefined;
  const { exitCode: own, facts, failure } = await runCommand(request, round === 1, io);
  const exitCode = highestPrecedence([own, pullFailure !== undefined && exitCodes.error]);
  const endedAt = io.now();
  const seconds = (endedAt.getTime() - startedAt.getTime()) / 1000;
  const error = failure ?? pullFailure ?? failureOf(facts);
  return {
    round: { round, at, exitCode, ...countsOf(facts, mode), ...(error && { error }) },
    measured: { ...facts, command: mode === "drift" ? "drift" : "apply", exitCode, seconds, endedAt },
    isServerDown: own === exitCodes.error || own === exitCodes.failed,
    isTokenRefused: /\(HTTP 401\)/.test((failure ?? failureOf(facts))?.message ?? ""),
  };
}

async function runCommand(
  { dir, mode, options }: RoundRequest,
  isFirst: boolean,
  io: Io,
): Promise<CommandResult> {
  const facts: Facts = {};
  const own: Io = {
    ...io,
    isInteractive: false,
    stdout: options.verbose === true ? forDetails(io) : { ...io.stdout, write: () => {} },
    measure: (each) => void Object.assign(facts, each),
  };
  try {
    const exitCode =
      mode === "drift"
        ? await showDrift(dir, options, own)
        : await applyCatalog(dir, { ...options, autoApprove: true }, own);
    return { exitCode, facts };
  } catch (error) {
    if (isFirst && !isOlderCommit(error) && asCommandError(error) instanceof UsageError) throw error;
    const exitCode = await explain(error, { format: "text", hasPrinted: () => true }, own);
    const isInterrupted = exitCode === exitCodes.interrupted;
    return { exitCode, facts, ...(!isInterrupted && { failure: failureIn(error) }) };
  }
}

/** Whether an error is caused by an outdated commit. A later round may have a newer commit, so the watch can continue. */
function isOlderCommit(error: unknown): boolean {
  return error instanceof ScopeError && error.failure.code === "older-commit";
}

/** Returns the failure of a command that printed its errors instead of throwing them. */
function failureOf({ plan, report }: Facts): Failure | undefined {
  const problems = plan?.problems ?? [];
  if (problems.some(isError)) return problemsFailure(problems);
  const failed = (report?.outcomes ?? []).flatMap((outcome) =>
    outcome.status === "failed" ? [outcome.error] : [],
  );
  const [first] = failed;
  if (first === undefined) return undefined;
  return { code: "failed", message: `${count(failed.length, "operation")} failed: ${first}` };
}

/**
 * Creates an output that prints the details of a round to stderr. The output still reports a loss of stdout, because an apply
 * must not write to the catalog if its output is lost.
 */
function forDetails({ stdout, stderr }: Io): Output {
  return { ...stderr, loss: () => stdout.loss() };
}

function countsOf(
  { plan, report, run }: Facts,
  mode: Mode,
): Pick<Round, "differs" | "applied" | "held" | "run"> {
  const { changed, missing } = countDrift(plan?.changes ?? []);
  const all = plan?.changes.length ?? 0;
  const { applied, skipped, stale } = countOutcomes(report?.outcomes ?? []);
  const isRefused = report?.outcomes.length === 0;
  return {
    differs: mode === "drift" ? changed + missing : all,
    applied,
    held: isRefused ? all : skipped + stale,
    ...(run !== undefined && { run }),
  };
}

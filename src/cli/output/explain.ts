/**
 * Reports why a command failed (on stderr, in place of the result on stdout, and in report files), and converts errors into
 * failures.
 */

import { GithubError } from "../../github/failure.ts";
import { version } from "../../workflow/version.ts";
import { CatalogError } from "../../model/catalog-error.ts";
import { isError, type PlanProblem } from "../../model/problem.ts";
import { errorMessage } from "../../model/text/error-text.ts";
import type { Failure } from "../../report/document/document.ts";
import { count } from "../../report/count.ts";
import { messageOf } from "../../report/document/problems.ts";
import { printableLine } from "../../report/printable.ts";
import { ManifestError } from "../../workflow/scope/errors.ts";
import { InputError, RunError, UsageError } from "../errors.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { annotateFailure } from "./annotate.ts";
import { writeAll } from "./paged.ts";
import { piecesOf, printProblems, type ResultOptions, writeReports } from "./print.ts";
import { printError } from "./messages.ts";
import { asCommandError } from "./command-error.ts";

/** The output format and report files for a command's result. */
export interface Destination extends Pick<ResultOptions, "format" | "report"> {
  /** Returns whether the result was already printed to stdout. */
  readonly hasPrinted: () => boolean;
}

/** Prints why a command failed: on stderr for users, and in the requested output format for programs. Returns the exit code. */
export async function explain(thrown: unknown, to: Destination, io: Io): Promise<ExitCode> {
  if (io.interrupted.aborted) {
    io.stderr.write("Interrupted.\n");
    await writeFailure({ code: "interrupted", message: "interrupted" }, to, io);
    return exitCodes.interrupted;
  }
  const error = asCommandError(thrown);
  if (error instanceof ManifestError) {
    printProblems(error.problems, to.format, io);
    await writeReports({ problems: error.problems }, to, io);
    return exitCodes.invalid;
  }
  if (error instanceof UsageError) {
    printError(error.message, io);
    return exitCodes.usage;
  }
  const failure = failureOf(error);
  if (!failure) return explainBug(error, to, io);
  printError(failure.message, io);
  await writeFailure(failure, to, io);
  return error instanceof InputError ? exitCodes.invalid : exitCodes.error;
}

/** Returns the failure code and message for an error thrown by a command. */
export function failureIn(thrown: unknown): Failure {
  const error = asCommandError(thrown);
  if (error instanceof UsageError) return { code: "usage", message: error.message };
  if (error instanceof ManifestError) return problemsFailure(error.problems);
  return failureOf(error) ?? { code: "internal", message: errorMessage(error) };
}

/**
 * Combines problems into one failure. The message contains the first error with its location, and the number of further errors.
 */
export function problemsFailure(problems: readonly PlanProblem[]): Failure {
  const [first, ...others] = problems.filter(isError);
  const place = first?.origin ? `${first.origin.file}:${first.origin.line}: ` : "";
  const more = others.length > 0 ? `, and ${count(others.length, "further problem")}` : "";
  const message = first ? `${place}${messageOf(first)}${more}` : "the manifests or settings have problems";
  return { code: "problems", message };
}

/** Returns the failure for an expected error, or `undefined` if the error is a bug. */
function failureOf(error: unknown): Failure | undefined {
  if (error instanceof InputError || error instanceof RunError) return error;
  if (error instanceof CatalogError) return { code: error.failure, message: error.message };
  if (error instanceof GithubError) return { code: `github-${error.failure}`, message: error.message };
  return isLocalCatalogError(error) ? { code: "local-catalog", message: error.message } : undefined;
}

/** Prints the failure in the requested format, and writes it to the report files. */
async function writeFailure(failure: Failure, to: Destination, io: Io): Promise<void> {
  // In text format, the failure is already on stderr.
  if (to.format !== "text" && !to.hasPrinted()) writeAll(io.stdout, piecesOf({ failure }, to, io));
  await writeReports({ failure }, to, io);
}

async function explainBug(error: unknown, to: Destination, io: Io): Promise<ExitCode> {
  const stack = (error instanceof Error ? (error.stack ?? error.message) : String(error))
    .split("\n")
    .map(printableLine)
    .join("\n");
  io.stderr.write(`This is a bug in datahub-gitops ${version}. Please report it:\n${stack}\n`);
  const message = `a bug in datahub-gitops ${version}: ${stack.split("\n")[0]}`;
  annotateFailure(message, io);
  await writeFailure({ code: "internal", message }, to, io);
  return exitCodes.error;
}

// Compares the error name, because importing the class would load the entire local catalog.
function isLocalCatalogError(error: unknown): error is Error {
  return error instanceof Error && error.name === "LocalCatalogError";
}

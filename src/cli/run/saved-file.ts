/**
 * Reads saved plans, reports and results. Throws `InputError` for files that cannot be used, and refuses catalog directories
 * outside the repository.
 */

import { statSync } from "node:fs";
import { resolve } from "node:path";
import { isInWorkTree } from "../../files/links.ts";
import { maxSavedBytes, readContainedFile } from "../../files/read-file.ts";
import type { Plan } from "../../model/plan.ts";
import type { Report } from "../../model/report.ts";
import type { SavedResult } from "../../report/saved/saved-result.ts";
import type { SavedFault } from "../../report/saved/saved-plan.ts";
import { errorCode, errorMessage } from "../../model/text/error-text.ts";
import { InputError, UsageError } from "../errors.ts";
import type { Io } from "../io.ts";

/**
 * Reads a file saved with `plan --out` or `--report`. Throws `InputError` if the file is a different document, has a different
 * version, or was edited.
 */
export async function readSaved(
  file: string,
  io: Io,
): Promise<{ readonly plan: Plan } | { readonly report: Report }> {
  // Imported on demand, because the schema check takes as long to load as all other code.
  const { parseSaved } = await import("../../report/saved/saved-report.ts");
  const nouns = { a: "a plan or a report", valid: "a valid plan or report" };
  return parsedOrThrow(parseSaved(readText(file, io)), file, nouns);
}

/**
 * Reads a file that `plan` or `drift` saved with `--report`. Throws `InputError` if the file is a different document or was
 * edited.
 */
export async function readResult(file: string, io: Io): Promise<SavedResult> {
  const { parseResult } = await import("../../report/saved/saved-result.ts");
  return parsedOrThrow(parseResult(readText(file, io)), file, { a: "a plan", valid: "a valid plan" });
}

/**
 * Reads a file saved with `plan --out`. Throws `InputError` in the same cases as `readSaved`. Also throws it for a report,
 * because the plan in a report has already been applied.
 */
export async function readSavedPlan(file: string, io: Io): Promise<Plan> {
  const saved = await readSaved(file, io);
  if ("plan" in saved) return saved.plan;
  throw new InputError(`${file} is a report, not a plan`);
}

/** Whether a path exists and is not a directory. */
export function isFile(path: string, io: Io): boolean {
  return statSync(resolve(io.cwd, path), { throwIfNoEntry: false })?.isDirectory() === false;
}

/**
 * Throws `UsageError` if a saved file refers to a catalog directory outside the repository of the working directory. The settings
 * in such a directory must not be used. `hint` is the suggested action.
 */
export function refuseOtherDirectory(file: string, directory: string, hint: string, { cwd }: Io): void {
  if (isInWorkTree(resolve(cwd, directory), cwd)) return;
  throw new UsageError(
    `${file} uses the catalog directory ${directory}, which is outside the repository of the working directory; ${hint}; nothing was sent`,
  );
}

/** The nouns for a document in messages such as "is not a plan". */
interface Nouns {
  readonly a: string;
  readonly valid: string;
}

/** Returns the parsed document. If parsing failed, throws `InputError` with the reason. */
export function parsedOrThrow<T extends object>(read: T | SavedFault, file: string, nouns: Nouns): T {
  if (!("fault" in read)) return read;
  throw new InputError(`${file} ${faultTexts[read.fault](read, nouns)}`);
}

const faultTexts = {
  empty: () => "is empty",
  "no-json": ({ detail = "" }) => `is not valid JSON and may be truncated: ${detail}`,
  foreign: (_, { a }) => `is not ${a}`,
  "other-version": ({ found = "", supported = "" }) =>
    `has format version ${found}, but only "${supported}" is supported`,
  invalid: ({ detail = "" }, { valid }) => `is not ${valid}: ${detail}`,
  edited: () => "was edited after it was saved: its seal does not match",
} satisfies Record<SavedFault["fault"], (about: Omit<SavedFault, "fault">, nouns: Nouns) => string>;

/** Returns the text of a saved file. Throws `InputError` if the file cannot be read. */
export function readText(file: string, io: Io): string {
  try {
    return readContainedFile(resolve(io.cwd, file), maxSavedBytes).toString("utf8");
  } catch (error) {
    throw new InputError(
      errorCode(error) === "ENOENT"
        ? `${file} does not exist`
        : `cannot read ${file}: ${errorMessage(error)}`,
    );
  }
}

import { statSync } from "node:fs";
import { resolve } from "node:path";
import { mostSaved, readContainedFile } from "../../files/read-file.ts";
import type { Plan } from "../../model/plan.ts";
import type { Report } from "../../model/report.ts";
import type { SavedFault } from "../../report/saved/saved-plan.ts";
import { errorCode, errorMessage } from "../../model/text/error-text.ts";
import { InputError } from "../errors.ts";
import type { Io } from "../io.ts";

/**
 * Reads what `plan --out` or `--report` wrote. Throws `InputError` when it is neither a plan nor a report, of another
 * version, or was edited.
 */
export async function readSaved(
  file: string,
  io: Io,
): Promise<{ readonly plan: Plan } | { readonly report: Report }> {
  // Loaded here, because what checks a saved file by its schema takes as long to load as all else.
  const { parseSaved } = await import("../../report/saved/saved-report.ts");
  const read = parseSaved(readText(file, io));
  if ("fault" in read)
    throw new InputError(
      `${file} ${faultText(read, { a: "a plan or a report", valid: "a valid plan or report" })}`,
    );
  return read;
}

/**
 * Reads what `plan --out` wrote. Throws `InputError` as `readSaved` does, and for a report, too: its plan was applied.
 */
export async function readSavedPlan(file: string, io: Io): Promise<Plan> {
  const saved = await readSaved(file, io);
  if ("plan" in saved) return saved.plan;
  throw new InputError(`${file} is a report, not a plan`);
}

/** Whether a path is there and no directory. */
export function isFile(path: string, io: Io): boolean {
  return statSync(resolve(io.cwd, path), { throwIfNoEntry: false })?.isDirectory() === false;
}

/** What a document is called in "is not …". */
interface Called {
  readonly a: string;
  readonly valid: string;
}

/** What is wrong with a file that is not the document that it should be. */
export function faultText(fault: SavedFault, called: Called): string {
  return words[fault.fault](fault, called);
}

const words = {
  empty: () => "is empty",
  "no-json": ({ detail = "" }) => `is not valid JSON and may be truncated: ${detail}`,
  foreign: (_, { a }) => `is not ${a}`,
  "other-version": ({ found = "", supported = "" }) =>
    `has format version ${found}, but only "${supported}" is supported`,
  invalid: ({ detail = "" }, { valid }) => `is not ${valid}: ${detail}`,
  edited: () => "was edited after it was saved: its seal does not match",
} satisfies Record<SavedFault["fault"], (about: Omit<SavedFault, "fault">, called: Called) => string>;

/** The text of a saved file. Throws `InputError` when it cannot be read. */
export function readText(file: string, io: Io): string {
  try {
    return readContainedFile(resolve(io.cwd, file), mostSaved).toString("utf8");
  } catch (error) {
    throw new InputError(
      errorCode(error) === "ENOENT"
        ? `${file} does not exist`
        : `cannot read ${file}: ${errorMessage(error)}`,
    );
  }
}

import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Plan } from "../../model/plan.ts";
import { parsePlan, type SavedPlanFault } from "../../report/saved-plan.ts";
import { errorCode, errorMessage } from "../../text/error-text.ts";
import { InputError } from "../errors.ts";
import type { Io } from "../io.ts";

/** Reads a plan that `plan --out` wrote. Throws `InputError` when it is none, of another version, or was edited. */
export async function readSavedPlan(file: string, io: Io): Promise<Plan> {
  const read = parsePlan(await readText(file, io));
  if ("plan" in read) return read.plan;
  throw new InputError(`${file} ${words[read.fault](read)}; make it again with plan --out`);
}

const words = {
  empty: () => "is empty",
  "no-json": ({ detail = "" }) => `is no JSON, it may be cut off: ${detail}`,
  "no-plan": () => "is JSON but no plan",
  "other-version": ({ found = "" }) => `has format version ${found}, and this version reads "1"`,
  invalid: ({ detail = "" }) => `is no valid plan: ${detail}`,
  edited: () => "was changed after it was made: its digest does not fit",
} satisfies Record<SavedPlanFault["fault"], (about: Omit<SavedPlanFault, "fault">) => string>;

async function readText(file: string, io: Io): Promise<string> {
  try {
    return await readFile(resolve(io.cwd, file), "utf8");
  } catch (error) {
    throw new InputError(
      errorCode(error) === "ENOENT"
        ? `there is no file ${file}`
        : `${file} cannot be read: ${errorMessage(error)}`,
    );
  }
}

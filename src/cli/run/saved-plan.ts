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
  throw new InputError(`${file} ${words[read.fault](read)}; save it again with plan --out`);
}

const words = {
  empty: () => "is empty",
  "no-json": ({ detail = "" }) => `is not valid JSON and may be truncated: ${detail}`,
  "no-plan": () => "is not a plan",
  "other-version": ({ found = "" }) => `has format version ${found}, but only "1" is supported`,
  invalid: ({ detail = "" }) => `is not a valid plan: ${detail}`,
  edited: () => "was edited after it was saved: its digest does not match",
} satisfies Record<SavedPlanFault["fault"], (about: Omit<SavedPlanFault, "fault">) => string>;

async function readText(file: string, io: Io): Promise<string> {
  try {
    return await readFile(resolve(io.cwd, file), "utf8");
  } catch (error) {
    throw new InputError(
      errorCode(error) === "ENOENT"
        ? `${file} does not exist`
        : `cannot read ${file}: ${errorMessage(error)}`,
    );
  }
}

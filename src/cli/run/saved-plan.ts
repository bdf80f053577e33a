import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { Ajv } from "ajv";
import { isJsonObject } from "../../model/json.ts";
import type { Origin } from "../../model/origin.ts";
import type { Plan } from "../../model/plan.ts";
import type { Problem } from "../../model/problem.ts";
import { digestOf } from "../../plan/plan.ts";
import { planSchema } from "../../report/schema.ts";
import { InputError } from "../errors.ts";
import type { Io } from "../io.ts";

const advice = "save it again with plan --out";

/** Reads a plan that `plan --out` wrote. Throws `InputError` when it is none, of another version, or was edited. */
export async function readSavedPlan(file: string, io: Io): Promise<Plan> {
  const value = parseJson(await readText(file, io), file);
  if (!isJsonObject(value) || value["formatVersion"] === undefined || value["changes"] === undefined) {
    throw new InputError(`${file} is not a plan; ${advice}`);
  }
  if (value["formatVersion"] !== "1") {
    const found = JSON.stringify(value["formatVersion"]);
    throw new InputError(`${file} has format version ${found}, but only "1" is supported; ${advice}`);
  }
  const ajv = new Ajv({ strict: false });
  if (!ajv.validate(planSchema, value)) {
    const [error] = ajv.errors ?? [];
    throw new InputError(
      `${file} is not a valid plan: ${error?.instancePath ?? ""} ${error?.message ?? ""}; ${advice}`,
    );
  }
  const plan = value as unknown as Plan;
  if (digestOf(plan) !== plan.digest) {
    throw new InputError(`${file} was edited after it was saved: its digest does not match; ${advice}`);
  }
  const problems = value["problems"] as readonly SavedProblem[] | undefined;
  return { ...plan, ...(problems && { problems: problems.map(problemOf) }) };
}

type SavedProblem = Omit<Problem, "origin"> & Partial<Origin>;

/** A problem as it was before it was printed into the plan, with its line: a plan may name any file of this machine. */
function problemOf({
  code,
  severity,
  args,
  related,
  file,
  line,
  column,
  source = "",
}: SavedProblem): Problem {
  const origin =
    file !== undefined && line !== undefined && column !== undefined ? { file, line, column } : undefined;
  return { code, severity, args, source, ...(origin && { origin }), ...(related && { related }) };
}

async function readText(file: string, io: Io): Promise<string> {
  try {
    return await readFile(resolve(io.cwd, file), "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new InputError(code === "ENOENT" ? `${file} does not exist` : `cannot read ${file}: ${message}`);
  }
}

function parseJson(text: string, file: string): unknown {
  if (text.trim() === "") throw new InputError(`${file} is empty; ${advice}`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError(
      `${file} is not valid JSON and may be truncated: ${(error as Error).message}; ${advice}`,
    );
  }
}

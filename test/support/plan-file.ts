import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { jsonText } from "../../src/library/render.ts";
import type { Plan } from "../../src/model/plan.ts";
import { digestOf } from "../../src/plan/plan.ts";
import { planJson } from "../../src/report/json.ts";
import { problemsJson } from "../../src/report/problems.ts";
import { temporaryDirectory } from "./catalog.ts";

/** A plan as `plan --out` and `--report` save it. */
export function savedPlan(plan: Plan): string {
  const problems = problemsJson(plan.problems ?? [], () => undefined);
  return jsonText(planJson({ ...plan, digest: digestOf(plan) }, problems));
}

/** Writes what a command saved as `name` into a directory, a new one unless it is given. */
export function planFile(result: Plan | object, name = "plan.json", cwd = temporaryDirectory()): string {
  const text = "changes" in result ? savedPlan(result) : jsonText({ formatVersion: "1", ...result });
  writeFileSync(join(cwd, name), text);
  return cwd;
}

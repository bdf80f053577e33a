import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plan } from "../../src/model/plan.ts";
import { digestOf } from "../../src/plan/base/hash.ts";
import { jsonText } from "../../src/report/json/pieces.ts";
import { printed } from "../report/print.ts";
import { temporaryDirectory } from "./catalog.ts";

/** A plan as `plan --out` and `--report` save it. */
export function savedPlan(plan: Plan): string {
  return printed({ plan: { ...plan, digest: digestOf(plan) } }, "json");
}

/** Writes what a command saved as `name` into a directory, a new one unless it is given. */
export function planFile(result: Plan | object, name = "plan.json", cwd = temporaryDirectory()): string {
  const text = "changes" in result ? savedPlan(result) : jsonText({ formatVersion: "1", ...result });
  writeFileSync(join(cwd, name), text);
  return cwd;
}

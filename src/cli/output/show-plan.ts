/** Saves and prints a plan as the result of a command, writes its report files, and computes the exit code. */

import type { Plan } from "../../model/plan.ts";
import { refusingProblems } from "../../plan/plan.ts";
import { type ExitCode, exitCodes, highestPrecedence } from "../exit-code.ts";
import { exitCodeOfPlan } from "../result-exit-code.ts";
import type { Io } from "../io.ts";
import { piecesOf, printResult, type ResultOptions, writeReports } from "./print.ts";
import { writeResult } from "./report-files.ts";
import { note } from "./messages.ts";

/** The options for saving and printing a plan. */
export interface ShownPlan extends ResultOptions {
  readonly out?: string;
  readonly detailedExitcode?: boolean;
}

/** Saves a plan, writes it to the report files and prints it. Returns the exit code. */
export async function showPlan(plan: Plan, options: ShownPlan, io: Io): Promise<ExitCode> {
  const saved = await save(plan, options, io);
  const reported = await writeReports({ plan }, options, io);
  await printResult({ plan }, options, io);
  return highestPrecedence([exitCodeOfPlan(plan, options.detailedExitcode), saved, reported]);
}

async function save(plan: Plan, { out, quiet }: ShownPlan, io: Io): Promise<ExitCode> {
  if (out === undefined) return exitCodes.done;
  const code = await writeResult(out, piecesOf({ plan }, { format: "json" }, io), io);
  const words =
    refusingProblems(plan).length > 0
      ? "The plan has problems and cannot be applied. It was saved to"
      : "Plan saved to";
  if (code === exitCodes.done && quiet !== true) note(`${words} ${out}`, io);
  return code;
}

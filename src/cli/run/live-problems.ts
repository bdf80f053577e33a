import type { PlanProblem } from "../../model/problem.ts";
import type { Io } from "../io.ts";
import type { TargetOptions } from "../options/target.ts";
import { withPlan } from "./plan-run.ts";
import { planOfSnapshot } from "./snapshot.ts";

/** Which catalog is asked: a server or a snapshot. */
export interface LiveOptions extends TargetOptions {
  readonly snapshot?: string;
  readonly settings?: string;
  readonly env?: string;
}

/** The problems of a plan, and patterns of columns that match none. */
export async function liveProblems(
  dir: string,
  options: LiveOptions,
  io: Io,
): Promise<readonly PlanProblem[]> {
  const request = { dir, options: { ...options, format: "text" as const }, writes: false, isStrict: true };
  const plan =
    options.snapshot === undefined
      ? await withPlan(request, io, async (planned) => planned.plan)
      : await planOfSnapshot(options.snapshot, request, io);
  return plan.problems ?? [];
}

/** Creates a plan that is only shown, against a server or a snapshot. */

import type { Plan } from "../../model/plan.ts";
import type { Io } from "../io.ts";
import { type PlanRequest, withPlan } from "./plan-run.ts";

/** Creates a plan against the target in the options, or against the given snapshot. */
export async function makePlan(request: PlanRequest, io: Io, snapshot?: string): Promise<Plan> {
  if (snapshot === undefined) return await withPlan(request, io, async ({ plan }) => plan);
  // Imported on demand, because plans against a server do not need this code.
  const { planOfSnapshot } = await import("./snapshot.ts");
  return await planOfSnapshot(snapshot, request, io);
}

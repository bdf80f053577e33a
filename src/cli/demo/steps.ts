/** Runs the steps of the demo with the same code as the real commands. */

import { createWriter, type Writer } from "../../datahub/client.ts";
import type { Plan } from "../../model/plan.ts";
import { applyPlan } from "../../workflow/apply-saved.ts";
import { RunError } from "../errors.ts";
import { exitCodes } from "../exit-code.ts";
import { exitCodeOfReport, exitCodeOfPlan } from "../result-exit-code.ts";
import type { Io } from "../io.ts";
import { makePlan } from "../run/make-plan.ts";
import { type PlanOptions, withPlan } from "../run/plan-run.ts";
import { printReport, printResult } from "../output/print.ts";
import { withTarget } from "../options/target.ts";

/** The steps of the demo. Each step throws if it fails. */
export interface Steps {
  /** Creates a plan and prints it. */
  plan(): Promise<Plan>;
  /** Creates a plan, applies it, and prints the report. */
  apply(): Promise<void>;
  /** Calls `use` with a client for sending the edits that users make in the UI. */
  asUi(use: (writer: Writer) => Promise<void>): Promise<void>;
}

/** Creates the steps for a catalog directory and a server URL. */
export function stepsFor(directory: string, server: string, io: Io): Steps {
  const options: PlanOptions = { server, format: "text", quiet: true };
  return {
    plan: async () => {
      const plan = await makePlan({ dir: directory, options, writes: false }, io);
      await printResult({ plan }, { format: "text" }, io);
      if (exitCodeOfPlan(plan) !== exitCodes.done) throw new RunError("the plan has problems");
      return plan;
    },
    apply: () =>
      withPlan({ dir: directory, options, writes: true }, io, async ({ plan, target }) => {
        const writer = createWriter(target.connection);
        const report = await applyPlan(plan, writer, { signal: io.interrupted });
        await printReport(report, { format: "text" }, io);
        io.interrupted.throwIfAborted();
        if (exitCodeOfReport(report) !== exitCodes.done)
          throw new RunError("some operations were not applied");
      }),
    asUi: (use) =>
      withTarget({ server }, { writes: true }, io, ({ connection }) => use(createWriter(connection))),
  };
}

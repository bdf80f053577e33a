import { createWriter, type Writer } from "../../datahub/client.ts";
import type { ServerInfo } from "../../datahub/server-config.ts";
import { isDefinitionKind } from "../../kinds/index.ts";
import type { ApplySavedOptions } from "../../library/apply-plan.ts";
import type { Plan } from "../../model/plan.ts";
import type { Report } from "../../model/report.ts";
import { annotationsOf, failureAnnotations } from "../../report/github/annotations.ts";
import { annotate } from "../output/annotate.ts";
import type { Io } from "../io.ts";
import { printReport, type ResultOptions } from "../output/print.ts";
import { note } from "../output/messages.ts";
import { progressOf } from "../output/progress.ts";
import type { Target } from "../options/target.ts";

/** A plan that may be carried out, and where. */
interface Approved {
  readonly plan: Plan;
  readonly server: ServerInfo;
  readonly target: Target;
}

interface CarryOutOptions
  extends Pick<ResultOptions, "quiet">, Pick<ApplySavedOptions, "verify" | "allowPartial" | "awaited"> {}

/** Carries out a plan with `send`, and shows the progress. */
export async function carryOut(
  { plan, server, target }: Approved,
  send: (plan: Plan, writer: Writer, options: ApplySavedOptions) => Promise<Report>,
  { quiet = false, verify = true, allowPartial = false, awaited }: CarryOutOptions,
  io: Io,
): Promise<Report> {
  if (!server.conditionalWrites && plan.changes.some(({ kind }) => isDefinitionKind(kind))) {
    io.stderr.write("conditional writes (If-Version-Match) are not available on this server\n");
  }
  const progress = progressOf("Applying", io, quiet);
  return await send(plan, createWriter(target.connection), {
    verify,
    allowPartial,
    ...(awaited && { awaited }),
    signal: io.interrupted,
    // Operations skipped after an interruption do not count.
    onProgress: (finished, total) => {
      if (!io.interrupted.aborted) progress.report(finished, total);
    },
    onWait: (text) => {
      progress.end();
      if (!quiet) note(text, io);
    },
  }).finally(() => progress.end());
}

/** Prints what became of a plan, and annotates what failed. */
export async function printOutcomes(report: Report, options: ResultOptions, io: Io): Promise<void> {
  await printReport(report, options, io);
  // The plan's own were printed with it.
  annotate(failureAnnotations(report), io, annotationsOf(report.plan));
}

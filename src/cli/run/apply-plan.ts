import { createWriter } from "../../datahub/client/client.ts";
import type { ServerInfo } from "../../datahub/client/server-config.ts";
import { isDefinitionKind } from "../../kinds/index.ts";
import type { Plan } from "../../model/plan.ts";
import type { Report } from "../../model/report.ts";
import type { apply } from "../../reconcile.ts";
import { annotationsOf, failureAnnotations } from "../../report/annotations.ts";
import { annotate } from "../output/annotate.ts";
import type { Io } from "../io.ts";
import type { Format } from "../../library/render.ts";
import { printReport } from "../output/print.ts";
import { progressOf } from "../output/progress.ts";
import type { Target } from "../options/target.ts";

/** A plan that may be carried out, and where. */
interface Approved {
  readonly plan: Plan;
  readonly server: ServerInfo;
  readonly target: Target;
}

interface CarryOutOptions {
  readonly format: Format;
  readonly quiet?: boolean;
  /** Whether what was applied is read back. */
  readonly verify?: boolean;
}

/** Carries out a plan with `send`, shows the progress, and prints the report. */
export async function carryOut(
  { plan, server, target }: Approved,
  send: typeof apply,
  { format, quiet = false, verify = true }: CarryOutOptions,
  io: Io,
): Promise<Report> {
  if (!server.conditionalWrites && plan.changes.some(({ kind }) => isDefinitionKind(kind))) {
    io.stderr.write("conditional writes (If-Version-Match) are not available on this server\n");
  }
  const progress = progressOf("Applying", io, quiet);
  const report = await send(plan, createWriter(target.connection), {
    verify,
    signal: io.interrupted,
    onProgress: (finished, total) => progress.report(finished, total),
  }).finally(() => progress.end());
  printReport(report, format, io);
  // The plan's own were printed with it.
  annotate(failureAnnotations(report), io, annotationsOf(plan));
  return report;
}

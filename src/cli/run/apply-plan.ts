/** Applies a plan while showing a progress line, and prints the outcomes. */

import { createWriter, type Writer } from "../../datahub/client.ts";
import { isDefinitionKind } from "../../kinds/index.ts";
import type { ApplySavedOptions } from "../../workflow/apply-saved.ts";
import type { Plan } from "../../model/plan.ts";
import type { Report } from "../../model/report.ts";
import { hasConditionalWrites } from "../../sync/read/capabilities.ts";
import { annotationsOf, failureAnnotations } from "../../report/github/annotations.ts";
import { annotate } from "../output/annotate.ts";
import type { Io } from "../io.ts";
import { printReport, type ResultOptions } from "../output/print.ts";
import { note } from "../output/messages.ts";
import { progressOf } from "../output/progress.ts";
import type { Target } from "../options/target.ts";

/** A plan to apply, and the open target to apply it to. */
export interface Approved {
  readonly plan: Plan;
  readonly target: Target;
}

interface CarryOutOptions
  extends Pick<ResultOptions, "quiet">, Pick<ApplySavedOptions, "verify" | "allowPartial" | "awaited"> {}

/**
 * Applies a plan with `send`. If the plan changes definitions and the server does not support conditional writes, prints a note.
 */
export async function carryOut(
  { plan, target }: Approved,
  send: (plan: Plan, writer: Writer, options: ApplySavedOptions) => Promise<Report>,
  { quiet = false, verify = true, allowPartial = false, awaited }: CarryOutOptions,
  io: Io,
): Promise<Report> {
  const writer = createWriter(target.connection);
  const hasDefinitions = plan.changes.some(({ kind }) => isDefinitionKind(kind));
  if (hasDefinitions && !(await mayWriteConditionally(writer, io))) {
    io.stderr.write("conditional writes (If-Version-Match) are not available on this server\n");
  }
  const progress = progressOf("Applying", io, quiet);
  return await send(plan, writer, {
    verify,
    allowPartial,
    awaited,
    signal: io.interrupted,
    // Operations that are skipped after an interruption do not count as progress.
    onProgress: (finished, total) => {
      if (!io.interrupted.aborted) progress.report?.(finished, total);
    },
    onWait: (text) => {
      progress.end();
      if (!quiet) note(text, io);
    },
  }).finally(() => progress.end());
}

// If interrupted, returns true instead of throwing an error, because the apply itself then reports the outcomes.
async function mayWriteConditionally(writer: Writer, { interrupted }: Io): Promise<boolean> {
  try {
    return await hasConditionalWrites(writer, interrupted);
  } catch (error) {
    if (interrupted.aborted && error === interrupted.reason) return true;
    throw error;
  }
}

/** Prints the outcomes of an apply, and annotates failures. */
export async function printOutcomes(report: Report, options: ResultOptions, io: Io): Promise<void> {
  await printReport(report, options, io);
  // The annotations for the plan itself were already printed with the plan.
  annotate(failureAnnotations(report), io, annotationsOf(report.plan));
}

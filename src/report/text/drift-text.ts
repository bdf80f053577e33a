import type { Plan } from "../../model/plan.ts";
import { changesByClass, driftHeads, driftLine, readingLine, withoutBaseLine } from "../drift.ts";
import type { Paint } from "../paint.ts";
import { serverLine } from "../server-text.ts";
import { findingText } from "./finding-text.ts";
import { entryTexts, type PlanView } from "./plan-text.ts";
import { settingsText } from "./settings-text.ts";
import { unmanagedText } from "./unmanaged-text.ts";

/**
 * Drift as text: changes by class and entity, values that are not managed, what was skipped, and the fixed last line.
 * What guards say is left out: nothing is to be applied. Ends in a line break.
 */
export function driftText(plan: Plan, paint: Paint, { unmanaged = "counts", all }: PlanView = {}): string {
  const classes = changesByClass(plan.changes).map(
    ({ of, changes }) =>
      `${driftHeads[of]}\n\n${entryTexts(changes, paint, { names: plan.names, all, isDrift: true }).join("\n")}`,
  );
  const skipped = plan.findings.filter(({ severity }) => severity === "warning");
  const notes = skipped.map((finding) => findingText(finding, paint)).join("");
  const blocks = [
    `${serverLine(plan)}\n`,
    settingsText(plan, paint),
    readingLine(plan, "; `→` leads from the declared value to that of the catalog"),
    ...classes,
    unmanagedText(plan, paint, unmanaged),
  ].filter((block) => block !== "");
  return [...blocks, `${withoutBaseLine(plan)}${notes}${driftLine(plan)}\n`].join("\n");
}

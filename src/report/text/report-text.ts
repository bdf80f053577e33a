import { groupBy } from "../../model/group-by.ts";
import { nameOfRequest, type Operation } from "../../model/operation.ts";
import type { Outcome, Report } from "../../model/report.ts";
import { placeOf } from "./change-text.ts";
import { printable, printableLine } from "../printable.ts";
import { count } from "../count.ts";
import type { Paint } from "../paint.ts";

/** A report as text: the operations that failed or were skipped, then the counts. Ends in a line break. */
export function reportText({ outcomes }: Report, paint: Paint): string {
  const lines = unappliedTexts(outcomes, paint).flatMap((each) => each.lines);
  return [...lines, `${outcomeLine(outcomes)}\n`].join("\n");
}

/** The line that summarizes the outcomes. */
export function outcomeLine(outcomes: readonly Outcome[]): string {
  const { applied, failed, skipped } = countOutcomes(outcomes);
  return `Applied ${count(applied, "operation")}, ${failed} failed, ${skipped} skipped.`;
}

/** The lines about operations that were not applied, and the number of operations that each group of lines is about. */
export function unappliedTexts(
  outcomes: readonly Outcome[],
  paint: Paint,
): readonly { readonly lines: readonly string[]; readonly of: number }[] {
  const unapplied = outcomes.filter(({ status }) => status !== "applied");
  return [...groupBy(unapplied, reasonKey).values()].map((group) => ({
    lines: groupLines(group, paint),
    of: group.length,
  }));
}

const mostSkippedSingly = 20;

/** Outcomes with the same key are shown together: those that were skipped for the same reason. */
function reasonKey(outcome: Outcome): string {
  return outcome.status === "skipped" ? `skipped ${outcome.because}` : outcome.operation.id;
}

function groupLines(group: readonly Outcome[], paint: Paint): readonly string[] {
  const [first] = group;
  if (group.length <= mostSkippedSingly || first?.status !== "skipped") {
    return group.flatMap((outcome) => outcomeLines(outcome, paint));
  }
  return [
    `${paint("warning", "skipped")} ${count(group.length, "operation")}`,
    `    ${printableLine(first.because)}`,
  ];
}

/** The number of operations by outcome. */
export function countOutcomes(outcomes: readonly Outcome[]): Readonly<Record<Outcome["status"], number>> {
  const counts = { applied: 0, failed: 0, skipped: 0 };
  for (const { status } of outcomes) counts[status] += 1;
  return counts;
}

function outcomeLines(outcome: Outcome, paint: Paint): readonly string[] {
  if (outcome.status === "applied") return [];
  const [change] = outcome.operation.changes;
  const place = change?.source ? `  ${placeOf(change.source)}` : "";
  const reason = outcome.status === "failed" ? outcome.error : outcome.because;
  const style = outcome.status === "failed" ? "error" : "warning";
  return [
    `${paint(style, outcome.status)} ${printable(`${nameOfOperation(outcome.operation)} of ${change?.urn}`)}${place}`,
    `    ${printableLine(reason)}`,
  ];
}

/** The name of an operation with the facets that it writes. */
export function nameOfOperation({ request, changes }: Operation): string {
  const facets = changes.map(({ facet, column }) => [facet ?? "", column ?? ""].join(" ").trim()).join(", ");
  return `${nameOfRequest(request)}${facets === "" ? "" : `: ${facets}`}`;
}

import type { Change } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import { nameOfRequest, type Operation } from "../../model/operation.ts";
import type { Names } from "../../model/plan.ts";
import type { Outcome, Report, Values } from "../../model/report.ts";
import type { Member, Scalar } from "../../model/state.ts";
import { keyOf, placeOf, shown } from "./change-text.ts";
import { printable, printableLine } from "../printable.ts";
import { count } from "../count.ts";
import type { Paint } from "../paint.ts";

/** A report as text: the operations that were not applied, then the counts. Ends in a line break. */
export function reportText({ plan, outcomes, unproved }: Report, paint: Paint): string {
  const lines = unappliedTexts(outcomes, paint, plan.names).flatMap((each) => each.lines);
  const notes = unproved === undefined ? [] : [`${paint("error", "error")}: ${unprovedText(unproved)}`];
  return [...lines, ...notes, `${outcomeLine(outcomes)}\n`].join("\n");
}

/** What it means that what was applied could not be read back. */
export function unprovedText(unproved: string): string {
  return printableLine(`the result could not be read back and is not verified: ${unproved}`);
}

/** The line that summarizes the outcomes. */
export function outcomeLine(outcomes: readonly Outcome[]): string {
  const { applied, failed, skipped, stale } = countOutcomes(outcomes);
  const rest = stale > 0 ? `, ${stale} stale` : "";
  return `Applied ${count(applied, "operation")}, ${failed} failed, ${skipped} skipped${rest}.`;
}

/** The lines about operations that were not applied, or not all of them, and the number of operations that each group of lines is about. */
export function unappliedTexts(
  outcomes: readonly Outcome[],
  paint: Paint,
  names?: Names,
): readonly { readonly lines: readonly string[]; readonly of: number }[] {
  const unapplied = outcomes.filter(({ status }) => status !== "applied");
  return [...groupBy(unapplied, reasonKey).values()].map((group) => ({
    lines: groupLines(group, paint, names),
    of: group.length,
  }));
}

const mostSkippedSingly = 20;

/** Outcomes with the same key are shown together: those that were skipped for the same reason. */
function reasonKey(outcome: Outcome): string {
  if (outcome.status === "skipped") return `skipped ${outcome.because}`;
  return [outcome.status, outcome.operation.id, ...outcome.operation.changes.map(placeKey)].join(" ");
}

function placeKey({ facet = "", column = "" }: Change): string {
  return `${facet} ${column}`;
}

function groupLines(group: readonly Outcome[], paint: Paint, names?: Names): readonly string[] {
  const [first] = group;
  if (group.length <= mostSkippedSingly || first?.status !== "skipped") {
    return group.flatMap((outcome) => outcomeLines(outcome, paint, names));
  }
  return [
    `${paint("warning", "skipped")} ${count(group.length, "operation")}`,
    `    ${printableLine(first.because)}`,
  ];
}

/** The number of operations by outcome. */
export function countOutcomes(outcomes: readonly Outcome[]): Readonly<Record<Outcome["status"], number>> {
  const counts = { applied: 0, failed: 0, skipped: 0, stale: 0 };
  for (const { status } of outcomes) counts[status] += 1;
  return counts;
}

function outcomeLines(outcome: Outcome, paint: Paint, names?: Names): readonly string[] {
  if (outcome.status === "applied") return [];
  const [change] = outcome.operation.changes;
  const place = change?.source ? `  ${placeOf(change.source)}` : "";
  const reason = outcome.status === "failed" ? outcome.error : outcome.because;
  const style = outcome.status === "failed" ? "error" : "warning";
  return [
    `${paint(style, outcome.status)} ${printable(`${nameOfOperation(outcome.operation)} of ${change?.urn}`)}${place}`,
    `    ${printableLine(reason)}`,
    ...differenceLines(outcome, names),
  ];
}

function differenceLines(outcome: Outcome, names?: Names): readonly string[] {
  if (!("expected" in outcome) || outcome.expected === undefined || outcome.found === undefined) return [];
  const { facet } = outcome.operation.changes[0] ?? {};
  const text = (values: Values): string => valuesText(values, facet, names);
  return [`    expected ${text(outcome.expected)}`, `    found    ${text(outcome.found)}`];
}

function valuesText(values: Values, facet: string | undefined, names?: Names): string {
  const all: readonly (Member | Scalar)[] = Array.isArray(values) ? values : [values as Scalar];
  const texts = all
    .filter((value) => value !== null)
    .map((value) => (facet === undefined ? printable(keyOf(value)) : shown(facet, value, names)));
  return texts.length === 0 ? "none" : texts.join(", ");
}

/** The name of an operation with the facets that it writes. */
export function nameOfOperation({ request, changes }: Operation): string {
  const facets = changes.map(({ facet, column }) => [facet ?? "", column ?? ""].join(" ").trim()).join(", ");
  return `${nameOfRequest(request)}${facets === "" ? "" : `: ${facets}`}`;
}

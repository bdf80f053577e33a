import { groupBy } from "../../model/group-by.ts";
import type { Names } from "../../model/plan.ts";
import type { Outcome, ReferencesLeft, Report, Values } from "../../model/report.ts";
import type { Member, Scalar } from "../../model/state.ts";
import { called } from "../called.ts";
import { keyOf, shown, sourcePlace } from "./change-text.ts";
import { workOn, workText } from "./work-text.ts";
import { printable, printableLine } from "../printable.ts";
import { count } from "../count.ts";
import { namesOf, sharersText } from "../fold.ts";
import type { Paint } from "../paint.ts";

/** A report as text: the operations that were not applied, then the counts. Ends in a line break. */
export function reportText(
  { plan, outcomes, unproved, referencesLeft = [] }: Report,
  paint: Paint,
  all?: boolean,
): string {
  const lines = unappliedTexts(outcomes, paint, { names: plan.names, all }).flatMap((each) => each.lines);
  const left = referencesLeft.map((each) => `${paint("warning", "warning")}: ${leftText(each, plan.names)}`);
  const notes = unproved === undefined ? [] : [`${paint("error", "error")}: ${unprovedText(unproved)}`];
  return [...lines, ...left, ...notes, `${outcomeLine(outcomes)}\n`].join("\n");
}

/** What it means that what was applied could not be read back. */
export function unprovedText(unproved: string): string {
  return printableLine(`the result could not be read back and is not verified: ${unproved}`);
}

/** What the server has not removed in time of the references to a deleted entity. */
export function leftText({ urn, count: number, from }: ReferencesLeft, names?: Names): string {
  const first = from.slice(0, mostHolders);
  const more = number > first.length ? ` and ${number - first.length} more` : "";
  const holders = first.length === 0 ? "" : `: ${namesOf(first, { names })}${more}`;
  const refer = number === 1 ? "entity still refers" : "entities still refer";
  return printableLine(`${number} ${refer} to ${called(urn, names)}, which was deleted${holders}`);
}

const mostHolders = 3;

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
  { names, all = false }: { readonly names?: Names | undefined; readonly all?: boolean | undefined } = {},
): readonly { readonly lines: readonly string[]; readonly of: number }[] {
  const unapplied = outcomes.filter(isUnapplied);
  if (all) return unapplied.map((each) => ({ lines: outcomeLines(each, paint, names), of: 1 }));
  return [...groupBy(unapplied, reasonKey).values()].map((group) => ({
    lines: groupLines(group, paint, names),
    of: group.length,
  }));
}

type Unapplied = Exclude<Outcome, { readonly status: "applied" }>;

function isUnapplied(outcome: Outcome): outcome is Unapplied {
  return outcome.status !== "applied";
}

const mostSkippedSingly = 20;
const mostSingly = 5;

/** Outcomes with the same key are shown together: those that ended in the same way, for the same reason. */
function reasonKey(outcome: Unapplied): string {
  if (outcome.status === "skipped") return `skipped ${outcome.because}`;
  const { status, operation } = outcome;
  const kinds = operation.changes.map(({ kind }) => kind);
  const work = workText(operation, { isBare: true });
  return [status, ...kinds, work, reasonOf(outcome), ...differenceLines(outcome)].join("\n");
}

function reasonOf(outcome: Unapplied): string {
  return outcome.status === "failed" ? outcome.error : outcome.because;
}

function groupLines(group: readonly Unapplied[], paint: Paint, names?: Names): readonly string[] {
  const [first] = group;
  if (first === undefined) return [];
  const isSkipped = first.status === "skipped";
  if (group.length <= (isSkipped ? mostSkippedSingly : mostSingly))
    return group.flatMap((outcome) => outcomeLines(outcome, paint, names));
  const of = sharersText([group.flatMap(({ operation }) => operation.changes)], names);
  const isAlike = new Set(group.map(({ operation }) => workText(operation))).size === 1;
  const what = isSkipped
    ? count(group.length, "operation")
    : printable(workOn(first.operation, of, { names, isBare: !isAlike }));
  return [
    `${paint(styleOf(first), `${first.status}:`)} ${what}`,
    `    ${printableLine(reasonOf(first))}`,
    ...differenceLines(first, names),
  ];
}

function styleOf({ status }: Unapplied): "error" | "warning" {
  return status === "failed" ? "error" : "warning";
}

/** The number of operations by outcome. */
export function countOutcomes(outcomes: readonly Outcome[]): Readonly<Record<Outcome["status"], number>> {
  const counts = { applied: 0, failed: 0, skipped: 0, stale: 0 };
  for (const { status } of outcomes) counts[status] += 1;
  return counts;
}

function outcomeLines(outcome: Unapplied, paint: Paint, names?: Names): readonly string[] {
  const [change] = outcome.operation.changes;
  const place = change?.source ? `  ${sourcePlace(change.source)}` : "";
  const what = workOn(outcome.operation, called(change?.urn ?? "", names), { names });
  return [
    `${paint(styleOf(outcome), `${outcome.status}:`)} ${printable(what)}${place}`,
    `    ${printableLine(reasonOf(outcome))}`,
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

import { diffWordsWithSpace } from "diff";
import { facetNamed } from "../facets/index.ts";
import {
  type Change,
  type FacetChange,
  isFacetChange,
  isSetChange,
  type ScalarChange,
} from "../model/change.ts";
import type { Origin } from "../model/origin.ts";
import type { Request } from "../model/operation.ts";
import type { Plan, Summary, Unmanaged } from "../model/plan.ts";
import type { Outcome, Report } from "../model/report.ts";
import type { Member, Scalar } from "../model/state.ts";
import { refusingProblems } from "../plan/plan.ts";
import { printable } from "./excerpt.ts";
import { count, type Paint } from "./symbols.ts";

const marks = { create: "+", update: "~", delete: "-" } as const;
const styles = { create: "add", update: "change", delete: "remove" } as const;

/**
 * A plan for people: changes by entity, then what stays, then one fixed line that sums it up. Ends in a line break.
 * `isWhole` says that a problem refuses all of it; an upsert writes the rest.
 */
export function planText(plan: Plan, paint: Paint, isWhole = true): string {
  const entities = groupBy(plan.changes, (change) => change.urn).map((changes) => entityText(changes, paint));
  const blocks = [
    ...entities,
    unmanagedText(plan.unmanaged, paint),
    findingsText(plan),
    isWhole ? refusalText(plan) : "",
  ].filter((block) => block !== "");
  return [...blocks, `${summaryLine(plan.summary)}\n`].join("\n");
}

/** The fixed last line of a plan. */
export function summaryLine(summary: Summary): string {
  const { create, update, additions, removals, unchanged } = summary;
  if (create + update + summary.delete === 0)
    return `No changes. ${count(unchanged, "entity", "entities")} in sync.`;
  const elements = `${count(additions, "addition")}, ${count(removals, "removal")}`;
  return `Plan: ${create} to create, ${update} to update (${elements}), ${summary.delete} to delete.`;
}

/** What became of a plan, for people: what failed and what was held back, then the counts. Ends in a line break. */
export function reportText({ outcomes }: Report, paint: Paint): string {
  const lines = groupBy(outcomes, reasonKey).flatMap((group) => groupLines(group, paint));
  const { applied, failed, skipped } = countOutcomes(outcomes);
  return [...lines, `Applied ${count(applied, "operation")}, ${failed} failed, ${skipped} skipped.\n`].join(
    "\n",
  );
}

const mostSkippedSingly = 20;

/** Outcomes that are told together: what was skipped because of the same. */
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
    `    ${printable(first.because)}`,
  ];
}

/** How many operations had which outcome. */
export function countOutcomes(outcomes: readonly Outcome[]): Readonly<Record<Outcome["status"], number>> {
  const counts = { applied: 0, failed: 0, skipped: 0 };
  for (const { status } of outcomes) counts[status] += 1;
  return counts;
}

function entityText(changes: readonly Change[], paint: Paint): string {
  const [{ action, kind, urn } = {}] = changes;
  if (action === undefined || kind === undefined) return "";
  const head = `${paint(styles[action], marks[action])} ${paint("bold", kind)} ${urn}\n`;
  return (
    head +
    changes
      .filter(isFacetChange)
      .map((change) => changeText(change, paint))
      .join("")
  );
}

function changeText(change: FacetChange, paint: Paint): string {
  const place = change.source ? `  ${paint("dim", placeOf(change.source))}` : "";
  const name = change.column === undefined ? change.facet : `${change.facet} ${change.column}`;
  if (!isSetChange(change)) return `    ${scalarText(change, name, paint)}${place}\n`;
  const lines = [
    ...change.add.map((member) => paint("add", `+ ${shown(change.facet, member)}`)),
    ...change.remove.map((member) => paint("remove", `- ${shown(change.facet, member)}`)),
  ];
  return [`    ${name}${place}`, ...lines.map((line) => `      ${line}`), ""].join("\n");
}

function scalarText({ facet, before, after }: ScalarChange, name: string, paint: Paint): string {
  if (before === null) return paint("add", `+ ${name}: ${shown(facet, after)}`);
  if (after === null) return paint("remove", `- ${name}: ${shown(facet, before)}`);
  const words = diffWordsWithSpace(shown(facet, before), shown(facet, after)).map(
    ({ value, added, removed }) => {
      if (added) return paint("add", `{+${value}+}`);
      return removed ? paint("remove", `[-${value}-]`) : value;
    },
  );
  return `${paint("change", "~")} ${name}: ${words.join("")}`;
}

/** A value as a plan shows it, on one line. */
function shown(facet: string, value: Member | Scalar): string {
  const text = facetNamed(facet).show(value);
  return printable(text.replaceAll(/\s*\n\s*/g, " ⏎ "));
}

function unmanagedText(unmanaged: readonly Unmanaged[], paint: Paint): string {
  if (unmanaged.length === 0) return "";
  const blocks = groupBy(unmanaged, (each) => each.urn).map((values) => {
    const lines = values.map(({ facet, column, value, reason }) => {
      const place = column === undefined ? facet : `${facet} ${column}`;
      return `    ${place}: ${shown(facet, value)}  ${paint("dim", `(${reason})`)}\n`;
    });
    return `  ${values[0]?.kind} ${values[0]?.urn}\n${lines.join("")}`;
  });
  return `Not managed here, stays as it is:\n${blocks.join("")}`;
}

function findingsText({ findings }: Plan): string {
  return findings
    .map(({ numbers, flag }) => {
      const parts = Object.entries(numbers).map(([what, number]) => count(number, what.replace(/s$/, "")));
      return `Left out, because they are not in the catalog: ${parts.join(", ")} (${flag} refuses them).\n`;
    })
    .join("");
}

// The line below says that all is well where nothing else can be compared.
function refusalText(plan: Plan): string {
  const errors = refusingProblems(plan).length;
  if (errors === 0) return "";
  return `Refused: ${count(errors, "problem")}, told beside this plan. As long as one stands, apply writes nothing.\n`;
}

function outcomeLines(outcome: Outcome, paint: Paint): readonly string[] {
  if (outcome.status === "applied") return [];
  const { request, changes } = outcome.operation;
  const [change] = changes;
  const facets = changes.map(({ facet, column }) => [facet ?? "", column ?? ""].join(" ").trim()).join(", ");
  const place = change?.source ? `  ${placeOf(change.source)}` : "";
  const reason = outcome.status === "failed" ? outcome.error : outcome.because;
  const style = outcome.status === "failed" ? "error" : "warning";
  return [
    `${paint(style, outcome.status)} ${nameOfRequest(request)}${facets === "" ? "" : `: ${facets}`} of ${change?.urn}${place}`,
    `    ${printable(reason)}`,
  ];
}

/** What an operation is called in a report: the mutation, or the aspect that is proposed. */
export function nameOfRequest(request: Request): string {
  return request.type === "mutation" ? request.field : `ingestProposal ${request.aspect}`;
}

/** `file:line:column`, as editors and terminals link it. */
function placeOf({ file, line, column }: Origin): string {
  return `${file}:${line}:${column}`;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return [...groups.values()];
}

/** Prints a result as text for terminals and logs. */

import { groupBy } from "../../model/group-by.ts";
import type { Plan, Unmanaged } from "../../model/plan.ts";
import { count } from "../count.ts";
import type { Document, Result, View } from "../document/document.ts";
import { documentOf } from "../document/document-of.ts";
import { entriesOf } from "../document/entries.ts";
import { factsOf } from "../document/facts.ts";
import { unmanagedCounts, unmanagedReason } from "../document/lines.ts";
import { driftHeads, driftLegend, policyChangesHead, serverName, settingsHead } from "../document/notes.ts";
import { placeIn, urnWithName, valueText } from "../document/values.ts";
import { chunked } from "../chunks.ts";
import type { Row } from "../page.ts";
import { printable } from "../printable.ts";
import { entryText, type TextStyle } from "./changes.ts";
import { paintWith } from "./paint.ts";
import { problemsText } from "./problems.ts";
import { rowText } from "./rows.ts";

/** Prints a result as text, in pieces. Omits a plan's problems and, unless `withPlan` is set, a report's plan. */
export function printText(result: Result, view: View): Iterable<string> {
  const document = documentOf(result, view);
  const { about, isDrift } = document;
  const style = { ...view, paint: paintWith(view.color ?? false), names: about?.names, isDrift };
  return chunked(documentParts(document, style));
}

interface ResultStyle extends TextStyle, View {}

function* documentParts(document: Document, style: ResultStyle): Iterable<string> {
  const { failure, plan, about, problems, verdict } = document;
  if (failure) yield `${printable(`error: ${failure.message}`)}\n`;
  else if (plan && about) yield* reportParts(document, { plan, about }, style);
  else if (about) yield* planParts(document, about, style);
  else if (document.checked.length > 0) yield* checkParts(document, style);
  else yield `${problemsText(problems, { width: 80, wrap: false })}${verdict}\n`;
}

/** Prints each policy with its counts and verdicts, the violations and findings that fail the check, and the last line. */
function* checkParts(
  { checked, policies, policyHelp, findings, verdict }: Document,
  style: ResultStyle,
): Iterable<string> {
  yield `${rowsText(checked, style)}\n`;
  yield rowsText([...policies, ...policyHelp], style);
  yield rowsText(findings, style);
  yield `${verdict}\n`;
}

function* reportParts(
  { run, outcomes, remarks, verdict }: Document,
  { plan, about }: { readonly plan: Document; readonly about: Plan },
  style: ResultStyle,
): Iterable<string> {
  if (style.withPlan) yield* planParts(plan, about, style);
  if (style.withPlan && run) {
    const facts = factsOf(about, run).map(([name, fact]) => `${name.padEnd(10)}${printable(fact)}\n`);
    yield `\n${facts.join("")}\n`;
  }
  yield rowsText([...outcomes, ...remarks], style);
  yield `${verdict}\n`;
}

/** Prints the server, changes by entity (the most important first), unmanaged values, findings, and the fixed last line. */
function* planParts(plan: Document, about: Plan, style: ResultStyle): Iterable<string> {
  const rows = (...lists: readonly (readonly Row[])[]): string => rowsText(lists.flat(), style);
  yield `Server: ${serverName(about)}\n\n`;
  if (plan.shard !== "") yield `${plan.shard}\n\n`;
  if (plan.settings.length > 0) yield `${settingsHead}:\n${rows(plan.settings)}\n`;
  if (plan.policyChanges.length > 0) yield `${policyChangesHead}:\n${rows(plan.policyChanges)}\n`;
  if (plan.isDrift && plan.changes.length > 0)
    yield `${driftLegend("; `→` points from the declared value to the value in the catalog")}\n\n`;
  for (const group of plan.changes) {
    if (group.class) yield `${driftHeads[group.class]}\n\n`;
    for (const entry of entriesOf(group.changes, style.all)) yield `${entryText(entry, style)}\n`;
  }
  if (plan.rules.length > 0) yield `${rows(plan.rules)}\n`;
  if (plan.unmanaged.length > 0) yield `${unmanagedText(plan, style)}\n`;
  yield rows(plan.removals === "" ? [] : [{ text: plan.removals }], plan.notes);
  yield rows(plan.policies, plan.lifted, plan.unknownVerdicts, plan.policyHelp);
  if (plan.policyTotals !== "") yield `${plan.policyTotals}\n`;
  yield rows(plan.findings);
  yield `${plan.verdict}\n`;
}

function rowsText(rows: readonly Row[], { paint }: ResultStyle): string {
  return rows.map((row) => rowText(row, paint)).join("");
}

/** The maximum number of unmanaged values to list. If there are more, they are only counted. */
const maxUnmanaged = 20;

function unmanagedText({ unmanaged, unmanagedHead }: Document, style: ResultStyle): string {
  if (unmanaged.length > maxUnmanaged && style.unmanaged !== "all") {
    const entities = count(new Set(unmanaged.map(({ urn }) => urn)).size, "entity", "entities");
    const hint = style.paint("dim", "(--show-unmanaged lists them)");
    const head = `${unmanagedHead}: ${count(unmanaged.length, "value")} of ${entities}  ${hint}\n`;
    return (
      head +
      unmanagedCounts(unmanaged)
        .map((line) => `    ${printable(line)}\n`)
        .join("")
    );
  }
  const blocks = [...groupBy(unmanaged, ({ urn }) => urn)].map(([urn, values]) => {
    const lines = values.map((value) => unmanagedLine(value, style));
    return `  ${values[0]?.kind} ${printable(urnWithName(urn, style.names))}\n${lines.join("")}`;
  });
  return `${unmanagedHead}:\n${blocks.join("")}`;
}

function unmanagedLine(each: Unmanaged, { paint, names }: ResultStyle): string {
  const what =
    each.facet === undefined ? "" : `${placeIn(each)}: ${valueText(each.facet, each.value, names)}  `;
  return `    ${what}${paint("dim", `(${unmanagedReason(each, names)})`)}\n`;
}

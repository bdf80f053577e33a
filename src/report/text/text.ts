/** Prints a result as text for terminals and logs. */

import { groupBy } from "../../model/group-by.ts";
import type { Unmanaged } from "../../model/plan.ts";
import type { Run } from "../../model/report.ts";
import { count } from "../count.ts";
import type { About, Document, Result, View } from "../document/document.ts";
import { documentOf } from "../document/document-of.ts";
import { entriesOf } from "../document/entries.ts";
import { unmanagedCounts, unmanagedReason } from "../document/lines.ts";
import {
  approvalText,
  driftHeads,
  driftLegend,
  policyChangesHead,
  serverName,
  settingsHead,
} from "../document/notes.ts";
import { placeIn, urnWithName, valueText } from "../document/values.ts";
import { chunked } from "../chunks.ts";
import type { Row } from "../page.ts";
import { printable } from "../printable.ts";
import { entryText, type TextStyle } from "./changes.ts";
import { paintWith } from "./paint.ts";
import { problemsText } from "./problems.ts";
import { rowText } from "./rows.ts";

/** A result as text, in pieces. A plan is printed without its problems, and a report without its plan unless `withPlan`. */
export function printText(result: Result, view: View): Iterable<string> {
  const document = documentOf(result, view);
  const { about, isDrift } = document;
  const style = { ...view, paint: paintWith(view.color ?? false), names: about?.names, isDrift };
  return chunked(documentParts(document, style));
}

interface ResultStyle extends TextStyle, Pick<View, "unmanaged" | "withPlan"> {}

function* documentParts(document: Document, style: ResultStyle): Iterable<string> {
  const { failure, plan, about, problems, verdict } = document;
  if (failure) yield `${printable(`error: ${failure.message}`)}\n`;
  else if (plan && about) yield* reportParts(document, { plan, about }, style);
  else if (about) yield* planParts(document, about, style);
  else if (document.checked.length > 0) yield* checkParts(document, style);
  else yield `${problemsText(problems, { width: 80, wrap: false })}${verdict}\n`;
}

/** Each policy with its numbers and verdicts, the violations and findings that fail the check, and the last line. */
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
  { plan, about }: { readonly plan: Document; readonly about: About },
  style: ResultStyle,
): Iterable<string> {
  if (style.withPlan) yield* planParts(plan, about, style);
  if (style.withPlan && run) yield `\n${runText(run, about)}\n`;
  yield rowsText([...outcomes, ...remarks], style);
  yield `${verdict}\n`;
}

/** The server, changes by entity with the most important first, unmanaged values, findings, and the fixed last line. */
function* planParts(document: Document, about: About, style: ResultStyle): Iterable<string> {
  const {
    shard,
    settings,
    policyChanges,
    lifted,
    isDrift,
    changes,
    removals,
    rules,
    unmanaged,
    notes,
    findings,
    policies,
    policyTotals,
    unknownVerdicts,
    policyHelp,
    verdict,
  } = document;
  yield `Server: ${serverName(about)}\n\n`;
  if (shard !== "") yield `${shard}\n\n`;
  if (settings.length > 0) yield `${settingsHead}:\n${rowsText(settings, style)}\n`;
  if (policyChanges.length > 0) yield `${policyChangesHead}:\n${rowsText(policyChanges, style)}\n`;
  if (isDrift && changes.length > 0)
    yield `${driftLegend("; `→` leads from the declared value to that of the catalog")}\n\n`;
  for (const group of changes) {
    if (group.class) yield `${driftHeads[group.class]}\n\n`;
    for (const entry of entriesOf(group.changes, style.all)) yield `${entryText(entry, style)}\n`;
  }
  if (rules.length > 0) yield `${rowsText(rules, style)}\n`;
  if (unmanaged.length > 0) yield `${unmanagedText(document, style)}\n`;
  yield rowsText(removals === "" ? notes : [{ text: removals }, ...notes], style);
  yield rowsText([...policies, ...lifted, ...unknownVerdicts, ...policyHelp], style);
  if (policyTotals !== "") yield `${policyTotals}\n`;
  yield rowsText(findings, style);
  yield `${verdict}\n`;
}

function rowsText(rows: readonly Row[], { paint }: ResultStyle): string {
  return rows.map((row) => rowText(row, paint)).join("");
}

/** More values are counted. */
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

/** The facts of an apply: target, commit, times, approval and exit code. */
function runText(run: Run, { target, git, tool }: About): string {
  const { commit, dirty, base } = git;
  const facts = {
    target,
    commit: commit === null ? "none" : `${commit}${dirty ? " and uncommitted changes" : ""}`,
    base: base ?? "none",
    tool,
    started: run.startedAt,
    ended: `${run.endedAt}, exit code ${run.exitCode}`,
    approved: approvalText(run),
    stopped: run.stopped,
  };
  return Object.entries(facts)
    .flatMap(([name, fact]) => (fact === undefined ? [] : [`${name.padEnd(10)}${printable(fact)}\n`]))
    .join("");
}

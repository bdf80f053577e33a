/** Prints the sections of a page, in reading order. */

import { isFacetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import { isError } from "../../model/problem.ts";
import type { Unmanaged } from "../../model/plan.ts";
import { numberText } from "../count.ts";
import type { Document, FindingRow, OutcomeRow, View } from "../document/document.ts";
import { unmanagedCounts, unmanagedReason } from "../document/lines.ts";
import { driftLegend, policyChangesHead, settingsHead } from "../document/notes.ts";
import { placeIn, plainNameOf, valueText } from "../document/values.ts";
import type { Row } from "../page.ts";
import { printable } from "../printable.ts";
import { countBars } from "./bars.ts";
import { filtersPart } from "./filters.ts";
import { html, type Markup } from "./markup.ts";
import type { PageEntry } from "./page-entry.ts";
import { policiesPart, violationsPart } from "./policies.ts";
import { prose } from "./prose.ts";
import { removedPart } from "./removed.ts";
import { headings, leftText, maxRows, rowItem, section, table, titled } from "./section.ts";
import { maxEntriesWithoutScript, createTemplates } from "./templates.ts";

const templates = createTemplates<Markup>(html, 20);

/** The sections of a page, without empty ones. */
export function* sectionsOf(document: Document, entries: readonly PageEntry[], view: View): Iterable<Markup> {
  const plan = document.plan ?? document;
  const { about, settings, policyChanges, findings, removals, rules, notes, unmanaged } = plan;
  const problems = document === plan ? plan.problems : [...document.problems, ...plan.problems];
  const errors = problems.filter(isError);
  const warnings = problems.filter(({ severity }) => severity === "warning");
  yield html`<div id="content"></div>`;
  const itemOf = (row: Row): Markup => rowItem(row, view);
  yield section("Notes on the apply", document.remarks, itemOf);
  yield section("Not applied", document.outcomes, outcomeItem, {
    number: document.outcomes.reduce((sum, row) => sum + row.outcomes.length, 0),
  });
  yield section("Problems", errors, itemOf, { lead: plan.refusal });
  yield section(plan.checkOf ? "Failed" : "Blocked", findings.filter(isError).map(bare), itemOf);
  yield violationsPart(plan, view);
  yield removedPart(plan, removals);
  // For a check, the policies are the result.
  if (plan.checkOf) yield policiesPart(plan);
  yield listPart(plan, entries);
  yield valuesPart(plan);
  if (about) yield policiesPart(plan);
  const matching = rules.filter(({ matchedInPart }) => matchedInPart > 0);
  yield section("Rules", matching, ({ id, text }) => html`<li><b>${printable(id)}</b>: ${prose(text)}</li>`);
  const skipped = findings.filter(({ severity }) => severity === "warning");
  yield section("Skipped", skipped, itemOf);
  yield section("Warnings", warnings, itemOf);
  yield section(settingsHead, settings, itemOf);
  yield section(policyChangesHead, policyChanges, itemOf);
  if (unmanaged.length > 0) yield unmanagedPart(plan, unmanaged);
  yield section("Notes", notes, (text) => rowItem({ text }, view));
}

function outcomeItem({ status, lines }: OutcomeRow): Markup {
  return html`<li class="${status}"><pre>${lines.join("\n")}</pre></li>`;
}

/** A finding without the word that the heading says. */
function bare({ severity, text }: FindingRow): Row {
  return { severity, text: text.replace(/^(?:Blocked|Failed): /, "") };
}

/** The first changes or verdicts. The script replaces them by a searchable list of all. */
function listPart({ changes, checkOf, isDrift }: Document, entries: readonly PageEntry[]): Markup {
  if (entries.length === 0) return html``;
  const [title, number] = checkOf
    ? ["Verdicts", entries.length]
    : ["Changes", changes.reduce((sum, group) => sum + group.changes.length, 0)];
  const left = entries.length - maxEntriesWithoutScript;
  const heads = new Map(groupBy(entries, (entry) => entry.class ?? ""));
  const shown = entries.slice(0, maxEntriesWithoutScript).map((entry, index) => {
    const isFirst = entry.class !== undefined && entries[index - 1]?.class !== entry.class;
    const head = isFirst
      ? templates.groupHead(entry.class ?? "", heads.get(entry.class ?? "")?.length ?? 0)
      : "";
    return html`${head}${templates.entry(entry)}`;
  });
  return titled(
    title,
    numberText(number),
    isDrift ? html`<p>${prose(driftLegend())}</p>` : "",
    filtersPart(entries, title),
    html`<div id="list">${shown}</div>`,
    left > 0
      ? html`<p id="more">
          These are the first ${maxEntriesWithoutScript}. ${numberText(left)} more are in the list where a
          browser runs its script.
        </p>`
      : "",
  );
}

function valuesPart(document: Document): Markup {
  const changes = document.changes.flatMap((group) => group.changes).filter(isFacetChange);
  if (changes.length === 0) return html``;
  return html`<section>
    <h2>Values by field</h2>
    ${countBars(changes, document)}
  </section>`;
}

function unmanagedPart({ about, unmanagedHead }: Document, unmanaged: readonly Unmanaged[]): Markup {
  const rows = unmanaged.slice(0, maxRows).map(
    (each) =>
      html`<tr>
        <td><bdi>${printable(plainNameOf(each.urn, about?.names))}</bdi></td>
        <td>${each.facet === undefined ? "" : placeIn(each)}</td>
        <td><bdi>${each.facet === undefined ? "" : valueText(each.facet, each.value, about?.names)}</bdi></td>
        <td>${printable(unmanagedReason(each, about?.names))}</td>
      </tr>`,
  );
  return titled(
    unmanagedHead,
    numberText(unmanaged.length),
    html`<ul class="rows">
      ${unmanagedCounts(unmanaged).map((line) => html`<li>${printable(line)}</li>`)}
    </ul>`,
    html`<details>
      <summary>The values</summary>
      ${table({ label: "Values that are not managed", head: headings(["Entity", "Field", "Value", "Why"]), rows })}
      ${leftText(unmanaged.length - rows.length, "p")}
    </details>`,
  );
}

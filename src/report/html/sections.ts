/** Prints a page's sections in reading order. */

import { isFacetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import { numberText } from "../count.ts";
import { changesIn, type Document, type View } from "../document/document.ts";
import { unmanagedCounts, unmanagedReason } from "../document/lines.ts";
import { driftLegend } from "../document/notes.ts";
import { placeIn, plainNameOf, valueText } from "../document/values.ts";
import { sectionsOf } from "../document/sections.ts";
import { printable } from "../printable.ts";
import { countBars } from "./bars.ts";
import { filtersPart } from "./filters.ts";
import { html, type Markup } from "./markup.ts";
import type { PageEntry } from "./page-entry.ts";
import { policiesPart } from "./policies.ts";
import { prose } from "./prose.ts";
import { removedPart } from "./removed.ts";
import { headings, leftText, maxRows, rowSection, table, titled } from "./section.ts";
import { maxEntriesWithoutScript, createTemplates } from "./templates.ts";

const templates = createTemplates<Markup>(html, 20);

/** Prints a page's sections. Omits empty sections. */
export function* pageSections(
  document: Document,
  entries: readonly PageEntry[],
  view: View,
): Iterable<Markup> {
  const { plan = document } = document;
  // The list of entries already contains a check's verdicts, so the sections omit them.
  const { before, after } = sectionsOf(plan.checkOf ? { ...plan, policies: [], checked: [] } : document);
  yield html`<div id="content"></div>`;
  for (const section of before) yield rowSection(section, view);
  yield removedPart(plan);
  // The policies are the main result of a check, so they come before the list.
  if (plan.checkOf) yield policiesPart(plan);
  yield listPart(plan, entries);
  yield valuesPart(plan);
  if (plan.about) yield policiesPart(plan);
  const rules = { title: "Rules", rows: plan.rules, number: plan.rules.length, rank: 0 };
  for (const section of [rules, ...after]) yield rowSection(section, view);
  yield unmanagedPart(plan);
}

/** Prints the first changes or verdicts. The script replaces them with a searchable list of all entries. */
function listPart(document: Document, entries: readonly PageEntry[]): Markup {
  if (entries.length === 0) return html``;
  const [title, number] = document.checkOf
    ? ["Verdicts", entries.length]
    : ["Changes", changesIn(document).length];
  const left = entries.length - maxEntriesWithoutScript;
  const groups = groupBy(entries, (entry) => entry.class ?? "");
  const shown = entries.slice(0, maxEntriesWithoutScript).map((entry, index) => {
    const { class: group = "" } = entry;
    const isFirst = group !== "" && entries[index - 1]?.class !== group;
    const head = isFirst ? templates.groupHead(group, groups.get(group)?.length ?? 0) : "";
    return html`${head}${templates.entry(entry)}`;
  });
  return titled(
    title,
    number,
    document.isDrift ? html`<p>${prose(driftLegend())}</p>` : "",
    filtersPart(entries, title),
    html`<div id="list">${shown}</div>`,
    left > 0
      ? html`<p id="more">
          Only the first ${maxEntriesWithoutScript} are shown. Turn on JavaScript to see the other
          ${numberText(left)}.
        </p>`
      : "",
  );
}

function valuesPart(document: Document): Markup {
  const changes = changesIn(document).filter(isFacetChange);
  if (changes.length === 0) return html``;
  return titled("Values by field", undefined, countBars(changes, document));
}

function unmanagedPart({ about, unmanaged, unmanagedHead }: Document): Markup {
  if (unmanaged.length === 0) return html``;
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
    unmanaged.length,
    html`<ul class="rows">
      ${unmanagedCounts(unmanaged).map((line) => html`<li>${printable(line)}</li>`)}
    </ul>`,
    html`<details>
      <summary>Show values</summary>
      ${table({ label: "Unmanaged values", head: headings(["Entity", "Field", "Value", "Reason"]), rows })}
      ${leftText(unmanaged.length - rows.length, "p")}
    </details>`,
  );
}

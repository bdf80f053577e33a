/** Prints tables with bars, and counts the values that changes add, replace and remove. */

import type { FacetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import { countValues } from "../../plan/diff/summary.ts";
import { numberText, sum } from "../count.ts";
import type { Document } from "../document/document.ts";
import { html, type Markup } from "./markup.ts";
import { table } from "./section.ts";

const columnNames = {
  plan: ["Added", "Replaced", "Removed"],
  drift: ["Only in catalog", "Different", "Only declared"],
};

/** Prints a bar for each field, with the numbers of added, replaced and removed values. */
export function countBars(changes: readonly FacetChange[], { isDrift }: Document): Markup {
  const countsOf = (change: FacetChange): readonly number[] => {
    const { additions, replacements, removals } = countValues(change);
    // In drift, a value that exists only in the catalog counts as an addition.
    return isDrift ? [removals, replacements, additions] : [additions, replacements, removals];
  };
  const names = isDrift ? columnNames.drift : columnNames.plan;
  const fields = [...groupBy(changes, ({ facet }) => facet)].map(([field, those]) => {
    const all = those.map(countsOf);
    return { field, counts: names.map((_, index) => sum(all.map((each) => each[index] ?? 0))) };
  });
  const largest = fields.reduce((largestSum, { counts }) => Math.max(largestSum, sum(counts)), 1);
  const rows = fields
    .toSorted((a, b) => sum(b.counts) - sum(a.counts))
    .map(({ field, counts }) => ({
      name: field,
      bar: barOf(counts, largest),
      cells: counts.map((count) => (count === 0 ? "–" : numberText(count))),
    }));
  const columns = names.map(
    (name, index) => html`<th scope="col" class="swatch swatch-${index}">${name}</th>`,
  );
  return barTable({ caption: "Values by field", first: "Field", columns, rows });
}

interface BarRow {
  readonly name: unknown;
  readonly bar: Markup;
  readonly cells: readonly string[];
}

interface BarTable {
  readonly caption: string;
  /** The heading of the first column, which contains the names. */
  readonly first: string;
  /** The headings of the other columns. */
  readonly columns: readonly Markup[];
  readonly rows: readonly BarRow[];
}

/** Prints a table with a bar in each row. Returns empty markup if there are no rows. */
export function barTable({ caption, first, columns, rows }: BarTable): Markup {
  if (rows.length === 0) return html``;
  const shown = rows.map(
    ({ name, bar, cells }) =>
      html`<tr>
        <th scope="row"><bdi>${name}</bdi></th>
        <td class="bar">${bar}</td>
        ${cells.map((cell) => html`<td class="number">${cell}</td>`)}
      </tr>`,
  );
  const head = html`<th scope="col">${first}</th>
    <td></td>
    ${columns}`;
  return table({ label: caption, caption, head, rows: shown, kind: "bars" });
}

/** Prints a bar with several segments. Segments that add up to `largest` fill the full width. */
export function barOf(counts: readonly number[], largest: number): Markup {
  const widths = counts.map((count) => (count / largest) * 100);
  const parts = widths.map((width, index) => {
    const from = sum(widths.slice(0, index));
    return width === 0
      ? ""
      : html`<rect class="part-${index}" x="${from.toFixed(2)}" width="${width.toFixed(2)}" height="8" />`;
  });
  return html`<svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">
    ${parts}
  </svg>`;
}

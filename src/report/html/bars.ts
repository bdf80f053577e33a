import type { FacetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import { countValues } from "../../plan/diff/summary.ts";
import { numberText } from "../count.ts";
import type { Document } from "../document/document.ts";
import { html, type Markup } from "./markup.ts";

const ways = ["Added", "Replaced", "Removed"];

/** How many values of each field are added, replaced and removed, as a table with a bar in each row. */
export function countBars(changes: readonly FacetChange[], { isDrift }: Document): Markup {
  const countsOf = (change: FacetChange): readonly number[] => {
    const { additions, replacements, removals } = countValues(change);
    // What the catalog has and the manifests do not is an addition there.
    return isDrift ? [removals, replacements, additions] : [additions, replacements, removals];
  };
  const fields = [...groupBy(changes, ({ facet }) => facet)].map(([field, those]) => {
    const all = those.map(countsOf);
    return { field, counts: ways.map((_, index) => sum(all.map((each) => each[index] ?? 0))) };
  });
  const largest = fields.reduce((most, { counts }) => Math.max(most, sum(counts)), 1);
  const rows = fields
    .toSorted((a, b) => sum(b.counts) - sum(a.counts))
    .map(
      ({ field, counts }) =>
        html`<tr>
          <th scope="row">${field}</th>
          <td class="bar">${barOf(counts, largest)}</td>
          ${counts.map((count) => html`<td class="number">${count === 0 ? "–" : numberText(count)}</td>`)}
        </tr>`,
    );
  if (rows.length === 0) return html``;
  return html`<div class="scroll" role="region" aria-label="Values by field" tabindex="0">
    <table class="bars">
      <caption>
        Values by field
      </caption>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <td></td>
          ${ways.map((name, index) => html`<th scope="col" class="swatch swatch-${index}">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

/** A bar of several parts; the longest one takes all the width. */
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

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** Prints a page section: a heading with a count, and a list. */

import type { Origin } from "../../model/origin.ts";
import { numberText } from "../count.ts";
import type { View } from "../document/document.ts";
import { positionText } from "../document/values.ts";
import type { Row, Section } from "../page.ts";
import { printable } from "../printable.ts";
import { html, type Markup } from "./markup.ts";
import { prose } from "./prose.ts";

/** The maximum number of rows in a section. All other rows are counted, but not listed. */
export const maxRows = 200;

function rowItem(row: Row, { fileOf }: View): Markup {
  const { text, severity, sign, code, origin, isOfFile, related, source, lines = [], waiver = [] } = row;
  if (sign) return html`<li><code>${sign} ${text}</code></li>`;
  const line = source?.();
  return html`<li${severity === undefined ? "" : html` class="${severity}"`}>
    ${code === undefined ? "" : html`<span class="badge">${printable(code)}</span> `}${prose(text)}${
      related ? html` (see also <code>${positionText(related)}</code>)` : ""
    }
    ${origin === undefined ? "" : placeOf(origin, isOfFile, fileOf?.(origin))}
    ${line === undefined ? "" : html`<pre><code>${printable(line).slice(0, 300)}</code></pre>`}
    ${[lines, waiver].map((below) => (below.length === 0 ? "" : html`<pre>${below.join("\n")}</pre>`))}
  </li>`;
}

/** Prints a location in a manifest, as a link if there is a page for the location. */
function placeOf(origin: Origin, isOfFile = false, page?: string): Markup {
  const shown = html`<bdi>${isOfFile ? printable(origin.file) : positionText(origin)}</bdi>`;
  return html`<p class="source">${page === undefined ? shown : html`<a href="${page}">${shown}</a>`}</p>`;
}

/** Prints a list below a heading with a count. Returns empty markup if there are no rows. */
export function rowSection({ title, rows, number, lead = "" }: Section, view: View): Markup {
  if (rows.length === 0) return html``;
  const items = html`<ul class="rows">
    ${rows.slice(0, maxRows).map((row) => rowItem(row, view))}${leftText(rows.length - maxRows, "li")}
  </ul>`;
  return titled(title, number, lead === "" ? "" : html`<p>${prose(lead)}</p>`, items);
}

/** Prints a section with a heading, which includes a count if there is one. */
export function titled(
  title: string,
  number: number | string | undefined,
  ...content: readonly unknown[]
): Markup {
  const text = typeof number === "number" ? numberText(number) : number;
  return html`<section>
    <h2>${title}${text === undefined ? "" : html` <span class="count">${text}</span>`}</h2>
    ${content}
  </section>`;
}

/** States how many rows are omitted. Returns empty markup if no rows are omitted. */
export function leftText(left: number, element: "li" | "p", where = ""): Markup {
  const text = html`… and ${numberText(left)} more${where}`;
  if (left <= 0) return html``;
  return element === "li" ? html`<li>${text}</li>` : html`<p>${text}</p>`;
}

interface Table {
  readonly label: string;
  readonly head: unknown;
  readonly rows: readonly Markup[];
  readonly kind?: "bars" | "shares";
  readonly caption?: string;
}

/** Prints a table that scrolls if it is too wide. */
export function table({ label, head, rows, kind, caption }: Table): Markup {
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">
    <table${kind === undefined ? "" : html` class="${kind}"`}>
      ${
        caption === undefined
          ? ""
          : html`<caption>
              ${caption}
            </caption>`
      }
      <thead>
        <tr>
          ${head}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

/** Prints the heading cells of a table. */
export function headings(names: readonly string[]): readonly Markup[] {
  return names.map((name) => html`<th scope="col">${name}</th>`);
}

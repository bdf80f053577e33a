/** Prints a section of a page: a heading with a number, and a list. */

import type { Origin } from "../../model/origin.ts";
import { numberText } from "../count.ts";
import { positionText } from "../document/values.ts";
import { html, type Markup } from "./markup.ts";
import { prose } from "./prose.ts";

/** The maximum of rows in a section. More are counted. */
export const maxRows = 200;

/** A place in a manifest, as a link if it has a page. */
export function placeOf(origin: Origin, page: string | undefined, shown = positionText(origin)): Markup {
  return html`<p class="source">
    ${page === undefined ? html`<bdi>${shown}</bdi>` : html`<a href="${page}"><bdi>${shown}</bdi></a>`}
  </p>`;
}

interface ListView {
  /** The number in the heading, if it is not the number of rows. */
  readonly number?: number;
  /** A sentence before the rows. */
  readonly lead?: string;
}

/** A list below a heading with its number. Empty without rows. */
export function section<Row>(
  title: string,
  rows: readonly Row[],
  itemOf: (row: Row) => Markup,
  { number = rows.length, lead = "" }: ListView = {},
): Markup {
  if (rows.length === 0) return html``;
  const left = rows.length - maxRows;
  return html`<section>
    <h2>${title} <span class="count">${numberText(number)}</span></h2>
    ${lead === "" ? "" : html`<p>${prose(lead)}</p>`}
    <ul class="rows">
      ${rows.slice(0, maxRows).map(itemOf)}${left > 0 ? html`<li>… and ${numberText(left)} more</li>` : ""}
    </ul>
  </section>`;
}

import type { Origin } from "../../model/origin.ts";
import { numberText } from "../count.ts";
import { positionText } from "../document/values.ts";
import { html, type Markup } from "./markup.ts";
import { prose } from "./prose.ts";

/** More rows of a list beside that of changes are counted. */
export const maxRows = 200;

/** A place in a manifest, as a link where it has a page. */
export function placeOf(origin: Origin, page: string | undefined, shown = positionText(origin)): Markup {
  return html`<p class="source">
    ${page === undefined ? html`<bdi>${shown}</bdi>` : html`<a href="${page}"><bdi>${shown}</bdi></a>`}
  </p>`;
}

interface ListView {
  /** What the heading counts, where that is not the rows. */
  readonly number?: number;
  /** A sentence before the rows. */
  readonly lead?: string;
}

/** A list below a heading with its number; nothing without rows. */
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

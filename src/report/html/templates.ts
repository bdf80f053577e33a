/** Defines the entry templates for both the printer and the script in the browser. */

import { numberText } from "../count.ts";
import { type Line, type Note, noteText, type Sign } from "../page.ts";
import { labelOf, type PageEdit, type PageEntry, type Sharer } from "./page-entry.ts";

/**
 * A template tag that escapes values: `html` from `markup.ts`, or from lit-html in a browser. Templates must therefore use values
 * only in text or in quoted attributes.
 */
export type Html<Markup> = (strings: TemplateStringsArray, ...values: readonly unknown[]) => Markup;

/** The templates for a list of entries. */
export interface Templates<Markup> {
  readonly entry: (entry: PageEntry) => Markup;
  readonly groupHead: (title: string, entries: number) => Markup;
}

const words: Readonly<Record<Sign, string>> = { "+": "adds", "-": "removes", "~": "replaces" };

/** The maximum length of a value in characters. Longer values are collapsed. */
const maxValueLength = 400;

/** The number of entries that a page shows without its script. */
export const maxEntriesWithoutScript = 200;

/**
 * Creates the templates for a template tag. They show at most `maxSharers` of the entities that share a value, and count the
 * remaining entities.
 */
export function createTemplates<Markup>(html: Html<Markup>, maxSharers: number): Templates<Markup> {
  const valueOf = (text: string): Markup =>
    text.length <= maxValueLength
      ? html`<bdi>${text}</bdi>`
      : html`<details class="long">
          <summary>
            <bdi>${text.slice(0, 120)}</bdi>… <small>${numberText(text.length)} characters</small>
          </summary>
          <bdi>${text}</bdi>
        </details>`;

  const named = (name: string, page: string | undefined): Markup =>
    page === undefined ? html`<bdi>${name}</bdi>` : html`<a href="${page}"><bdi>${name}</bdi></a>`;

  const note = (each: Note): Markup =>
    each.about === "origin"
      ? html` <span class="foreign"><bdi>${each.text}</bdi></span>`
      : html` <small><bdi>${noteText(each)}</bdi></small>`;

  const line = ({ sign, text, before, notes }: Line): Markup =>
    html`<li class="${words[sign]}">
      <span class="sign" role="img" aria-label="${words[sign]}">${sign}</span
      ><span
        >${
          before === undefined
            ? ""
            : html`<del>${valueOf(before)}</del> <span class="to" aria-hidden="true">→</span> `
        }${sign === "-" ? html`<del>${valueOf(text)}</del>` : html`<ins>${valueOf(text)}</ins>`}${notes.map(note)}</span
      >
    </li>`;

  const sourceOf = ({ source, file }: PageEdit): Markup | "" =>
    source === "" ? "" : html`<span class="source">${named(source, file)}</span>`;

  const edit = (each: PageEdit): Markup =>
    html`<div class="edit">
      <div class="edit-head">
        <span class="place"
          ><bdi>${each.place}</bdi>${
            each.isConflict === true ? html` <span class="badge conflict">conflict</span>` : ""
          }</span
        >
        ${sourceOf(each)}
      </div>
      ${
        each.lines.length === 0
          ? ""
          : html`<ul class="lines">
              ${each.lines.map(line)}
            </ul>`
      }${each.notes.map((text) => html`<p class="note"><bdi>${text}</bdi></p>`)}
    </div>`;

  const sharers = (all: readonly Sharer[]): Markup =>
    html`<ul class="sharers">
      ${all
        .slice(0, maxSharers)
        .map(({ name, urn, page }) => html`<li title="${urn}">${named(name, page)}</li>`)}${
        all.length > maxSharers
          ? html`<li class="left">and ${numberText(all.length - maxSharers)} more</li>`
          : ""
      }
    </ul>`;

  const entry = (each: PageEntry): Markup => {
    const { action, kind, title, urn, page, edits, sharers: those } = each;
    return html`<article class="entry ${action}">
      <h3>
        <span class="badge ${action}">${labelOf(each)}</span>
        ${those === undefined ? html`<span class="kind">${kind}</span> ` : ""}${named(title, page)}
      </h3>
      ${urn === undefined || urn === title ? "" : html`<p class="urn"><bdi>${urn}</bdi></p>`}${
        those === undefined
          ? ""
          : html`<details class="shared">
              <summary><bdi>${namesOf(those)}</bdi></summary>
              ${sharers(those)}
            </details>`
      }${edits.map(edit)}
    </article>`;
  };

  const groupHead = (title: string, entries: number): Markup =>
    html`<h3 class="group"><bdi>${title}</bdi> <small>${numberText(entries)}</small></h3>`;

  return { entry, groupHead };
}

function namesOf(sharers: readonly Sharer[]): string {
  const names = sharers.slice(0, 3).map(({ name }) => name.slice(0, 80));
  const left = sharers.length - names.length;
  return names.join(", ") + (left > 0 ? ` and ${numberText(left)} more` : "");
}

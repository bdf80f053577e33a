/** Prints a result as a single HTML page that works without a server. */

import type { Document, Result, View } from "../document/document.ts";
import { documentOf } from "../document/document-of.ts";
import { chunked } from "../chunks.ts";
import { printable } from "../printable.ts";
import { script } from "./assets.ts";
import { pageEntries } from "./entries.ts";
import { html, type Markup } from "./markup.ts";
import { packedParts } from "./pack.ts";
import { end, headOf } from "./shell.ts";
import { prose } from "./prose.ts";
import { headerPart, titleOf } from "./header.ts";
import { pageSections } from "./sections.ts";
import { verdictEntries } from "./verdicts.ts";

/**
 * Prints a result as a page. Without JavaScript, the page shows only the first entries. Its script shows all entries and makes
 * them searchable.
 */
export function printHtml(result: Result, view: View): Iterable<string> {
  return chunked(pageParts(documentOf(result, view), view));
}

function* pageParts(document: Document, view: View): Iterable<string> {
  const plan = document.plan ?? document;
  const entries = document.checkOf ? verdictEntries(document.checkOf, view) : pageEntries(plan, view);
  const title = printable(titleOf(document));
  yield headOf(`${title}: ${document.verdict}`);
  yield `${headerPart(document, title).text}\n<main>\n`;
  for (const section of pageSections(document, entries, view)) yield `${section.text}\n`;
  yield `</main>\n${footerPart(document).text}\n`;
  for (const packed of packedParts(entries))
    yield `<script type="application/octet-stream">${packed}</script>\n`;
  yield `<script>${script}</script>\n`;
  yield end;
}

function footerPart({ about, complete }: Document): Markup {
  if (!about && complete === "") return html``;
  return html`<footer>
    ${about ? html`<p>Digest <code>${about.digest}</code></p>` : ""}
    <p>${prose(complete)}</p>
  </footer>`;
}

/** Prints the section about deleted entities and removed values. */

import { type FacetChange, isFacetChange } from "../../model/change.ts";
import { changesIn, type Document } from "../document/document.ts";
import { type Edit, editPlace, entriesOf, sharersText } from "../document/entries.ts";
import { deletionNote, linesOf, originText } from "../document/lines.ts";
import { plainNameOf, sourceText } from "../document/values.ts";
import { deletionsIn, lossesOf } from "../document/losses.ts";
import { printable } from "../printable.ts";
import { html, type Markup } from "./markup.ts";
import { prose } from "./prose.ts";
import { headings, leftText, table, titled } from "./section.ts";

/**
 * The maximum number of rows to print. All other rows are counted, but not listed, because the list of changes contains all of
 * them.
 */
const maxRows = 50;

/** Prints deletions, and values that are removed without replacement, with their writers. Returns empty markup for drift. */
export function removedPart(document: Document): Markup {
  if (document.isDrift) return html``;
  const changes = changesIn(document);
  const deletions = deletionsIn(changes);
  const losses = changes.flatMap(lossesOf);
  const rows = [...entriesOf(deletions), ...entriesOf(losses)].flatMap(({ edits }) => edits);
  if (rows.length === 0) return html``;
  const shown = rows.slice(0, maxRows).flatMap((edit) => rowsOf(edit, document));
  const title = "Deleted or removed";
  return titled(
    title,
    deletions.length + losses.length,
    document.removals === "" ? "" : html`<p>${prose(document.removals)}</p>`,
    table({ label: title, head: headings(["What", "Where", "Origin"]), rows: shown }),
    leftText(rows.length - maxRows, "p", " in the list of changes"),
  );
}

function rowsOf({ change, of, columns }: Edit, { about }: Document): readonly Markup[] {
  const names = about?.names;
  const entity = printable(plainNameOf(change.urn, names));
  if (!isFacetChange(change)) {
    const place = sourceText(change);
    const origin = place === "" ? "unknown" : `was in Git: ${place}`;
    return [rowOf(`${change.kind} ${entity} is deleted`, deletionNote(change, { names }), origin)];
  }
  const where = of.length > 1 ? sharersText(of, names) : entity;
  return linesOf(change, { names }).map(({ text, notes }) => {
    const writer = notes.flatMap((note) => (note.about === "writer" ? [note.text] : []));
    const place = editPlace(change, columns);
    return rowOf(`${place}: ${text}`, where, [...declaredText(change), ...writer].join("; ") || "unknown");
  });
}

function declaredText({ removed: [removed] = [] }: FacetChange): readonly string[] {
  if (!removed || removed.declaredBefore === null) return [];
  return [originText(removed) || "declared before"];
}

function rowOf(...cells: readonly string[]): Markup {
  return html`<tr>
    ${cells.map((cell) => html`<td><bdi>${cell.slice(0, 400)}</bdi></td>`)}
  </tr>`;
}

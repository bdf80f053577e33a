/** Prints a section's rows as Markdown: changes with a sign as a diff, and all other rows as a list. */

import type { Origin } from "../../model/origin.ts";
import { positionText } from "../document/values.ts";
import { numberText } from "../count.ts";
import type { Row, Section } from "../page.ts";
import { codeSpan, linked, lineText, maxSentenceLength, prose } from "./escape.ts";
import type { PrintedSection } from "./sections.ts";

/** Returns the URL of the page for a location in a manifest, if there is one. */
export type LinkOf = (origin: Origin) => string | undefined;

/** Prints a section: changed settings as a diff, other rows as a list. */
export function rowSection(
  { title, number, lead = "", rows, rank }: Section,
  linkOf?: LinkOf,
): PrintedSection {
  return {
    rank,
    title: number === undefined ? title : `${title}: ${numberText(number)}`,
    lead: prose(lead),
    form: rows.some(({ sign }) => sign) ? "diff" : "list",
    rows: rows.map((row) => ({ text: textOf(row, linkOf), of: row.of ?? 1 })),
  };
}

function textOf(row: Row, linkOf?: LinkOf): string {
  const { text, sign, lines = [], waiver = [] } = row;
  if (sign) return `${sign === "~" ? "!" : sign} ${lineText(text, maxSentenceLength)}`;
  const list = [`- ${headText(row, linkOf)}`, ...lines.map((line) => `  - ${paragraph(line)}`)].join("\n");
  if (waiver.length === 0) return list;
  const block = ["```yaml", ...waiver, "```"].map((line) => `  ${line}`).join("\n");
  return `${list}; to waive the violation, declare:\n\n${block}\n`;
}

/**
 * Converts a sentence to Markdown. A zero-width space prevents it from being interpreted as a list item. An empty sentence also
 * gets a zero-width space, because an empty list item would turn the line above into a heading.
 */
function paragraph(text: string): string {
  return prose(text.trim()).replace(/^(?=[-+]|\d+[.)]|$)/, "&#8203;");
}

function headText(row: Row, linkOf?: LinkOf): string {
  const { text, severity, isLabeled, code, origin, isOfFile, related } = row;
  const place = origin
    ? linked(codeSpan(isOfFile ? origin.file : positionText(origin)), linkOf?.(origin))
    : "";
  if (code === undefined)
    return `${isLabeled ? `${severity}: ` : ""}${prose(text)}${place === "" ? "" : ` (${place})`}`;
  const other = related ? ` (see also ${codeSpan(positionText(related))})` : "";
  return `${place === "" ? "" : `${place} `}${codeSpan(code)}: ${prose(text)}${other}`;
}

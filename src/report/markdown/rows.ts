/** Prints rows of a page as Markdown. */

import type { Origin } from "../../model/origin.ts";
import { positionText } from "../document/values.ts";
import type { Row } from "../page.ts";
import { codeSpan, linked, lineText, maxSentenceLength, prose } from "./escape.ts";
import type { PrintedRow } from "./sections.ts";

/** Finds the page of a place in a manifest, if it has one. */
export type LinkOf = (origin: Origin) => string | undefined;

/** A row of a list, with what is below it. Explanations with a waiver do not count. */
export function listRow(row: Row, linkOf?: LinkOf): PrintedRow {
  const { lines = [], waiver } = row;
  const text = [`- ${headText(row, linkOf)}`, ...lines.map((line) => `  - ${prose(line)}`)].join("\n");
  if (!waiver) return { text, of: 1 };
  const block = ["```yaml", ...waiver, "```"].map((line) => `  ${line}`).join("\n");
  return { text: waiver.length === 0 ? text : `${text}; to waive it, declare:\n\n${block}\n`, of: 0 };
}

function headText(row: Row, linkOf?: LinkOf): string {
  const { text, severity, isLabeled, code, origin, isOfFile, related } = row;
  const shown = origin && codeSpan(isOfFile ? origin.file : positionText(origin));
  const place = shown === undefined ? "" : linked(shown, linkOf?.(origin as Origin));
  if (code === undefined)
    return `${isLabeled ? `${severity}: ` : ""}${prose(text)}${place === "" ? "" : ` (${place})`}`;
  const other = related ? ` (see also ${codeSpan(positionText(related))})` : "";
  return `${place === "" ? "" : `${place} `}${codeSpan(code)}: ${prose(text)}${other}`;
}

/** A changed setting as a row of a diff. */
export function settingRow({ sign = "~", text }: Row): PrintedRow {
  return { text: `${sign === "~" ? "!" : sign} ${lineText(text, maxSentenceLength)}`, of: 1 };
}

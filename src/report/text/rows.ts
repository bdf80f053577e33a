/** Prints a section's rows as text. */

import { positionText } from "../document/values.ts";
import type { Row } from "../page.ts";
import { type Paint, signStyles } from "./paint.ts";

/** Prints a row as lines of text: its sign or severity, text and location, and details below. */
export function rowText(row: Row, paint: Paint): string {
  const { lines = [], waiver = [] } = row;
  const help =
    waiver.length === 0 ? [] : ["to waive the violation, declare:", ...waiver.map((line) => `  ${line}`)];
  return [headText(row, paint), ...[...lines, ...help].map((line) => `    ${line}`), ""].join("\n");
}

function headText({ text, sign, severity, isLabeled, origin }: Row, paint: Paint): string {
  if (sign) return `  ${paint(signStyles[sign], sign)} ${text}`;
  const place = origin ? positionText(origin) : "";
  if (isLabeled && severity)
    return `${paint(severity, severity)}: ${text}${place === "" ? "" : ` (${place})`}`;
  const painted = severity ? text.replace(/^[A-Za-z]+:/, (word) => paint(severity, word)) : text;
  return `${painted}${place === "" ? "" : `  ${paint("dim", place)}`}`;
}

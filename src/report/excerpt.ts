import type { Origin } from "../model/origin.ts";
import { displayWidth } from "./display-width.ts";
import type { Paint } from "./paint.ts";
import { printable } from "./printable.ts";

/** A source line with a caret below its column. A line longer than the width is cut around the caret. */
export function excerptLines(source: string, origin: Origin, width: number, paint: Paint): readonly string[] {
  const gutter = `${origin.line} | `;
  const room = Math.max(width - gutter.length - 2, 20);
  const { text, caret } = cutAround(source, origin.column - 1, room);
  const margin = " ".repeat(gutter.length - 2);
  return [`  ${paint("dim", gutter)}${text}`, `  ${paint("dim", `${margin}| `)}${" ".repeat(caret)}^`];
}

function cutAround(
  source: string,
  column: number,
  room: number,
): { readonly text: string; readonly caret: number } {
  const at = Math.min(Math.max(column, 0), source.length);
  if (displayWidth(source.slice(0, room * 4)) <= room && source.length <= room * 4) {
    return { text: printable(source), caret: displayWidth(source.slice(0, at)) };
  }
  const from = wholeCharacter(source, Math.max(0, at - Math.floor(room / 2)));
  const lead = from > 0 ? "…" : "";
  let text = lead;
  let used = displayWidth(lead);
  let end = from;
  for (const character of source.slice(from, from + room * 2)) {
    const next = used + displayWidth(character);
    if (next > room - 1) break;
    text += character;
    used = next;
    end += character.length;
  }
  const caret = displayWidth(lead + source.slice(from, Math.min(at, end)));
  return { text: printable(text) + (end < source.length ? "…" : ""), caret };
}

function wholeCharacter(source: string, at: number): number {
  const code = source.charCodeAt(at);
  return at > 0 && code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

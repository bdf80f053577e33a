/** Prints changes as text for terminals. */

import { type ChangeObject, diffWordsWithSpace } from "diff";
import { facetNamed } from "../../facets/index.ts";
import {
  type Change,
  type FacetChange,
  isFacetChange,
  isSetChange,
  type Source,
} from "../../model/change.ts";
import { type Edit, type Entry, sharersText, editPlace } from "../document/entries.ts";
import { type ChangePerspective, conflictOf, deletionTexts, linesOf } from "../document/lines.ts";
import { sourcePosition, sourceText, urnWithName } from "../document/values.ts";
import { type Line, type Note, noteText } from "../page.ts";
import { printable } from "../printable.ts";
import { type Paint, signStyles } from "./paint.ts";

/** The options for printing changes as text. */
export interface TextStyle extends ChangePerspective {
  readonly paint: Paint;
}

const signs = { create: "+", update: "~", delete: "-" } as const;
const driftSigns = { create: "-", update: "~", delete: "+" } as const;

/**
 * Prints an entry as text: the entity, or the entities that share values, followed by each facet. The text ends with a line
 * break.
 */
export function entryText({ edits, isShared }: Entry, style: TextStyle): string {
  const [first] = edits;
  if (!first) return "";
  const place = isShared ? undefined : placeOf(edits);
  const head = isShared ? sharedHead(first, style) : entityHead(first, place, style);
  return `${head}\n${edits.map((edit) => editText(edit, place, style)).join("")}`;
}

/**
 * Returns the location to print after an entity's name: the location of its deletion, or of the first declaration of a new
 * entity.
 */
function placeOf(edits: readonly Edit[]): Source | undefined {
  const changes = edits.map(({ change }) => change);
  if (changes[0]?.action === "delete") return changes[0].source;
  const sources = changes.flatMap(({ action, source, rules = [] }) =>
    action === "create" && source && rules.length === 0 ? [source] : [],
  );
  const ofFile = sources.filter(({ file }) => file === sources[0]?.file);
  return ofFile.toSorted((a, b) => a.line - b.line || a.column - b.column)[0];
}

/**
 * Whether to show a change without its location. This is the case if it is declared in the file that is shown above, and not by a
 * rule.
 */
function isAt({ source, rules = [] }: Change, place: Source | undefined): boolean {
  return place !== undefined && source?.file === place.file && rules.length === 0;
}

function sharedHead({ of }: Edit, { paint, names }: TextStyle): string {
  return `${paint("change", "~")} ${sharersText(of, names)}  ${paint("dim", "(--all lists them)")}`;
}

function entityHead(
  { change: { action, kind, urn } }: Edit,
  place: Source | undefined,
  { paint, names, isDrift }: TextStyle,
): string {
  const sign = (isDrift ? driftSigns : signs)[action];
  const at = place ? `  ${paint("dim", sourcePosition(place))}` : "";
  return `${paint(signStyles[sign], sign)} ${paint("bold", kind)} ${printable(urnWithName(urn, names))}${at}`;
}

function editText(edit: Edit, place: Source | undefined, style: TextStyle): string {
  const { change } = edit;
  if (!isFacetChange(change)) {
    if (style.isDrift) return "";
    const { effect, on, aftermath } = deletionTexts(change, style);
    const lines = [effect, on && `  ${on}`, aftermath].filter((line) => line !== "");
    return lines.map((line) => `    ${line}\n`).join("");
  }
  const field = editPlace(change, edit.columns);
  const origin = isAt(change, place) ? "" : sourceText(change, edit.isOneLine);
  const source = origin === "" ? "" : `  ${style.paint("dim", origin)}`;
  const lines = linesOf(change, style);
  if (isSetChange(change)) {
    const values = lines.map((line) => `      ${memberText(line, style.paint)}\n`);
    return `    ${field}${source}\n${values.join("")}`;
  }
  const conflict = conflictText(change, style);
  return (
    lines
      .map((line) => {
        const [value, ...more] = valueLines(line, change.facet, field, style.paint);
        const note = conflict === "" ? notesText(line, style.paint) : "";
        return `    ${value}${source}${note}\n${more.map((each) => `      ${each}\n`).join("")}`;
      })
      .join("") + conflict
  );
}

function memberText(line: Line, paint: Paint): string {
  return paint(signStyles[line.sign], `${line.sign} ${line.text}`) + notesText(line, paint);
}

const noteStyles: Readonly<Record<Note["about"], Parameters<Paint>[0] | undefined>> = {
  unchanged: "dim",
  origin: "warning",
  writer: "dim",
  fallback: undefined,
  held: "warning",
};

function notesText({ notes }: Line, paint: Paint): string {
  return notes
    .map((note) => {
      const style = noteStyles[note.about];
      return `  ${style === undefined ? noteText(note) : paint(style, noteText(note))}`;
    })
    .join("");
}

/**
 * The maximum number of added or removed words to show within a value. If there are more, both values are shown in full. The
 * limit exists because comparing long values takes quadratic time.
 */
const maxEdits = 200;

/** Prints a single value on one line, or on three lines if it is a long text with many differences. */
function valueLines(
  { sign, text, before }: Line,
  facet: string,
  place: string,
  paint: Paint,
): readonly string[] {
  if (before === undefined) return [paint(signStyles[sign], `${sign} ${place}: ${text}`)];
  const isReference = facetNamed(facet).refersTo.length > 0;
  const words = isReference ? [] : diffWordsWithSpace(before, text, { maxEditLength: maxEdits });
  const head = `${paint("change", sign)} ${place}:`;
  if (!words) return [head, paint("remove", `- ${before}`), paint("add", `+ ${text}`)];
  if (words.some(isKept)) return [`${head} ${wordsText(words, paint)}`];
  return [`${head} ${paint("remove", before)} → ${paint("add", text)}`];
}

/** Whether a piece of text is unchanged and contains letters or digits. */
function isKept({ value, added, removed }: ChangeObject<string>): boolean {
  return !added && !removed && /[\p{L}\p{N}]/u.test(value);
}

function wordsText(words: readonly ChangeObject<string>[], paint: Paint): string {
  const parts = words.map(({ value, added, removed }) => {
    if (added) return paint("add", `{+${value}+}`);
    return removed ? paint("remove", `[-${value}-]`) : value;
  });
  return parts.join("");
}

function conflictText(change: FacetChange, { paint, names }: TextStyle): string {
  const conflict = conflictOf(change, names);
  if (!conflict) return "";
  const lines = [
    `${paint("warning", "conflict")}: ${conflict.ending}`,
    ...conflict.sides.map(({ name, text, writer }) => {
      return `  ${name.padEnd(10)}${text}${writer === "" ? "" : `  ${paint("dim", `(${writer})`)}`}`;
    }),
  ];
  return lines.map((line) => `      ${line}\n`).join("");
}

/** Prints changes, deletions, losses, conflicts and unmanaged values as diff rows in Markdown. */

import { type Change, type FacetChange, isFacetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Names, Unmanaged } from "../../model/plan.ts";
import { pathKey } from "../../model/place.ts";
import { isInConflict } from "../../model/conflicts.ts";
import { type Edit, entriesOf, sharersText } from "../document/entries.ts";
import type { Document } from "../document/document.ts";
import {
  conflictOf,
  deletionNote,
  linesOf,
  originText,
  type ChangePerspective,
  unmanagedReason,
} from "../document/lines.ts";
import { placeIn, sourcePosition, sourceText, urnWithName, valueText } from "../document/values.ts";
import { type Line, type Note, noteText } from "../page.ts";
import { lineText, lineTexts } from "./escape.ts";
import { pagesLine } from "./page-links.ts";
import type { PrintedRow, PrintedSection } from "./sections.ts";

/** Options for printing rows. */
interface RowOptions extends ChangePerspective {
  /** Omits values that are removed without replacement. */
  readonly only?: "gains";
  /** Whether to count lines instead of changes. */
  readonly countsLines?: true;
}

/** Prints changes as a section. */
export function changesPart(title: string, changes: readonly Change[], options: RowOptions): PrintedSection {
  return { rank: 4, title, form: "diff", rows: changeRows(changes, options), noun: "change" };
}

/** Prints the values that changes add and replace, in a collapsed section. */
export function gainsPart(
  title: string,
  changes: readonly Change[],
  { about }: Document,
  all?: boolean,
): PrintedSection {
  const part = changesPart(title, changes, { names: about?.names, all, only: "gains" });
  return { ...part, rank: 5, pages: pagesLine(changes, about) };
}

/**
 * Prints changes grouped by entity, and shared values once. A change that spans several lines, or appears more than once, is
 * counted only on the last line of its first appearance.
 */
function changeRows(changes: readonly Change[], options: RowOptions): readonly PrintedRow[] {
  const counted = new Set<string>();
  const isFresh = ({ urn, facet, path }: Change): boolean => {
    const place = `${urn} ${facet} ${pathKey(path)}`;
    return options.countsLines ?? (!counted.has(place) && counted.add(place).has(place));
  };
  const rowsOf = ({ change, of }: Edit, notes: string): readonly PrintedRow[] => {
    const texts = textsOf(change, options);
    return texts.map((text, index) => {
      const isLast = index === texts.length - 1;
      return { text: text + notes, of: isLast ? of.filter(isFresh).length : 0 };
    });
  };
  return entriesOf(changes, options.all).flatMap(({ edits, isShared }) => {
    if (isShared) {
      const head = `@@ ${lineText(sharersText(edits[0]?.of ?? [], options.names))} @@`;
      const rows = edits.flatMap((edit) => rowsOf(edit, notesOf(edit)));
      return underHead(head, rows);
    }
    return byCause(edits).flatMap((group) => {
      const rows = group.flatMap((edit) => rowsOf(edit, ""));
      return underHead(
        headOf((group.find(({ change }) => change.source) ?? group[0])?.change, options),
        rows,
      );
    });
  });
}

function notesOf({ change, columns, isOneLine }: Edit): string {
  const notes = [columns, sourceText(change, isOneLine)].filter((note) => note !== "");
  return notes.map((note) => `  ${lineText(note)}`).join("");
}

/**
 * Groups an entity's changes by file and rules, which are shown in a heading. Changes without a location are grouped with the
 * first change that has a location.
 */
function byCause(edits: readonly Edit[]): readonly (readonly Edit[])[] {
  const first = edits.find(({ change }) => change.source);
  const causeOf = ({ change }: Edit): string => {
    const { source, rules } = change.source || !first ? change : first.change;
    return JSON.stringify([source?.file, source?.base, rules]);
  };
  return [...groupBy(edits, causeOf).values()];
}

/** Writes the heading for an entity's changes with the same cause, given the first of these changes. */
function headOf(first: Change | undefined, { only, names }: RowOptions): string {
  if (!first) return "";
  const { action, kind, urn } = first;
  // The row for a deletion already contains its location, which is in the base.
  const source = action === "delete" ? "" : sourceText(first);
  const place = source === "" ? "" : ` ${lineText(source)}`;
  return `@@ ${only === "gains" ? action : kind} ${lineText(urnWithName(urn, names))} @@${place}`;
}

/** Adds a heading above rows. The heading is part of the first row, so it never appears alone. */
function underHead(head: string, rows: readonly PrintedRow[]): readonly PrintedRow[] {
  return rows.map((row, index) => (index === 0 ? { ...row, text: `${head}\n${row.text}` } : row));
}

function textsOf(change: Change, options: RowOptions): readonly string[] {
  if (!isFacetChange(change)) return entityTexts(change, options);
  const lines = linesOf(change, options);
  const shown = options.only === "gains" ? lines.filter((line) => isGain(line, change)) : lines;
  const removedFirst = shown.toSorted((a, b) => Number(b.sign === "-") - Number(a.sign === "-"));
  return removedFirst.flatMap((line) => lineTextsOf(line, change, options));
}

/** Whether a line shows anything other than a loss. Losses have their own rows. Values that are held back are not lost. */
function isGain({ sign, notes }: Line, change: FacetChange): boolean {
  return sign !== "-" || notes.some(isOfHold) || isInConflict(change);
}

function isOfHold({ about }: Note): boolean {
  return about === "held";
}

function entityTexts(change: Change, { only, isDrift = false }: RowOptions): readonly string[] {
  const isDeletion = change.action === "delete";
  if (only === "gains") return isDeletion ? [] : ["+ created"];
  if (!isDeletion) return [isDrift ? "- not in the catalog" : "+ to create"];
  return [lineText((isDrift ? "+ no longer declared" : "- to delete") + deletionPlace(change))];
}

function lineTextsOf(line: Line, change: FacetChange, { isDrift = false }: RowOptions): readonly string[] {
  const { sign, text, before, notes } = line;
  const place = lineText(placeIn(change));
  const known = notes.filter((note) => !isOfHold(note)).map((each) => `  ${noteText(each)}`);
  const held = notes.filter(isOfHold).map((each) => lineText(`  (${each.text})`));
  const note =
    lineText(known.join("")) + (held.length === 0 && isInConflict(change) ? "  (conflict)" : held.join(""));
  const row = (mark: "+" | "-", value: string): string =>
    `${mark} ${place}: ${value}${(mark === "+") === isDrift ? note : ""}`;
  if (sign !== "~") return [row(sign, lineText(text))];
  const [old, now] = lineTexts(before ?? "", text);
  return [row("-", old), row("+", now)];
}

/** Prints deleted entities, and the assignments that are removed with them. */
export function deletionRows(changes: readonly Change[], options: RowOptions): readonly PrintedRow[] {
  return changes.map((change) => {
    const effects = deletionNote(change, options);
    const note = (effects === "" ? "" : `  ${effects}`) + deletionPlace(change);
    return {
      text: `- ${change.kind} ${lineText(urnWithName(change.urn, options.names))}${lineText(note)}`,
      of: 1,
    };
  });
}

function deletionPlace({ source }: Change): string {
  return source ? `  ${sourcePosition(source)}` : "";
}

/**
 * Prints removed and unset values. Values that were not declared before, or that the last applied commit declares, come first.
 */
export function lossRows(losses: readonly FacetChange[], options: RowOptions): readonly PrintedRow[] {
  return [true, false].flatMap((isForeign) => {
    const those = losses.filter(
      ({ removed: [removed] = [] }) => (removed !== undefined && originText(removed) !== "") === isForeign,
    );
    return changeRows(those, { ...options, countsLines: true });
  });
}

/** The marks for the base, live and declared values. */
const sideMarks = [" ", "-", "+"];

/** Prints all conflicts with their three values. */
export function conflictRows(
  changes: readonly Change[],
  names?: Names,
  isReview?: boolean,
): readonly PrintedRow[] {
  return changes.filter(isFacetChange).flatMap((change) => {
    const conflict = conflictOf(change, names, isReview);
    if (!conflict) return [];
    const lines = [
      headOf(change, { names }),
      `! ${lineText(placeIn(change))}: ${conflict.ending}`,
      ...conflict.sides.map(({ name, text, writer }, index) => {
        const by = writer === "" ? "" : lineText(`  (${writer})`);
        return `${sideMarks[index]} ${name.padEnd(10)}${lineText(text)}${by}`;
      }),
    ];
    return [{ text: lines.join("\n"), of: 1 }];
  });
}

export function unmanagedRows(unmanaged: readonly Unmanaged[], names?: Names): readonly PrintedRow[] {
  return [...groupBy(unmanaged, ({ urn }) => urn)].flatMap(([urn, values]) =>
    underHead(
      `@@ ${values[0]?.kind} ${lineText(urnWithName(urn, names))} @@`,
      values.map((each) => {
        const value = each.facet === undefined ? "" : lineText(valueText(each.facet, each.value, names));
        const what = each.facet === undefined ? "" : `${lineText(placeIn(each))}: ${value}  `;
        return { text: `  ${what}(${lineText(unmanagedReason(each, names))})`, of: 1 };
      }),
    ),
  );
}

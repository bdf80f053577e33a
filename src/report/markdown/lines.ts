import { type Change, type FacetChange, type Removed } from "../../model/change.ts";
import type { Member, Scalar } from "../../model/state.ts";
import { isInConflict } from "../../plan/diff/conflicts.ts";
import { noteOf, shown } from "../text/change-text.ts";
import type { Row } from "./section.ts";
import { lineText } from "./escape.ts";
import { paintWith } from "../paint.ts";

/** A page has its own colours. */
export const plain = paintWith(false);

/** The line above what is said of an entity. */
export function headOf(of: Pick<Change, "kind" | "urn"> | undefined): string {
  return of ? `@@ ${of.kind} ${lineText(of.urn)} @@` : "";
}

/** Rows below a head. It stays with the first of them, because alone it would say nothing. */
export function underHead(head: string, rows: readonly Row[]): readonly Row[] {
  return rows.map((row, index) => (index === 0 ? { ...row, text: `${head}\n${row.text}` } : row));
}

/** What a value is a value of. */
export function nameOf({ facet, column }: { readonly facet: string; readonly column?: string }): string {
  return lineText(column === undefined ? facet : `${facet} ${column}`);
}

/** A value that comes. */
export function addedLine(change: FacetChange, value: Member | Scalar): string {
  return `+ ${nameOf(change)}: ${lineText(shown(change.facet, value))}`;
}

/** A value that goes, with what is known of it. */
export function removedLine(change: FacetChange, value: Member | Scalar, removed?: Removed): string {
  return `- ${nameOf(change)}: ${lineText(shown(change.facet, value))}${noteFor(change, removed)}`;
}

/** What is known of a value that goes, where there is something. */
export function noteFor(change: FacetChange, removed: Removed | undefined): string {
  return (removed ? lineText(noteOf(removed, plain)) : "") + (isInConflict(change) ? "  (conflict)" : "");
}

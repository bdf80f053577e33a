import {
  type Change,
  type FacetChange,
  isFacetChange,
  isSetChange,
  type ScalarChange,
} from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Names, Plan } from "../../model/plan.ts";
import { isInConflict } from "../../plan/diff/conflicts.ts";
import { shown } from "../text/change-text.ts";
import { addedLine, headOf, nameOf, noteFor, placeText, removedLine, underHead, urnText } from "./lines.ts";
import { reasonText } from "../text/unmanaged-text.ts";
import { entryRows, type RowsView } from "./entry-rows.ts";
import type { Row } from "./section.ts";
import { lineText, lineTexts } from "./escape.ts";

/**
 * Changes by entity, line by line, without the removals: `lossRows` and `deletionRows` list those. A change counts at its
 * last line.
 */
export function changeRows(changes: readonly Change[], view: RowsView): readonly Row[] {
  const { names } = view;
  return entryRows(changes, view, {
    linesOf: (change) => addingLines(change, names),
    headOf: (first) => (first ? `@@ ${first.action} ${urnText(first.urn, names)} @@${placeText(first)}` : ""),
  });
}

/** Whether a change adds or replaces something, so that it has rows of its own. */
export function isListed(change: Change): boolean {
  return addingLines(change).length > 0;
}

function addingLines(change: Change, names?: Names): readonly string[] {
  if (isFacetChange(change)) return linesOf(change, names);
  return change.action === "create" ? ["+ created"] : [];
}

function linesOf(change: FacetChange, names?: Names): readonly string[] {
  if (!isSetChange(change)) return scalarLines(change, names);
  return change.add.map((value) => addedLine(change, value, names));
}

/** The lines of a single value that is set or replaced. One that is unset is in `lossRows`. */
function scalarLines(change: ScalarChange, names?: Names): readonly string[] {
  const { facet, before, after, removed: [removed] = [] } = change;
  if (before === null) return [addedLine(change, after, names)];
  // A removal that a conflict holds back is not listed with those that happen.
  if (after === null) return isInConflict(change) ? [removedLine(change, before, removed, names)] : [];
  const [old, now] = lineTexts(shown(facet, before, names), shown(facet, after, names));
  return [`- ${nameOf(change)}: ${old}${noteFor(change, removed, names)}`, `+ ${nameOf(change)}: ${now}`];
}

/** The values that are not managed, by entity. */
export function unmanagedRows({ unmanaged, names }: Plan): readonly Row[] {
  return [...groupBy(unmanaged, ({ urn }) => urn).values()].flatMap((group) =>
    underHead(
      headOf(group[0], names),
      group.map((each) => {
        const what =
          each.facet === undefined
            ? ""
            : `${nameOf(each)}: ${lineText(shown(each.facet, each.value, names))}  `;
        return { text: `  ${what}(${lineText(reasonText(each, names))})`, of: 1 };
      }),
    ),
  );
}

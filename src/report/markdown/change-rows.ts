import {
  type Change,
  type FacetChange,
  isFacetChange,
  isSetChange,
  type ScalarChange,
} from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Origin } from "../../model/origin.ts";
import type { Plan } from "../../model/plan.ts";
import { keyOf, placeOf, removedBy, shown, sourceText } from "../text/change-text.ts";
import { addedLine, headOf, nameOf, noteFor, removedLine, underHead } from "./lines.ts";
import { reasons } from "../text/plan-text.ts";
import type { Row } from "./section.ts";
import { lineText, lineTexts } from "./escape.ts";

/** Changes by entity, line by line. A change counts at its last line. */
export function changeRows(changes: readonly Change[]): readonly Row[] {
  return [...groupBy(changes, ({ urn }) => urn).values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const place = first.source ? ` ${lineText(placeIn(first, first.source))}` : "";
    return underHead(`@@ ${first.action} ${lineText(first.urn)} @@${place}`, group.flatMap(rowsOf));
  });
}

function placeIn(change: Change, source: Origin): string {
  return isFacetChange(change) ? sourceText(source, change) : placeOf(source);
}

function rowsOf(change: Change): readonly Row[] {
  const lines = isFacetChange(change)
    ? linesOf(change)
    : [change.action === "create" ? "+ created" : "- deleted"];
  return lines.map((text, index) => ({ text, of: index === lines.length - 1 ? 1 : 0 }));
}

function linesOf(change: FacetChange): readonly string[] {
  if (!isSetChange(change)) return scalarLines(change);
  const removed = removedBy(change);
  return [
    ...change.add.map((value) => addedLine(change, value)),
    ...change.remove.map((value) => removedLine(change, value, removed.get(keyOf(value)))),
  ];
}

function scalarLines(change: ScalarChange): readonly string[] {
  const { facet, before, after, removed: [removed] = [] } = change;
  if (before === null) return [addedLine(change, after)];
  if (after === null) return [removedLine(change, before, removed)];
  const [old, now] = lineTexts(shown(facet, before), shown(facet, after));
  return [`- ${nameOf(change)}: ${old}${noteFor(change, removed)}`, `+ ${nameOf(change)}: ${now}`];
}

/** The values that are not managed, by entity. */
export function unmanagedRows({ unmanaged }: Plan): readonly Row[] {
  return [...groupBy(unmanaged, ({ urn }) => urn).values()].flatMap((group) =>
    underHead(
      headOf(group[0]),
      group.map((each) => ({
        text: `  ${nameOf(each)}: ${lineText(shown(each.facet, each.value))}  (${reasons[each.reason]})`,
        of: 1,
      })),
    ),
  );
}

import { type Change, type FacetChange, isFacetChange, isSetChange } from "../../model/change.ts";
import type { Names, Plan } from "../../model/plan.ts";
import { isInConflict } from "../../plan/diff/conflicts.ts";
import { conflictParts } from "../text/change-text.ts";
import { headOf, nameOf, plain, removedLine, urnText } from "./lines.ts";
import { partsOf } from "../fold.ts";
import { entryRows } from "./entry-rows.ts";
import type { Row } from "./section.ts";
import { lineText } from "./escape.ts";
import { deletionPlace, fallOf, holdersOf } from "../text/plan-text.ts";

/** All deleted entities, with the assignments that are removed with them. */
export function deletionRows({ changes, names }: Plan, all?: boolean): readonly Row[] {
  return deletionsIn(changes).map((change) => {
    const [falls, holders] = [fallOf(change), holdersOf(change, { names, all })];
    const from = holders === "" ? "" : ` from ${holders}`;
    const note = (falls === "" ? "" : `  ${falls}${from}`) + deletionPlace(change, plain);
    return { text: `- ${change.kind} ${urnText(change.urn, names)}${lineText(note)}`, of: 1 };
  });
}

/** All deleted entities, only as URNs. */
export function bareDeletionRows({ changes }: Plan): readonly Row[] {
  return deletionsIn(changes).map(({ urn }) => ({ text: `- ${lineText(urn)}`, of: 1 }));
}

/** The deletions of entities among some changes. */
export function deletionsIn(changes: readonly Change[]): readonly Change[] {
  return changes.filter((change) => change.action === "delete" && !isFacetChange(change));
}

/** All values that are removed or unset. Those that were not declared before come first. */
export function lossRows({ changes, names }: Plan, all?: boolean): readonly Row[] {
  const losses = changes.flatMap((change) => (isFacetChange(change) ? lossesOf(change) : []));
  return [true, false].flatMap((isForeign) =>
    entryRows(
      losses.filter((loss) => isForeignLoss(loss) === isForeign),
      { names, all, countsValues: true },
      {
        linesOf: (change) => (isFacetChange(change) ? removedLines(change, names) : []),
        headOf: (first) => headOf(first, names),
      },
    ),
  );
}

/** The values that a change takes away and does not replace, as changes of one value each. */
export function lossesOf(change: FacetChange): readonly FacetChange[] {
  if (isInConflict(change)) return [];
  if (!isSetChange(change)) return change.after === null && change.before !== null ? [change] : [];
  return partsOf(change).filter((part) => isSetChange(part) && part.remove.length > 0);
}

function isForeignLoss({ removed: [removed] = [] }: FacetChange): boolean {
  return removed?.declaredBefore === false;
}

function removedLines(change: FacetChange, names?: Names): readonly string[] {
  const [removed] = change.removed ?? [];
  const values = isSetChange(change) ? change.remove : [change.before];
  return values.map((value) => removedLine(change, value, removed, names));
}

/** All conflicts with their three values. */
export function conflictRows({ changes, names }: Plan): readonly Row[] {
  return changes.filter(isFacetChange).flatMap((change) => {
    if (isSetChange(change) || !change.conflict) return [];
    const parts = conflictParts(change, change.conflict, plain, names);
    const lines = [
      headOf(change, names),
      `! ${nameOf(change)}: ${parts.ending}`,
      `  base      ${lineText(parts.base)}`,
      `- live      ${lineText(parts.live)}${lineText(parts.writer)}`,
      `+ declared  ${lineText(parts.declared)}`,
    ];
    return [{ text: lines.join("\n"), of: 1 }];
  });
}

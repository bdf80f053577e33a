import { type Change, type FacetChange, isFacetChange, isSetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Names, Plan } from "../../model/plan.ts";
import { isInConflict } from "../../plan/diff/conflicts.ts";
import { conflictParts, keyOf, removedBy } from "../text/change-text.ts";
import { firstWithRules, headOf, nameOf, plain, removedLine, underHead, urnText } from "./lines.ts";
import type { Row } from "./section.ts";
import { lineText } from "./escape.ts";
import { deletionPlace, fallOf } from "../text/plan-text.ts";

/** All deleted entities, with the assignments that are removed with them. */
export function deletionRows({ changes, names }: Plan): readonly Row[] {
  return deletionsIn(changes).map((change) => {
    const falls = fallOf(change);
    const note = (falls === "" ? "" : `  ${falls}`) + deletionPlace(change, plain);
    return { text: `- ${change.kind} ${urnText(change.urn, names)}${lineText(note)}`, of: 1 };
  });
}

/** All deleted entities, only as URNs. */
export function bareDeletionRows({ changes }: Plan): readonly Row[] {
  return deletionsIn(changes).map(({ urn }) => ({ text: `- ${lineText(urn)}`, of: 1 }));
}

function deletionsIn(changes: readonly Change[]): readonly Change[] {
  return changes.filter((change) => change.action === "delete" && !isFacetChange(change));
}

/** A value that is removed and not replaced. */
interface Loss {
  readonly change: FacetChange;
  readonly line: string;
  readonly isForeign: boolean;
}

/** All values that are removed or unset. Those that were not declared before come first. */
export function lossRows({ changes, names }: Plan): readonly Row[] {
  const losses = changes.filter(isFacetChange).flatMap((change) => lossesOf(change, names));
  return [true, false].flatMap((isForeign) => {
    const those = losses.filter((loss) => loss.isForeign === isForeign);
    return [...groupBy(those, ({ change }) => change.urn).values()].flatMap((group) =>
      underHead(
        headOf(firstWithRules(group.map(({ change }) => change)), names),
        group.map(({ line }) => ({ text: line, of: 1 })),
      ),
    );
  });
}

function lossesOf(change: FacetChange, names?: Names): readonly Loss[] {
  if (isInConflict(change)) return [];
  const removed = removedBy(change);
  const isUnset = !isSetChange(change) && change.after === null && change.before !== null;
  const values = isSetChange(change) ? change.remove : isUnset ? [change.before] : [];
  return values.map((value) => {
    const known = removed.get(keyOf(value));
    const isForeign = known?.declaredBefore === false;
    return { change, line: removedLine(change, value, known, names), isForeign };
  });
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

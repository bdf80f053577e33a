import { kindOf } from "../../kinds/index.ts";
import type { Change } from "../../model/change.ts";
import { compareText } from "../../model/json.ts";
import type { Live } from "../../model/live.ts";
import type { Problem } from "../../model/problem.ts";
import type { State } from "../../model/state.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { partitionConflicts } from "../diff/conflicts.ts";
import { isMove } from "../order/ancestors.ts";
import { definitionsIn } from "../sides/definitions.ts";
import { parentIn } from "../sides/parents.ts";

/**
 * What would be deleted though something below it stays, which the server refuses: one problem each. What the same changes
 * delete or move elsewhere is no obstacle, nor what `isTold` already.
 */
export function parentsThatAreNeeded(
  changes: readonly Change[],
  { state, below = new Map() }: Pick<Live, "state" | "below">,
  isTold: (child: Urn, parent: Urn) => boolean,
): readonly Problem[] {
  const deleted = new Set<Urn>();
  for (const { action, kind, urn } of changes)
    if (action === "delete" && kindOf(kind).parentFacet !== undefined) deleted.add(urn);
  if (deleted.size === 0) return [];
  const children = childrenIn(state, deleted);
  const leaving = new Set(
    partitionConflicts({ changes }).pending.flatMap((change) =>
      change.action === "delete" || isMove(change) ? [change.urn] : [],
    ),
  );
  return [...deleted].flatMap((urn): readonly Problem[] => {
    const all = [...(children.get(urn) ?? []), ...(below.get(urn) ?? [])];
    const staying = all.filter((child) => !leaving.has(child) && !isTold(child, urn)).toSorted(compareText);
    if (staying.length === 0) return [];
    return [{ code: "deleted-parent", severity: "error", args: { urn, below: staying } }];
  });
}

function childrenIn(state: State, parents: ReadonlySet<Urn>): ReadonlyMap<Urn, readonly Urn[]> {
  const children = new Map<Urn, Urn[]>();
  for (const urn of definitionsIn(state).keys()) {
    const parent = parentIn(state, urn)?.value;
    if (!isUrn(parent) || !parents.has(parent)) continue;
    const list = children.get(parent);
    if (list) list.push(urn);
    else children.set(parent, [urn]);
  }
  return children;
}

import { kinds } from "../../kinds/index.ts";
import type { Change } from "../../model/change.ts";
import { compareText } from "../../model/json.ts";

const rank: ReadonlyMap<string, number> = new Map(kinds.map((kind, index) => [kind.name, index]));

/** Changes in the order in which they are shown and applied: by kind, URN, facet, column. */
export function orderChanges(changes: readonly Change[]): readonly Change[] {
  return changes.toSorted(
    (a, b) =>
      (rank.get(a.kind) ?? 0) - (rank.get(b.kind) ?? 0) ||
      compareText(a.urn, b.urn) ||
      compareText(a.facet ?? "", b.facet ?? "") ||
      compareText(a.column ?? "", b.column ?? ""),
  );
}

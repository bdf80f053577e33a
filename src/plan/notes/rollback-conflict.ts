/** Notes a rollback's conflicts: values that changed after the run. */

import type { Change } from "../../model/change.ts";
import { leafIn } from "../../model/place.ts";
import type { State } from "../../model/state.ts";
import type { Note } from "./note.ts";

/** Notes a rollback's conflict: the live value differs from the one that the run left. */
export const rollbackConflict: Note<Change, State> = {
  name: "rollback conflict",
  of: (change, left) => {
    if (change.shape !== "scalar" || change.action !== "update") return undefined;
    const was = leafIn(left.get(change.urn), change);
    if (was?.shape !== "scalar") return undefined;
    const { before: live, after: desired, conflict } = change;
    // For `merge`, an unset value is not a conflict.
    const isMoved = conflict !== undefined || (live === null && was.value !== null);
    return isMoved ? { conflict: { base: was.value, live, desired, moved: true } } : undefined;
  },
};

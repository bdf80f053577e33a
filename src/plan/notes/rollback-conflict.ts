/** Records a rollback's conflicts, which are values that changed after the run. */

import type { Change } from "../../model/change.ts";
import { leafIn } from "../../model/place.ts";
import type { State } from "../../model/state.ts";
import type { Note } from "./note.ts";

/** Records a conflict if the live value differs from the value that the run wrote. */
export const rollbackConflict: Note<Change, State> = {
  name: "rollback conflict",
  of: (change, left) => {
    if (change.shape !== "scalar" || change.action !== "update") return undefined;
    const was = leafIn(left.get(change.urn), change);
    if (was?.shape !== "scalar") return undefined;
    const { before: live, after: desired, conflict } = change;
    // The `conflict` note does not report a value that was unset after the run, so this case is checked here.
    const isMoved = conflict !== undefined || (live === null && was.value !== null);
    return isMoved ? { conflict: { base: was.value, live, desired, moved: true } } : undefined;
  },
};

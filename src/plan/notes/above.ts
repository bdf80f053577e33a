/** Notes the live entities above a new parent. */

import { aboveNewParent } from "../base/ancestors.ts";
import type { Note } from "./note.ts";

/** The note `above`. */
export const above: Note = {
  name: "above",
  of: (change, { plan: { liveParentOf } }) => {
    const found = aboveNewParent(change, liveParentOf);
    return found.length > 0 ? { above: found } : undefined;
  },
};

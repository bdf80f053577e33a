/** Limits the number of entities that one plan may delete. */

import { counted, type Guard, limitText } from "./guard.ts";
import { placeOf } from "../../base/changes.ts";

/** The guard that limits the number of deletions. */
export const deletes: Guard<"deletes", "max_count"> = {
  name: "deletes",
  description: "Limits on how many entities a plan may delete.",
  limits: {
    max_count: {
      default: 0,
      unit: "count",
      description: "The maximum number of entities that a plan may delete.",
    },
  },
  flag: {
    name: "--max-deletes",
    argument: "<n>",
    description: "block if more than N entities would be deleted",
    sets: { count: "max_count" },
  },
  check: ({ changes }, { max_count }) => {
    const deletions = changes.filter(({ action }) => action === "delete");
    if (deletions.length <= max_count) return [];
    return [
      {
        guard: "deletes",
        severity: "error",
        numbers: { deletes: deletions.length, max_count },
        flag: `--max-deletes ${deletions.length}`,
        setting: "guards.deletes.max_count",
        changes: deletions.map(placeOf),
      },
    ];
  },
  text: ({ numbers }) =>
    `${counted(numbers["deletes"] ?? 0, "entity", "entities")} would be deleted (${limitText(numbers)})`,
};

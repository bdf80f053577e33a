/** Limits the number of entities that base declares but the manifests no longer declare. */

import { counted, type Guard, exceedsPercent, limitText, percentOf } from "./guard.ts";

/** The guard that limits the percentage of entities that are no longer declared. */
export const vanished: Guard<"vanished", "max_percent" | "min_existing"> = {
  name: "vanished",
  description: "Limits on how many previously declared entities can be missing from the manifests.",
  limits: {
    max_percent: {
      default: 30,
      unit: "percent",
      description:
        "The maximum percentage of previously declared entities that can be missing from the manifests.",
    },
    min_existing: {
      default: 10,
      unit: "count",
      description:
        "`max_percent` applies only if at least this many entities were declared in the last applied commit.",
    },
  },
  flag: {
    name: "--max-vanished",
    argument: "<p%>",
    description: "block if more than P% of the previously declared entities are missing from the manifests",
    sets: { percent: "max_percent" },
  },
  check: ({ counts: { vanished: found } }, { max_percent, min_existing }) => {
    if (!found || found.of < min_existing) return [];
    const { urns, of } = found;
    if (!exceedsPercent(urns.length, max_percent, of)) return [];
    const percent = percentOf(urns.length, of);
    return [
      {
        guard: "vanished",
        severity: "error",
        numbers: { vanished: urns.length, declared: of, percent, max_percent, min_existing },
        flag: `--max-vanished ${Math.ceil(percent)}%`,
        setting: "guards.vanished.max_percent",
        changes: urns.map((urn) => ({ urn })),
      },
    ];
  },
  text: ({ numbers }) => {
    const missing = numbers["vanished"] ?? 0;
    const declared = counted(numbers["declared"] ?? 0, "entity", "entities");
    return `${missing} of ${declared} declared in the base ${missing === 1 ? "is" : "are"} no longer declared (${limitText(numbers)})`;
  },
};

/** Limits the number of assets on which one rule may change values in one plan. */

import { counted, type Guard, limitText } from "./guard.ts";
import { edgeSetOf } from "../../../facets/index.ts";
import { type Change, isFacetChange, isSetChange } from "../../../model/change.ts";
import { compareText } from "../../../model/json.ts";
import { pendingIn } from "../../../model/held-back.ts";
import type { Finding } from "../../../model/plan.ts";
import { isUrn, type Urn } from "../../../model/urn.ts";
import { placeOf } from "../../base/changes.ts";

/** The guard that limits the number of assets that one rule changes. */
export const spread: Guard<"spread", "max_count"> = {
  name: "spread",
  description: "Limits on how many assets one rule may change.",
  limits: {
    max_count: {
      default: 500,
      unit: "count",
      description: "The maximum number of assets that one rule may change in a plan.",
    },
  },
  flag: {
    name: "--max-spread",
    argument: "<n>",
    description: "block if one rule would change more than N assets",
    sets: { count: "max_count" },
  },
  check: ({ changes }, { max_count }) => {
    const pending = pendingIn(changes);
    return [...assetsByRule(pending)].flatMap(([rule, { size: assets }]): readonly Finding[] => {
      if (assets <= max_count) return [];
      return [
        {
          guard: "spread",
          severity: "error",
          rule,
          numbers: { assets, max_count },
          flag: `--max-spread ${assets}`,
          setting: "guards.spread.max_count",
          changes: pending.filter(({ rules }) => rules?.includes(rule) === true).map(placeOf),
        },
      ];
    });
  },
  text: ({ rule = "", numbers }) =>
    `rule \`${rule}\` would change ${counted(numbers["assets"] ?? 0, "asset")} (${limitText(numbers)})`,
};

/**
 * Returns the assets on which each rule changes values, keyed by rule and sorted by rule id. If a rule changes a group, all
 * members that join or leave the group are included, because the change does not record which members the rule adds or removes.
 */
export function assetsByRule(changes: readonly Change[]): ReadonlyMap<string, ReadonlySet<Urn>> {
  const assets = new Map<string, Set<Urn>>();
  for (const change of changes)
    for (const rule of change.rules ?? []) {
      const own = assets.get(rule) ?? new Set<Urn>();
      for (const urn of assetsOf(change)) own.add(urn);
      assets.set(rule, own);
    }
  return new Map([...assets].toSorted(([a], [b]) => compareText(a, b)));
}

function assetsOf(change: Change): readonly Urn[] {
  const isOfEdges = isFacetChange(change) && isSetChange(change) && edgeSetOf(change.facet) !== undefined;
  return isOfEdges ? [...change.add, ...change.remove].filter(isUrn) : [change.urn];
}

import type { Change } from "../../model/change.ts";
import { compareText } from "../../model/json.ts";
import type { Urn } from "../../model/urn.ts";

/** By rule, in the order of their ids, the assets of which some changes change its own values. */
export function assetsByRule(changes: readonly Change[]): ReadonlyMap<string, ReadonlySet<Urn>> {
  const assets = new Map<string, Set<Urn>>();
  for (const { urn, rules = [] } of changes) {
    for (const rule of rules) assets.set(rule, (assets.get(rule) ?? new Set()).add(urn));
  }
  return new Map([...assets].toSorted(([a], [b]) => compareText(a, b)));
}

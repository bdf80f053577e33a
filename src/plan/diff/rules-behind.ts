import type { Change } from "../../model/change.ts";
import { compareText } from "../../model/json.ts";
import type { Contribution, Member, Scalar } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { valueKey } from "./values.ts";

/**
 * The rules behind a change: those whose own values it adds or sets. A value that documents declare too is not a rule's own.
 * What a change takes away is taken away by the rules where no document declares anything there: they alone manage it.
 */
export function rulesBehind(
  by: readonly Contribution[],
  added: readonly (Member | Scalar)[],
  isRemoving: boolean,
): { readonly rules?: readonly string[] } {
  const documents = by.filter(({ rule }) => rule === undefined);
  const others = new Set(documents.flatMap(({ values }) => values.map(valueKey)));
  const own = new Set(added.map(valueKey).filter((key) => !others.has(key)));
  const isAll = isRemoving && documents.length === 0;
  const rules = by.flatMap(({ rule, values }) =>
    rule !== undefined && (isAll || values.some((value) => own.has(valueKey(value)))) ? [rule] : [],
  );
  return rules.length > 0 ? { rules: [...new Set(rules)].toSorted(compareText) } : {};
}

/** By rule, in the order of their ids, the assets of which some changes change its own values. */
export function assetsByRule(changes: readonly Change[]): ReadonlyMap<string, ReadonlySet<Urn>> {
  const assets = new Map<string, Set<Urn>>();
  for (const { urn, rules = [] } of changes) {
    for (const rule of rules) assets.set(rule, (assets.get(rule) ?? new Set()).add(urn));
  }
  return new Map([...assets].toSorted(([a], [b]) => compareText(a, b)));
}

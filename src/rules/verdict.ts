import { kindOf } from "../kinds/index.ts";
import type { Asset, ColumnRule, AssetColumn, Condition, Rule } from "../model/rule.ts";
import { matcherOf } from "../text/pattern.ts";

/** Why a rule does not match an asset: the first key that does not hold, or what it leaves out. */
type Miss =
  | { readonly key: "kind"; readonly wanted: string; readonly found: string }
  | { readonly key: string; readonly condition: Condition; readonly found: readonly string[] }
  | { readonly key: "not"; readonly conditions: readonly Condition[] };

/** Whether a rule matches an asset. What documents of the asset leave out is another question. */
export type Verdict = { readonly matches: true } | { readonly matches: false; readonly miss: Miss };

const match: Verdict = { matches: true };

/** Whether a rule matches an asset, and if it does not, why. It takes time in proportion to the texts that it compares. */
export function verdictOf(rule: Rule, asset: Asset): Verdict {
  const { kind, conditions, exclusions } = rule;
  if (kind !== asset.kind) return { matches: false, miss: { key: "kind", wanted: kind, found: asset.kind } };
  const failed = conditions.find((condition) => !holds(condition, asset));
  if (failed) {
    const found = textsOf(asset, failed.key);
    return { matches: false, miss: { key: failed.key, condition: failed, found } };
  }
  const excluding = exclusions.find((all) => all.every((condition) => holds(condition, asset)));
  return excluding ? { matches: false, miss: { key: "not", conditions: excluding } } : match;
}

/** Whether a rule matches an asset. */
export function doesMatch(rule: Rule, asset: Asset): boolean {
  return verdictOf(rule, asset).matches;
}

/** Whether what a rule declares of columns concerns a column. */
export function matchesColumn({ pattern, nativeTypes }: ColumnRule, column: AssetColumn): boolean {
  if (!matcherFor(pattern)(column.name)) return false;
  if (!nativeTypes) return true;
  const { nativeType } = column;
  return nativeType !== undefined && nativeTypes.some((each) => matcherFor(each)(nativeType));
}

function holds({ key, patterns }: Condition, asset: Asset): boolean {
  const texts = textsOf(asset, key);
  return patterns.some((pattern) => texts.some(matcherFor(pattern)));
}

/** What an asset has of a key, with the id of a thing also its URN. */
function textsOf(asset: Asset, key: string): readonly string[] {
  const own = kindOf(asset.kind).matchedBy ?? [];
  return own.find((each) => each.key === key)?.textsOf(asset) ?? [];
}

const matchers = new Map<string, (text: string) => boolean>();

/** More than any repository has of them; what comes later is made each time. */
const mostMatchers = 10_000;

function matcherFor(pattern: string): (text: string) => boolean {
  const known = matchers.get(pattern);
  if (known) return known;
  const matcher = matcherOf(pattern);
  if (matchers.size < mostMatchers) matchers.set(pattern, matcher);
  return matcher;
}

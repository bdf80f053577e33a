import { kindOf } from "../../kinds/index.ts";
import type { Asset, ColumnRule, AssetColumn, Condition, Rule } from "../../model/rule.ts";
import { anyMatcherOf } from "../../model/text/pattern.ts";

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
export function matchesColumn(rule: ColumnRule, { name, nativeType }: AssetColumn): boolean {
  if (!matcherFor(rule, [rule.pattern])(name)) return false;
  const { nativeTypes } = rule;
  return !nativeTypes || (nativeType !== undefined && matcherFor(nativeTypes, nativeTypes)(nativeType));
}

function holds(condition: Condition, asset: Asset): boolean {
  return textsOf(asset, condition.key).some(matcherFor(condition, condition.patterns));
}

/** What an asset has of a key, with the id of a thing also its URN. */
const textsOf = rememberingLast((asset: Asset, key: string): readonly string[] => {
  const own = kindOf(asset.kind).matchedBy ?? [];
  return own.find((each) => each.key === key)?.textsOf(asset) ?? [];
});

/** Keeps what was found of the last one that was asked about: of an asset all rules are asked, one after the other. */
function rememberingLast<Each, Found>(
  find: (each: Each, key: string) => Found,
): (each: Each, key: string) => Found {
  let last: Each | undefined;
  const known = new Map<string, Found>();
  return (each, key) => {
    if (last !== each) known.clear();
    last = each;
    const found = known.get(key) ?? find(each, key);
    known.set(key, found);
    return found;
  };
}

type Matcher = (text: string) => boolean;

const matchers = new WeakMap<object, Matcher>();

/** The matcher of some patterns, which is made once for what has them. */
function matcherFor(from: object, patterns: readonly string[]): Matcher {
  const known = matchers.get(from);
  if (known) return known;
  const matcher = anyMatcherOf(patterns);
  matchers.set(from, matcher);
  return matcher;
}

/** Matches assets and columns against the conditions of rules, and caches the pattern matchers. */

import { kindOf } from "../../kinds/index.ts";
import { urnKey } from "../../kinds/match-key.ts";
import type { RuleMatch, Asset, ColumnRule, AssetColumn, Condition } from "../../model/rule.ts";
import { anyCaseMatcherOf, anyMatcherOf } from "../../model/text/pattern.ts";

/** Whether a rule matches an asset. The asset's documents may still exempt the asset. */
export function doesMatch({ kind, conditions, exclusions }: RuleMatch, asset: Asset): boolean {
  return (
    kind === asset.kind &&
    conditions.every((condition) => isMet(condition, asset)) &&
    !exclusions.some((all) => all.every((condition) => isMet(condition, asset)))
  );
}

/** Whether a rule's column pattern matches a column. */
export function matchesColumn(rule: ColumnRule, { name, nativeType }: AssetColumn): boolean {
  const { pattern, nativeTypes, not, ignoreCase } = rule;
  if (!matcherFor(rule, [pattern], ignoreCase)(name)) return false;
  if (not && matcherFor(not, not, ignoreCase)(name)) return false;
  if (!nativeTypes) return true;
  return nativeType !== undefined && matcherFor(nativeTypes, nativeTypes, ignoreCase)(nativeType);
}

/** Whether an asset of the rule's kind meets a condition. */
export function isMet(condition: Condition, asset: Asset): boolean {
  const { key, patterns, ignoreCase } = condition;
  const matcher = key === urnKey ? matcherFor : nameMatcherFor;
  return textsOf(asset, key).some(matcher(condition, patterns, ignoreCase));
}

/**
 * Returns an asset's strings for a match key. If a value refers to an entity with an id, the strings include both the id and the
 * URN.
 */
const textsOf = rememberingLast((asset: Asset, key: string): readonly string[] => {
  const own = kindOf(asset.kind).matchedBy ?? [];
  return own.find((each) => each.key === key)?.textsOf(asset) ?? [];
});

/** Caches the results for the last argument, because callers check all rules for an asset in succession. */
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

const nameMatchers = new WeakMap<object, Matcher>();

function isOfUrns(text: string): boolean {
  return text.startsWith("urn:");
}

/**
 * Returns a matcher for values that have both an id and a URN. Patterns that begin with `urn:` match URNs, and all other patterns
 * match ids. The matcher is cached, keyed by the object that contains the patterns.
 */
export function nameMatcherFor(from: object, patterns: readonly string[], ignoreCase = false): Matcher {
  const known = nameMatchers.get(from);
  if (known) return known;
  const matcherOf = ignoreCase ? anyCaseMatcherOf : anyMatcherOf;
  const ofUrns = matcherOf(patterns.filter(isOfUrns));
  const ofIds = matcherOf(patterns.filter((pattern) => !isOfUrns(pattern)));
  const matcher: Matcher = (text) => (isOfUrns(text) ? ofUrns : ofIds)(text);
  nameMatchers.set(from, matcher);
  return matcher;
}

/** Returns a matcher for patterns. The matcher is cached, keyed by the object that contains the patterns. */
export function matcherFor(from: object, patterns: readonly string[], ignoreCase = false): Matcher {
  const known = matchers.get(from);
  if (known) return known;
  const matcher = ignoreCase ? anyCaseMatcherOf(patterns) : anyMatcherOf(patterns);
  matchers.set(from, matcher);
  return matcher;
}

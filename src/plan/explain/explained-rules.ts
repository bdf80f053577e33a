/** Explains whether each rule matches an asset and which of its conditions fail, and lists the asset's match keys. */

import type { ExplainedRule, Missed } from "../../model/explanation.ts";
import { compareText } from "../../model/json.ts";
import type { Asset, AssetColumn, Condition, MatchKey, Rule } from "../../model/rule.ts";
import { isMet, matchesColumn } from "../rules/match.ts";
import { kindOf } from "../../kinds/index.ts";
import { isUrn, keyOf } from "../../model/urn.ts";

/** The asset or column to explain, and the rules from which the asset's documents exempt it. */
interface RuleSubject {
  readonly asset: Asset;
  readonly column?: AssetColumn | undefined;
  readonly exempt?: ReadonlySet<string> | undefined;
}

/** Returns all rules, sorted by how closely they match. For a column, returns only rules that declare column values. */
export function explainedRules(rules: readonly Rule[], subject: RuleSubject): readonly ExplainedRule[] {
  const concerned = subject.column ? rules.filter(({ columns }) => columns.length > 0) : rules;
  const explained = concerned.map((rule) => explainedRule(rule, subject));
  return explained.toSorted(
    (a, b) => ranks[a.verdict] - ranks[b.verdict] || distanceOf(a) - distanceOf(b) || compareText(a.id, b.id),
  );
}

function distanceOf({ missed }: ExplainedRule): number {
  return missed.some(({ key }) => key === "kind") ? Number.MAX_SAFE_INTEGER : missed.length;
}

const ranks: Readonly<Record<ExplainedRule["verdict"], number>> = { matches: 0, exempt: 1, differs: 2 };

function explainedRule(rule: Rule, { asset, column, exempt }: RuleSubject): ExplainedRule {
  const { id, origin: source } = rule;
  const isOther = rule.kind !== asset.kind;
  const missed = [...missedBy(rule, asset), ...(column && !isOther ? missedColumn(rule, column) : [])];
  const isExempt = exempt?.has(id) === true;
  const verdict = missed.length > 0 ? "differs" : isExempt ? "exempt" : "matches";
  const idle = verdict === "matches" && !column ? idlePatternsOf(rule, asset) : [];
  return { id, source, verdict, missed, ...(idle.length > 0 && { idlePatterns: idle }) };
}

/** Returns a rule's column patterns that match no column of an asset. They may be intended for future columns. */
function idlePatternsOf(
  { columns }: Rule,
  { columns: own = [] }: Asset,
): NonNullable<ExplainedRule["idlePatterns"]> {
  const idle = columns.filter((each) => !own.some((column) => matchesColumn(each, column)));
  return idle.map(({ pattern, origin: source }) => ({ pattern, source }));
}

/** Returns a rule's failed conditions. If the rule is for a different kind, only the kind is returned. */
function missedBy(rule: Rule, asset: Asset): readonly Missed[] {
  const { kind, conditions, exclusions, origin: source } = rule;
  if (kind !== asset.kind) return [{ key: "kind", wanted: [kind], found: [asset.kind], source }];
  const failed = conditions.filter((condition) => !isMet(condition, asset));
  const excluding = exclusions.filter((all) => all.every((condition) => isMet(condition, asset)));
  return [
    ...failed.map(({ key, patterns, origin }) => ({
      key,
      wanted: patterns,
      found: textsOfKey(asset, key),
      source: origin,
    })),
    ...excluding.map((all) => missedExclusion(all, source)),
  ];
}

function missedExclusion(all: readonly Condition[], source: Rule["origin"]): Missed {
  const wanted = all.map(({ key, patterns }) => `${key}: ${patterns.join(", ")}`);
  return { key: "not", wanted, found: [], source: all[0]?.origin ?? source };
}

/** Returns a rule's column patterns, if none of them matches the given column. */
function missedColumn({ columns, origin }: Rule, column: AssetColumn): readonly Missed[] {
  if (columns.some((each) => matchesColumn(each, column))) return [];
  const wanted = columns.map(({ pattern, nativeTypes, not }) => {
    const excluded = not ? ` but not ${not.join(", ")}` : "";
    return `${pattern}${excluded}${nativeTypes ? ` (${nativeTypes.join(", ")})` : ""}`;
  });
  const { name, nativeType } = column;
  const found = [nativeType === undefined ? name : `${name} (${nativeType})`];
  return [{ key: "columns", wanted, found, source: columns[0]?.origin ?? origin }];
}

/** Returns an asset's strings for a match key. If a value has both an id and a URN, only the id is returned. */
function textsOfKey(asset: Asset, key: MatchKey): readonly string[] {
  const matchedBy = kindOf(asset.kind).matchedBy?.find((each) => each.key === key);
  const texts = matchedBy?.textsOf(asset) ?? [];
  return texts.filter((text) => !isUrn(text) || !texts.includes(keyOf(text)));
}

/** Returns all match keys of an asset, each with its strings. */
export function keysOf(asset: Asset): Readonly<Record<MatchKey, readonly string[]>> {
  const keys = kindOf(asset.kind).matchedBy ?? [];
  return Object.fromEntries(keys.map(({ key }) => [key, textsOfKey(asset, key)]));
}

import type { ExplainedRule, Missed } from "../../model/explanation.ts";
import { compareText } from "../../model/json.ts";
import type { Asset, AssetColumn, Condition, MatchKey, Rule } from "../../model/rule.ts";
import { isMet, matchesColumn } from "../rules/match.ts";
import { kindOf } from "../../kinds/index.ts";
import { isUrn, keyOf } from "../../model/urn.ts";

/** What rules are asked about: an asset, or one column of it, and the rules that its documents leave out. */
interface Asked {
  readonly asset: Asset;
  readonly column?: AssetColumn | undefined;
  readonly exempt?: ReadonlySet<string> | undefined;
}

/** Every rule, the nearest matches first; for a column only rules that declare something of columns. */
export function explainedRules(rules: readonly Rule[], asked: Asked): readonly ExplainedRule[] {
  const concerned = asked.column ? rules.filter(({ columns }) => columns.length > 0) : rules;
  const explained = concerned.map((rule) => explainedRule(rule, asked));
  return explained.toSorted(
    (a, b) => ranks[a.verdict] - ranks[b.verdict] || distanceOf(a) - distanceOf(b) || compareText(a.id, b.id),
  );
}

function distanceOf({ missed }: ExplainedRule): number {
  return missed.some(({ key }) => key === "kind") ? Number.MAX_SAFE_INTEGER : missed.length;
}

const ranks: Readonly<Record<ExplainedRule["verdict"], number>> = { matches: 0, exempt: 1, differs: 2 };

function explainedRule(rule: Rule, { asset, column, exempt }: Asked): ExplainedRule {
  const { id, origin: source } = rule;
  const isOther = rule.kind !== asset.kind;
  const missed = [...missedBy(rule, asset), ...(column && !isOther ? missedColumn(rule, column) : [])];
  const isExempt = exempt?.has(id) === true;
  const verdict = missed.length > 0 ? "differs" : isExempt ? "exempt" : "matches";
  const idle = verdict === "matches" && !column ? idlePatternsOf(rule, asset) : [];
  return { id, source, verdict, missed, ...(idle.length > 0 && { idlePatterns: idle }) };
}

/** The patterns of a rule that match no column of an asset. They may be for columns to come. */
function idlePatternsOf(
  { columns }: Rule,
  { columns: own = [] }: Asset,
): NonNullable<ExplainedRule["idlePatterns"]> {
  const idle = columns.filter((each) => !own.some((column) => matchesColumn(each, column)));
  return idle.map(({ pattern, origin: source }) => ({ pattern, source }));
}

/** Every condition of a rule that is not met; of a rule for another kind only that. */
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

/** What a rule asks for of columns, where none of it concerns this one. */
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

/** What an asset has of a key by which rules match it. Of a thing with an id and a URN its id. */
function textsOfKey(asset: Asset, key: MatchKey): readonly string[] {
  const matchedBy = kindOf(asset.kind).matchedBy?.find((each) => each.key === key);
  const texts = matchedBy?.textsOf(asset) ?? [];
  return texts.filter((text) => !isUrn(text) || !texts.includes(keyOf(text)));
}

/** Every key of an asset with what it has of it. */
export function keysOf(asset: Asset): Readonly<Record<MatchKey, readonly string[]>> {
  const keys = kindOf(asset.kind).matchedBy ?? [];
  return Object.fromEntries(keys.map(({ key }) => [key, textsOfKey(asset, key)]));
}

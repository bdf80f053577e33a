import type { Condition, MatchKey, Rule } from "../../src/model/rule.ts";

type Match = Readonly<Partial<Record<MatchKey, string | readonly string[]>>>;

const origin = { file: "catalog/rules.yaml", line: 1, column: 1 };

/** A rule of a kind that matches by these texts, and declares nothing but what is given. */
export function ruleOf(kind: string, match: Match = {}, more: Partial<Rule> = {}): Rule {
  return {
    id: "rule",
    kind,
    conditions: conditionsOf(match),
    exclusions: [],
    facets: new Map(),
    columns: [],
    modePlaces: new Map(),
    priority: 0,
    references: [],
    origin,
    ...more,
  };
}

/** A rule that declares something of all columns, too. */
export function withColumns(rule: Rule): Rule {
  return { ...rule, columns: [{ pattern: "*", facets: new Map(), origin }] };
}

function conditionsOf(match: Match): readonly Condition[] {
  return Object.entries(match).map(([key, patterns]) => ({
    key: key as MatchKey,
    patterns: [patterns ?? []].flat(),
    origin,
  }));
}

/** Reports clashing rules, and rules and column patterns that match nothing. */

import { canonicalJson, compareText } from "../../model/json.ts";
import type { Problem } from "../../model/problem.ts";
import type { Rule } from "../../model/rule.ts";
import type { UrnTest } from "../../model/urn.ts";
import type { PlannedPart } from "../base/policy.ts";
import type { ClashAt, Expanded } from "./expand.ts";

/** The selected entities of a plan. `undefined` if all entities are selected. */
type Part = UrnTest | undefined;

/**
 * Returns a problem for each clash between rules on selected assets. If the same clash affects several assets, only one problem
 * is returned.
 */
function clashProblems({ clashes }: Expanded, part: Part): readonly Problem[] {
  const found = new Map<string, ClashAt>();
  for (const { clash, urns } of clashes) {
    const own = part ? urns.filter((urn) => part.has(urn)) : urns;
    if (own.length === 0) continue;
    const key = canonicalJson(clash);
    found.set(key, { clash, urns: [...(found.get(key)?.urns ?? []), ...own] });
  }
  return [...found.values()].map(problemOf);
}

function problemOf({ clash, urns }: ClashAt): Problem {
  const { about, facet, first, second } = clash;
  const [urn = ""] = urns.toSorted(compareText);
  const rules = [first, second].flatMap(({ rule }) => rule ?? []);
  return {
    code: about === "value" ? "rule-conflict" : "rule-modes",
    severity: "error",
    args: { facet, rules, urn, count: urns.length },
    ...(second.origin && { origin: second.origin }),
    ...(first.origin && { related: first.origin }),
  };
}

/** Returns warnings for rules that match no asset. With `--strict`, also returns warnings for patterns that match no column. */
function idleRules(expanded: Expanded, rules: readonly Rule[], isStrict: boolean): readonly Problem[] {
  const used = new Set(expanded.matches.flatMap((match) => match.rules.map(({ id }) => id)));
  return rules.flatMap(({ id: rule, columns, origin }): readonly Problem[] => {
    if (!used.has(rule))
      return [{ code: "rule-matches-nothing", severity: "warning", args: { rule }, origin }];
    if (!isStrict) return [];
    return columns
      .filter((column) => !expanded.patterns.has(column))
      .map(({ pattern, origin: place }) => ({
        code: "pattern-matches-nothing",
        severity: "warning",
        args: { rule, pattern },
        origin: place,
      }));
  });
}

/**
 * Returns the problems with rules. Unused rules are reported for shards, but not for other partial plans or if any assets are
 * unread.
 */
export function ruleProblems(
  expanded: Expanded,
  rules: readonly Rule[],
  { part, shard, isStrict = false }: PlannedPart & { readonly isStrict?: boolean },
  isUnread: boolean,
): readonly Problem[] {
  const isPart = part !== undefined && shard === undefined;
  const idle = isPart || isUnread ? [] : idleRules(expanded, rules, isStrict);
  return [...clashProblems(expanded, part), ...idle];
}

import { groupBy } from "../model/group-by.ts";
import { canonicalJson, compareText } from "../model/json.ts";
import type { RuleCount } from "../model/plan.ts";
import type { Problem } from "../model/problem.ts";
import type { Rule } from "../model/rule.ts";
import { type FacetValue, setOf } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";
import type { Policy } from "../plan/policy.ts";
import { type ClashAt, type Expanded, matchedIn } from "./expand.ts";
import { byId } from "./order.ts";

/** What a plan looks at: some entities, or without them all. */
type Part = Pick<ReadonlySet<Urn>, "has"> | undefined;

/** What each rule declares and how many assets of a part it matches, in the order of their ids. */
function matchingOf(expanded: Expanded, rules: readonly Rule[], part: Part): ToldOfRules["matching"] {
  return rules.toSorted(byId).map((rule) => {
    const urns = matchedIn(expanded, rule.id);
    const matched = part ? urns.filter((urn) => part.has(urn)).length : urns.length;
    return { id: rule.id, kind: rule.kind, declares: declaredBy(rule), matched };
  });
}

function declaredBy({ facets, columns }: Rule): RuleCount["declares"] {
  const parts = [...facets, ...columns.flatMap((column) => [...column.facets])];
  return [...groupBy(parts, ([facet]) => facet)].map(([facet, own]) => ({
    facet,
    values: valuesIn(own.map(([, value]) => value)),
  }));
}

function valuesIn(values: readonly FacetValue[]): RuleCount["declares"][number]["values"] {
  const [first] = values;
  if (first?.shape === "scalar") return [first.value];
  return setOf(values.flatMap((value) => (value.shape === "set" ? value.members : []))).members;
}

/** What rules declare that does not go together, of assets of a part: the same of many assets once. */
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

/** Warnings for rules that match no asset at all. */
function idleRules(expanded: Expanded, rules: readonly Rule[]): readonly Problem[] {
  const used = new Set(expanded.matches.flatMap((match) => match.rules.map(({ id }) => id)));
  return rules
    .filter(({ id }) => !used.has(id))
    .map(({ id, origin }) => ({
      code: "rule-matches-nothing",
      severity: "warning",
      args: { rule: id },
      origin,
    }));
}

/** What a plan says of rules beside the changes: problems with them, and how many assets each matches. */
export interface ToldOfRules {
  readonly problems: readonly Problem[];
  readonly matching: readonly Omit<RuleCount, "changed">[];
}

/**
 * What is to be said of rules in a plan of a part. Of a part it is not said that a rule matches nothing, but of a shard, and
 * not where something could not be read: it may be what the rule matches.
 */
export function toldOf(
  expanded: Expanded,
  rules: readonly Rule[],
  { part, shard }: Pick<Policy, "part" | "shard">,
  isUnread: boolean,
): ToldOfRules {
  const isPart = part !== undefined && shard === undefined;
  const idle = isPart || isUnread ? [] : idleRules(expanded, rules);
  return {
    problems: [...clashProblems(expanded, part), ...idle],
    matching: matchingOf(expanded, rules, part),
  };
}

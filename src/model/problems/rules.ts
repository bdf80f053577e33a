/** Defines the problems with rules in manifests, and with the assets that rules match. */

import { orders } from "./samples.ts";
import { all, choice, code, type Misspelled } from "./text.ts";
import { problem } from "./problem.ts";

/** Rules that conflict with each other, or a single rule that conflicts with documents. `urn` is one of the affected assets. */
type Clash = { facet: string; rules: readonly string[]; urn: string; count: number };

export const ruleProblems = {
  /** A list of patterns is empty, so it can never match. */
  "empty-list": problem({
    message: ({ field }: { field: string }) =>
      `${code(field)} is an empty list: write a pattern, or remove the key`,
    samples: [{ field: "match.name" }],
  }),
  /** A mapping that must not be empty is empty, for example `not` in a rule. */
  "empty-mapping": problem({
    message: ({ field }: { field: string }) => `${code(field)} is empty: add a key to it, or remove it`,
    samples: [{ field: "match.not" }],
  }),
  /** A rule's `match` uses a field that rules can declare, such as tags. The result would depend on the order of the rules. */
  "match-by-facet": problem({
    message: ({ field, known }: { field: string; known: readonly string[] }) =>
      `${code(field)} uses a field that rules can declare, so the result would depend on the order of the rules: use ${choice(known)} instead`,
    samples: [{ field: "match.tags", known: ["platform", "name"] }],
  }),
  /** A rule has a key that does not apply to its kind of asset. For example, containers have no environment and no columns. */
  "match-not-of-kind": problem({
    message: ({ field, kinds }: { field: string; key: string; kinds: string }) =>
      `${code(field)} does not apply to ${kinds}: remove this key`,
    samples: [
      { field: "match.env", key: "env", kinds: "containers" },
      { field: "columns", key: "columns", kinds: "containers" },
    ],
  }),
  /** A rule has facets next to `declare` instead of under it. */
  "misplaced-facets": problem({
    message: ({ fields }: { fields: readonly string[]; write: string }) =>
      `in a rule, ${all(fields)} must be under \`declare\``,
    samples: [
      { fields: ["tags"], write: "declare: { tags: [pii] }" },
      { fields: ["domain", "tags"], write: "declare: { domain: finance, tags: [pii] }" },
    ],
  }),
  /** A rule declares nothing. */
  "empty-rule": problem({
    message: ({ rule, fields }: { rule: string; fields: readonly string[] }) =>
      `rule ${code(rule)} declares nothing: add ${code("declare")} with ${choice(fields)}`,
    samples: [{ rule: "finance", fields: ["domain", "tags"] }],
  }),
  /** Two rules have the same id. Both places are reported. */
  "duplicate-rule": problem({
    message: ({ rule }: { rule: string }) => `another rule has the id ${code(rule)}: use a different id`,
    samples: [{ rule: "finance" }],
  }),
  /** `exempt` lists a rule that does not exist. */
  "unknown-rule": problem({
    message: ({ rule }: Misspelled & { rule: string }) =>
      `${code("exempt")} lists ${code(rule)}, but no rule has this id`,
    samples: [{ rule: "finanse", suggestion: "finance" }],
  }),
  /**
   * Warning: a pattern in a rule or in a policy's `match` looks like a regular expression: it has `^`, `$` or `.*` at either end,
   * `|`, a backslash, or a character class. In a pattern, only `*` is special.
   */
  "looks-like-regex": problem({
    message: ({ pattern }: { pattern: string }) =>
      `${code(pattern)} looks like a regular expression, but only \`*\` is special in a pattern; to match any of several patterns, write a list`,
    samples: [{ pattern: ".*(email|phone).*" }],
  }),
  /**
   * Two rules with the same priority declare different values for a single-valued field of an asset, such as the domain. Both
   * places are reported.
   */
  "rule-conflict": problem({
    message: (args: Clash) =>
      `${bothRules(args.rules)} declare different values for ${code(args.facet)} of ${assetsIn(args)}: ${isOneRule(args.rules) ? "narrow one of them" : "give one of them a higher `priority`, or narrow its `match`"}`,
    samples: [
      { facet: "domain", rules: ["finance", "sales"], urn: orders, count: 1 },
      { facet: "domain", rules: ["finance", "sales"], urn: orders, count: 12 },
      { facet: "columns.description", rules: ["finance", "finance"], urn: orders, count: 1 },
    ],
  }),
  /** Two rules, or a rule and a manifest, set different modes for a facet of an asset. Both places are reported. */
  "rule-modes": problem({
    message: (args: Clash) =>
      `${args.rules.length > 1 ? bothRules(args.rules) : `rule ${choice(args.rules)} and a manifest`} set different modes for ${code(args.facet)} of ${assetsIn(args)}: keep only one of the two modes`,
    samples: [
      { facet: "tags", rules: ["finance", "sales"], urn: orders, count: 1 },
      { facet: "tags", rules: ["finance"], urn: orders, count: 2 },
    ],
  }),
  /** Warning: a rule matches no asset in the catalog. */
  "rule-matches-nothing": problem({
    message: ({ rule }: { rule: string }) =>
      `rule ${code(rule)} matches nothing in the catalog: correct its \`match\`, or remove the rule; run \`explain\` to see why a given asset does not match`,
    samples: [{ rule: "finance" }],
  }),
  /**
   * Warning from `validate --strict`: a rule matches assets, but one of its patterns matches none of their columns. Patterns
   * match simple names and are case-sensitive.
   */
  "pattern-matches-nothing": problem({
    message: ({ rule, pattern }: { rule: string; pattern: string }) =>
      `${code(pattern)} matches no column of the assets that rule ${code(rule)} matches: correct or remove the pattern`,
    samples: [{ rule: "finance", pattern: "*emial" }],
  }),
  /**
   * `plan --snapshot`: the snapshot does not contain the assets that the rule may match, because it was taken without the rule.
   */
  "rule-not-in-snapshot": problem({
    message: ({ rule }: { rule: string }) =>
      `the snapshot does not contain the assets that rule ${code(rule)} may match: take a new snapshot now that the manifests contain this rule, or plan against the server`,
    samples: [{ rule: "snowflake" }],
  }),
};

function bothRules(rules: readonly string[]): string {
  return isOneRule(rules)
    ? `two column patterns of rule ${choice(rules.slice(0, 1))}`
    : `rules ${rules.map(code).join(" and ")}`;
}

function isOneRule([first, second]: readonly string[]): boolean {
  return first === second;
}

function assetsIn({ urn, count }: Clash): string {
  return count === 1 ? code(urn) : `${count} assets, including ${code(urn)}`;
}

import type { Rule } from "../../src/model/rule.ts";
import { columnTagged, ruleOf, where } from "./assets.ts";

/** A rule of a kind that matches by these texts, by key, and declares nothing. */
export function ruleFor(
  kind: string,
  match: Readonly<Record<string, string | readonly string[]>> = {},
): Rule {
  const conditions = Object.entries(match).map(([key, patterns]) => where(key, ...[patterns].flat()));
  return ruleOf("rule", { kind, conditions });
}

/** A rule that declares something of all columns, too. */
export function withColumns(rule: Rule): Rule {
  return { ...rule, columns: [columnTagged("*", "pii")] };
}

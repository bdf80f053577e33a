/** Collects rules and exemptions, and reports duplicate ids and exemptions from unknown rules. */

import type { Origin } from "../../model/origin.ts";
import type { Problem } from "../../model/problem.ts";
import type { Exemptions, Rule } from "../../model/rule.ts";
import { nearestSpelling } from "../../model/text/suggestion.ts";
import type { Urn } from "../../model/urn.ts";
import { errorAt } from "../base/problem.ts";
import type { Declaration } from "../../model/declaration.ts";

/** Returns one rule for each id. A second rule with the same id is left out and reported as a problem. */
export function rulesOf(written: readonly Rule[]): {
  readonly rules: readonly Rule[];
  readonly problems: readonly Problem[];
} {
  const rules = new Map<string, Rule>();
  const problems: Problem[] = [];
  for (const rule of written) {
    const first = rules.get(rule.id);
    if (first) problems.push(errorAt(rule.origin, "duplicate-rule", { rule: rule.id }, first.origin));
    else rules.set(rule.id, rule);
  }
  return { rules: [...rules.values()], problems };
}

/** Returns the ids of the rules that do not apply to each asset, keyed by the asset's URN. */
export function exemptionsOf(declarations: Iterable<Declaration>): Exemptions {
  const exempt = new Map<Urn, ReadonlySet<string>>();
  for (const declaration of declarations) {
    if (!declaration.exempt) continue;
    const { urn } = declaration.entity;
    exempt.set(urn, new Set([...(exempt.get(urn) ?? []), ...declaration.exempt.keys()]));
  }
  return exempt;
}

const noExemptions: ReadonlyMap<string, Origin> = new Map();

/** Reports exemptions from unknown rules. */
export function unknownRules(
  declarations: Iterable<Declaration>,
  rules: readonly Rule[],
): readonly Problem[] {
  const known = new Set(rules.map(({ id }) => id));
  const problems: Problem[] = [];
  for (const { exempt = noExemptions } of declarations) {
    for (const [rule, origin] of exempt) {
      if (known.has(rule)) continue;
      problems.push(errorAt(origin, "unknown-rule", { rule, suggestion: nearestSpelling(rule, known) }));
    }
  }
  return problems;
}

/** Matches entities and columns against the conditions of policies and waivers. */

import { kindOf } from "../../kinds/index.ts";
import { urnKey } from "../../kinds/match-key.ts";
import type { Matching, PolicyCondition } from "../../model/catalog-policy.ts";
import type { AssetColumn } from "../../model/rule.ts";
import { isMet, matcherFor, nameMatcherFor } from "../rules/match.ts";
import { allOf, anyOf, not, type Subject, textsOf, type Truth, valuesAt } from "./subject.ts";

/** Whether the conditions of a policy or waiver match an entity. The entity must be of the policy's kind. */
export function matchesSubject(matching: Matching, subject: Subject): Truth {
  const own = kindOf(subject.asset.kind).matchedBy ?? [];
  return matches(matching, (condition) => {
    const { key, patterns, path } = condition;
    if (key === urnKey) return matcherFor(condition, patterns)(subject.asset.urn);
    if (!own.some((each) => each.key === key)) return hasValue(condition, subject, path);
    return subject.isUnread ? "unknown" : isMet(condition, subject.asset);
  });
}

/** Whether a policy's column conditions match a column of an entity. */
export function matchesColumn(matching: Matching, subject: Subject, column: AssetColumn): Truth {
  return matches(matching, (condition) => {
    const { key, patterns, path = [] } = condition;
    const texts = Object.hasOwn(columnTexts, key) ? columnTexts[key]?.(column) : undefined;
    if (texts) return texts.some(matcherFor(condition, patterns));
    return hasValue(condition, subject, [column.path, ...path]);
  });
}

/** The functions that return a column's strings for match keys that are not facets. */
const columnTexts: Readonly<Record<string, (column: AssetColumn) => readonly string[]>> = {
  name: ({ name, path }) => [name, path],
  type: ({ nativeType }) => (nativeType === undefined ? [] : [nativeType]),
};

function matches({ conditions, exclusions }: Matching, holds: (condition: PolicyCondition) => Truth): Truth {
  return allOf([...conditions.map(holds), ...exclusions.map((all) => not(allOf(all.map(holds))))]);
}

function hasValue(condition: PolicyCondition, subject: Subject, path: PolicyCondition["path"]): Truth {
  const { key, patterns } = condition;
  const values = valuesAt(subject, key, path);
  if (values === undefined) return "unknown";
  return anyOf(values.map((value) => textsOf(key, value).some(nameMatcherFor(condition, patterns))));
}

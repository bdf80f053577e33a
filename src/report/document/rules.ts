/** Describes a rule's effect in a sentence. */

import { facetNamed } from "../../facets/index.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Names } from "../../model/plan.ts";
import type { RuleCount, ValueCount } from "../../model/rule-count.ts";
import type { Member, Scalar } from "../../model/state.ts";
import { isUrn, plainKeyOf } from "../../model/urn.ts";
import { numberText } from "../count.ts";
import { displayNameOf, entitiesText } from "./values.ts";

/**
 * Describes a rule's effect, with the rule as the subject: "matches 40 datasets; sets domain Finance on 29, 13 of them new;
 * overruled on 11". Omits zeros. If some assets could not be read, includes only the number of known matches.
 */
export function ruleText(rule: RuleCount, names?: Names): string {
  const { values, incomplete: isIncomplete = false } = rule;
  const similar = groupBy(values, ({ facet, path = [], on, new: added, overruled }) =>
    [facet, ...path, ...(isIncomplete ? [] : [on, added, overruled])].join(),
  );
  const effects = [...similar.values()].map((each) => effectText(each, isIncomplete, names));
  return [matchedText(rule), ...effects].join("; ");
}

function matchedText({ kind, matched, matchedInPart, incomplete }: RuleCount): string {
  const all = entitiesText(matched, kind);
  if (incomplete) return `matches at least ${all}, but some entities could not be read`;
  const inPart = matchedInPart === matched ? "" : `, ${numberText(matchedInPart)} of them in this selection`;
  return `matches ${all}${inPart}`;
}

function effectText(values: readonly ValueCount[], isIncomplete: boolean, names?: Names): string {
  const [first] = values;
  if (!first) return "";
  const all = values.map(({ value }) => value);
  const sets = `sets ${[first.facet, ...(first.path ?? [])].join(" ")} ${valuesText(first.facet, all, names)}`;
  if (isIncomplete) return sets;
  const added = first.new > 0 ? `, ${numberText(first.new)} of them new` : "";
  const overruled = first.overruled > 0 ? `; overruled on ${numberText(first.overruled)}` : "";
  return `${sets} on ${first.on > 0 ? numberText(first.on) : "none"}${added}${overruled}`;
}

/** The maximum number of values to list for a facet. All other values are counted, but not listed. */
const maxValues = 5;

function valuesText(facet: string, values: readonly (Member | Scalar)[], names?: Names): string {
  const shown = values.slice(0, maxValues).map((value) => {
    if (value === null) return "none";
    return facetNamed(facet).format(value, (text) =>
      isUrn(text) ? (displayNameOf(text, names) ?? plainKeyOf(text)) : text,
    );
  });
  if (values.length > maxValues) shown.push(`${values.length - maxValues} more`);
  return shown.length === 0 ? "none" : shown.join(" and ");
}

import { facetNamed } from "../facets/index.ts";
import { findKind } from "../kinds/index.ts";
import { groupBy } from "../model/group-by.ts";
import type { Names, RuleCount, ValueCount } from "../model/plan.ts";
import type { Member, Scalar } from "../model/state.ts";
import { isUrn, plainKeyOf } from "../model/urn.ts";
import { many, numberText } from "./markdown/section.ts";

/**
 * What a rule does, in a sentence: "rule finance: matches 40 datasets; sets domain Finance on 29, 13 of them new; overruled on
 * 11". Where assets could not be read it has no numbers but how many are known to match.
 */
export function ruleText(rule: RuleCount, names?: Names): { readonly rule: string; readonly does: string } {
  const { id, values, incomplete: isIncomplete = false } = rule;
  const alike = groupBy(values, (each) => (isIncomplete ? each.facet : countsKey(each)));
  const effects = [...alike.values()].map((each) => effectText(each, isIncomplete, names));
  return { rule: `rule ${id}`, does: [matchedText(rule), ...effects].join("; ") };
}

function matchedText({ kind, matched, matchedInPart, incomplete }: RuleCount): string {
  const noun = kind.toLowerCase();
  const nouns = [noun, findKind(kind)?.plural ?? `${noun}s`] as const;
  if (incomplete) return `matches at least ${many(matched, nouns)}, but some could not be read`;
  const inPart = matchedInPart === matched ? "" : `, ${numberText(matchedInPart)} of them in this part`;
  return `matches ${many(matched, nouns)}${inPart}`;
}

function countsKey({ facet, on, new: fresh, overruled }: ValueCount): string {
  return [facet, on, fresh, overruled].join();
}

function effectText(values: readonly ValueCount[], isIncomplete: boolean, names?: Names): string {
  const [first] = values;
  if (!first) return "";
  const all = values.map(({ value }) => value);
  const sets = `sets ${first.facet} ${valuesText(first.facet, all, names)}`;
  if (isIncomplete) return sets;
  const [on, fresh, overruled] = [first.on, first.new, first.overruled].map(numberText);
  return `${sets} on ${on}, ${fresh} of them new; overruled on ${overruled}`;
}

/** More values of one facet than this are counted. */
const mostValues = 5;

function valuesText(facet: string, values: readonly (Member | Scalar)[], names?: Names): string {
  const shown = values.slice(0, mostValues).map((value) => valueText(facet, value, names));
  if (values.length > mostValues) shown.push(`${values.length - mostValues} more`);
  return shown.length === 0 ? "none" : shown.join(" and ");
}

function valueText(facet: string, value: Member | Scalar, names: Names = {}): string {
  if (value === null) return "none";
  return facetNamed(facet).format(value, (text) => {
    if (!isUrn(text)) return text;
    const name = Object.hasOwn(names, text) ? names[text] : undefined;
    return name ?? plainKeyOf(text);
  });
}

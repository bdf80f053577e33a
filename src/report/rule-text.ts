import { facetNamed } from "../facets/index.ts";
import { findKind } from "../kinds/index.ts";
import type { Names, RuleCount } from "../model/plan.ts";
import type { Member, Scalar } from "../model/state.ts";
import { isUrn, plainKeyOf } from "../model/urn.ts";
import { many } from "./markdown/section.ts";

/** What a rule does, in a sentence: "rule finance: domain Finance on 1,204 datasets, 13 of them new". */
export function ruleText(
  { id, kind, matched, changed, declares }: RuleCount,
  names?: Names,
): { readonly rule: string; readonly does: string } {
  const what = declares.map(({ facet, values }) => `${facet} ${valuesText(facet, values, names)}`);
  const noun = kind.toLowerCase();
  const assets = many(matched, [noun, findKind(kind)?.plural ?? `${noun}s`]);
  const fresh = changed === 0 ? "none of them new" : `${many(changed, ["of them", "of them"])} new`;
  return { rule: `rule ${id}`, does: `${what.join(", ")} on ${assets}, ${fresh}` };
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

/** Determines which entities and values the ignore rules exclude from changes. */

import { otherEndOf } from "../../facets/index.ts";
import type { IgnoreRule } from "../../model/settings.ts";
import type { Member, Scalar } from "../../model/state.ts";
import { compareText } from "../../model/json.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { matcherOf } from "../../model/text/pattern.ts";
import { textsIn } from "./values.ts";

/** Prepared ignore rules. The first matching rule applies. */
export interface Ignored {
  /**
   * Returns the rule that covers a value. Only a rule without a value covers `null`. A membership is covered by rules for either
   * of its ends.
   */
  value(urn: Urn, facet: string, value: Member | Scalar): IgnoreRule | undefined;
  /**
   * Returns the patterns that cover elements of an entity's set. A pattern covers an element if it matches one of the element's
   * strings.
   */
  patterns(urn: Urn, facet: string): readonly string[];
  /** Returns the rule that covers an entity and all its values. */
  entity(urn: Urn): IgnoreRule | undefined;
  /** Returns the rules whose value pattern matches a string. */
  naming(text: string): readonly IgnoreRule[];
}

interface Matching {
  readonly rule: IgnoreRule;
  readonly urn: (urn: string) => boolean;
  readonly value: (text: string) => boolean;
}

/** No ignore rules, as in most repositories. */
export const nothingIgnored: Ignored = {
  value: () => undefined,
  patterns: () => [],
  entity: () => undefined,
  naming: () => [],
};

/** Prepares ignore rules. Each pattern is parsed only once, and each text is matched against all patterns only once. */
export function ignoring(rules: readonly IgnoreRule[]): Ignored {
  if (rules.length === 0) return nothingIgnored;
  const all = rules.map(matchingOf);
  const ofAnyValue = all.filter(({ rule }) => rule.value === undefined);
  const ofEntities = ofAnyValue.filter(({ rule }) => rule.urn !== undefined && rule.facet === undefined);
  const byText = new Map<string, readonly Matching[]>();
  const forValue = (value: Member | Scalar): readonly Matching[] => {
    const texts = textsIn(value);
    if (texts.length === 0) return ofAnyValue;
    const key = texts.join("\0");
    const known = byText.get(key) ?? all.filter((each) => texts.some(each.value));
    byText.set(key, known);
    return known;
  };
  const found = (urn: Urn, facet: string, value: Member | Scalar): IgnoreRule | undefined =>
    forValue(value).find(({ rule, urn: fits }) => (rule.facet ?? facet) === facet && fits(urn))?.rule;
  return {
    value: (urn, facet, value) => {
      const otherEnd = otherEndOf(facet);
      const rule = found(urn, facet, value);
      return rule ?? (otherEnd !== undefined && isUrn(value) ? found(value, otherEnd, urn) : undefined);
    },
    patterns: (urn, facet) => {
      const otherEnd = otherEndOf(facet);
      const own = all.filter(({ rule, urn: fits }) => (rule.facet ?? facet) === facet && fits(urn));
      const others = all.filter(
        ({ rule, value }) => otherEnd !== undefined && (rule.facet ?? otherEnd) === otherEnd && value(urn),
      );
      return [
        ...new Set([
          ...own.map(({ rule }) => rule.value ?? "*"),
          ...others.map(({ rule }) => rule.urn ?? "*"),
        ]),
      ].toSorted(compareText);
    },
    entity: (urn) => ofEntities.find(({ urn: fits }) => fits(urn))?.rule,
    naming: (text) =>
      all.filter(({ rule, value }) => rule.value !== undefined && value(text)).map(({ rule }) => rule),
  };
}

function matchingOf(rule: IgnoreRule): Matching {
  return { rule, urn: rememberingLast(matcherOf(rule.urn ?? "*")), value: matcherOf(rule.value ?? "*") };
}

// Caches the last result, because callers check all values of an entity in succession.
function rememberingLast(matches: (text: string) => boolean): (text: string) => boolean {
  let last: string | undefined;
  let answer = false;
  return (text) => {
    if (text !== last) {
      last = text;
      answer = matches(text);
    }
    return answer;
  };
}

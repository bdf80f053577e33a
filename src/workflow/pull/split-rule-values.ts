/** Splits a change between documents and rules. A pull can write only values that documents declare. */

import { namesAmong } from "../../facets/places.ts";
import { leafIn } from "../../model/place.ts";
import { type FacetChange, isSetChange } from "../../model/change.ts";
import { compareText } from "../../model/json.ts";
import { type Contribution, type Entity, type Leaf, type State, without } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { valueKey } from "../../model/values.ts";

/** The part of a change that affects values from documents, and the rules that declare the remaining values. */
interface SplitChange {
  readonly own?: FacetChange;
  /** The ids of the rules, sorted. */
  readonly rules: readonly string[];
}

/**
 * The declarations from documents, and the declarations from rules for each asset. `live` shows which column a name refers to.
 */
export interface DocumentsAndRules {
  readonly state: State;
  readonly ruled: ReadonlyMap<Urn, Entity["facets"]>;
  readonly live?: State;
}

/** Splits a change between documents and rules. `own` omits the values that only rules declare. */
export function splitRuleValues(change: FacetChange, { state, ruled, live }: DocumentsAndRules): SplitChange {
  const facets = ruled.get(change.urn);
  const value = facets && leafIn({ facets }, change);
  if (!value) return { own: change, rules: [] };
  const names = namesAmong(change, live?.get(change.urn)?.facets.get(change.facet));
  const documents = state.get(change.urn);
  if (!names.some((place) => leafIn(documents, place))) return { rules: rulesOf(change, value) };
  if (!isSetChange(change) || value.shape !== "set") return { own: change, rules: [] };
  const add = without(change.add, value.members);
  const left = new Set(without(change.add, add).map(valueKey));
  return {
    ...(add.length + change.remove.length > 0 && { own: { ...change, add } }),
    rules: idsIn(value, ({ values }) => values.some((each) => left.has(valueKey(each)))),
  };
}

/**
 * Returns the rules that declare a value and caused the change. If there are none, returns all rules that declare the value.
 * These rules preserve the value when a different rule stops declaring it.
 */
function rulesOf({ rules = [] }: FacetChange, value: Leaf): readonly string[] {
  const declaring = idsIn(value);
  const behind = rules.filter((id) => declaring.includes(id));
  return behind.length > 0 ? behind : declaring;
}

function idsIn({ by = [] }: Leaf, isMeant: (each: Contribution) => boolean = () => true): readonly string[] {
  return [...new Set(by.filter(isMeant).flatMap(({ rule }) => rule ?? []))].toSorted(compareText);
}

import { namesAmong } from "../facets/places.ts";
import { leafIn } from "../model/place.ts";
import { type FacetChange, isSetChange } from "../model/change.ts";
import { compareText } from "../model/json.ts";
import { type Contribution, type Entity, type Leaf, type State, without } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";
import { valueKey } from "../plan/diff/values.ts";

/** The part of a change that documents decide, and the rules that decide the rest. */
interface SplitChange {
  readonly own?: FacetChange;
  /** In the order of their ids. */
  readonly rules: readonly string[];
}

/** What documents declare, by asset what rules do, and what is live where only that says what a name means. */
export interface DocumentsAndRules {
  readonly state: State;
  readonly ruled: ReadonlyMap<Urn, Entity["facets"]>;
  readonly live?: State;
}

/** Divides a change between documents and rules: documents cannot take over what only rules declare. */
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

/** The rules behind a change. What a rule no longer declares, the others keep from coming back. */
function rulesOf({ rules = [] }: FacetChange, value: Leaf): readonly string[] {
  const declaring = idsIn(value);
  const behind = rules.filter((id) => declaring.includes(id));
  return behind.length > 0 ? behind : declaring;
}

function idsIn({ by = [] }: Leaf, isMeant: (each: Contribution) => boolean = () => true): readonly string[] {
  return [...new Set(by.filter(isMeant).flatMap(({ rule }) => rule ?? []))].toSorted(compareText);
}

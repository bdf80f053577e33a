/** Counts the effects of each rule in a plan: matched assets, changed assets, and assets that get each value. */

import { edgeSetOf } from "../../facets/index.ts";
import { isOfColumns, namesOfPlace } from "../../facets/places.ts";
import { leafIn, pathKey, type Place, placeAt, placedLeaves } from "../../model/place.ts";
import {
  isFacetChange,
  isSetChange,
  type Change,
  type FacetChange,
  type SetChange,
} from "../../model/change.ts";
import { canonicalJson, compareText } from "../../model/json.ts";
import type { RuleCount, ValueCount } from "../../model/rule-count.ts";
import type { Rule } from "../../model/rule.ts";
import { isSameValue, type Leaf, type Member, type Scalar } from "../../model/state.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { kindOfUrn } from "../../kinds/index.ts";
import type { PlannedPart } from "../base/policy.ts";
import type { Contributions, Expanded } from "./expand.ts";
import { byId } from "./group.ts";
import { valueKey } from "../../model/values.ts";

/** The changes and the selection of a plan, and the entities for which the effects of rules are unknown. */
interface Planned extends PlannedPart {
  /** The plan's changes. All changes of an asset must be adjacent, as they are in every plan. */
  readonly changes: readonly Change[];
  /** The assets whose matching rules are unknown. */
  readonly unknown: Iterable<Urn>;
  /** The entities whose values could not be read. */
  readonly unreadable: Iterable<Urn>;
}

/** The counts of a rule, and the counts of its values, keyed by place and value. */
interface Counter extends Mutable<Omit<RuleCount, "values">> {
  readonly values: Map<string, Mutable<ValueCount>>;
}

type Mutable<Some> = { -readonly [Key in keyof Some]: Some[Key] };

/** Counts the effects of all rules, and returns the counts sorted by rule id. Stores no data about individual assets. */
export function countRules(
  expanded: Expanded,
  rules: readonly Rule[],
  planned: Planned,
): readonly RuleCount[] {
  const { part, changes } = planned;
  const counters = new Map(rules.toSorted(byId).map((rule) => [rule.id, counterOf(rule)]));
  for (const { rules: matching, urns } of expanded.matches) {
    const inPart = sizeIn(urns, part);
    for (const { id } of matching) {
      const counter = counters.get(id);
      if (!counter) continue;
      counter.matched += urns.length;
      counter.matchedInPart += inPart;
    }
  }
  for (const contributions of expanded.contributions) addEffects(counters, contributions, part);
  addChanges(counters, withEdgesAtMembers(changes, expanded), expanded);
  for (const id of incompleteRules(expanded, rules, planned)) {
    const counter = counters.get(id);
    if (counter) counter.incomplete = true;
  }
  return [...counters.values()].map(({ values, ...counter }) => ({
    ...counter,
    values: [...values.values()],
  }));
}

function counterOf({ id, kind, facets, columns }: Rule): Counter {
  const values = new Map<string, Mutable<ValueCount>>();
  for (const own of [facets, ...columns.map((column) => column.facets)])
    for (const { place, leaf } of placedLeaves(own))
      for (const value of valuesDeclared(leaf))
        values.set(keyOf(place, value), { ...place, value, on: 0, new: 0, overruled: 0 });
  return { id, kind, matched: 0, matchedInPart: 0, changed: 0, values };
}

/** Returns the values that a rule declares at a place. An empty set counts as one value. */
function valuesDeclared(declared: Leaf): readonly (Member | Scalar)[] {
  if (declared.shape === "scalar") return [declared.value];
  return declared.members.length > 0 ? declared.members : [null];
}

function keyOf({ facet, path }: Place, value: Member | Scalar): string {
  return `${facet} ${pathKey(path)} ${canonicalJson(value)}`;
}

/** Returns a place without its column, because the values of a rule are counted across all columns. */
function beyondColumn({ facet, path = [] }: Place): Place {
  return placeAt(facet, isOfColumns(facet) ? path.slice(1) : path);
}

function sizeIn(urns: readonly Urn[], part: Planned["part"]): number {
  return part ? urns.filter((urn) => part.has(urn)).length : urns.length;
}

/** Counts, for each value of a rule, the assets that get this value and the assets that get a different value instead. */
function addEffects(
  counters: ReadonlyMap<string, Counter>,
  { contributors, facets, urns }: Contributions,
  part: Planned["part"],
): void {
  const size = sizeIn(urns, part);
  if (size === 0) return;
  const [on, overruled] = [new Set<Mutable<ValueCount>>(), new Set<Mutable<ValueCount>>()];
  for (const { rule = "", facets: declared } of contributors) {
    for (const { place, leaf } of placedLeaves(declared)) {
      const effective = leafIn({ facets }, place);
      // If rules with the same priority contradict each other, no value takes effect.
      if (!effective) continue;
      for (const value of valuesDeclared(leaf)) {
        const counted = counters.get(rule)?.values.get(keyOf(beyondColumn(place), value));
        if (counted) (hasValue(effective, value) ? on : overruled).add(counted);
      }
    }
  }
  for (const counted of on) counted.on += size;
  for (const counted of overruled) counted.overruled += size;
}

/**
 * Whether a declared value takes effect. Sets are combined, so an element always takes effect. An empty set takes effect only if
 * no other declaration adds elements.
 */
function hasValue(effective: Leaf, value: Member | Scalar): boolean {
  if (effective.shape === "scalar") return isSameValue(effective.value, value);
  return value !== null || effective.members.length === 0;
}

/** Converts edge changes from changes to groups into changes to members, because rules declare edges for the members. */
function withEdgesAtMembers(changes: readonly Change[], { contributorsOf }: Expanded): readonly Change[] {
  const moved: SetChange[] = [];
  const others = changes.filter((change) => {
    const inverse = isFacetChange(change) && isSetChange(change) && edgeSetOf(change.facet)?.inverse;
    if (!inverse) return true;
    const { urn: group, add, remove, rules, ...rest } = change;
    for (const member of [...add, ...remove].filter(isUrn)) {
      const kind = kindOfUrn(member)?.name;
      const causes = contributorsOf(member).flatMap(({ rule, facets }) =>
        rule !== undefined && facets.has(inverse) ? [rule] : [],
      );
      if (kind === undefined || causes.length === 0) continue;
      const [added, removed] = add.includes(member) ? [[group], []] : [[], [group]];
      moved.push({ ...rest, kind, urn: member, facet: inverse, add: added, remove: removed, rules: causes });
    }
    return false;
  });
  if (moved.length === 0) return changes;
  return [...others, ...moved].toSorted((a, b) => compareText(a.urn, b.urn));
}

/** For each rule, counts the assets that it changes and, for each of its values, the assets on which the value is new. */
function addChanges(
  counters: ReadonlyMap<string, Counter>,
  changes: readonly Change[],
  expanded: Expanded,
): void {
  let last: Urn | undefined;
  const [changed, added] = [new Set<Counter>(), new Set<Mutable<ValueCount>>()];
  const countLast = (): void => {
    for (const counter of changed) counter.changed += 1;
    for (const counted of added) counted.new += 1;
    changed.clear();
    added.clear();
  };
  for (const change of changes) {
    if (change.urn !== last) countLast();
    last = change.urn;
    for (const rule of change.rules ?? []) {
      const counter = counters.get(rule);
      if (counter) changed.add(counter);
    }
    if (!isFacetChange(change)) continue;
    for (const { rule = "", facets } of expanded.contributorsOf(change.urn)) {
      const declared = leafNamed({ facets }, change);
      for (const value of declared ? valuesDeclared(declared) : []) {
        const counted = counters.get(rule)?.values.get(keyOf(beyondColumn(change), value));
        if (counted && isAdded(value, change, expanded)) added.add(counted);
      }
    }
  }
  countLast();
}

/** Returns the declaration at a change's place. If a document uses plain names as keys, so do the rules' declarations. */
function leafNamed(entity: Parameters<typeof leafIn>[0], change: FacetChange): Leaf | undefined {
  const [leaf] = namesOfPlace(change).flatMap((place) => leafIn(entity, place) ?? []);
  return leaf;
}

function isAdded(value: Member | Scalar, change: FacetChange, { state }: Expanded): boolean {
  if (change.shape === "scalar") return isSameValue(change.after, value);
  if (value !== null) return change.add.some((member) => valueKey(member) === valueKey(value));
  const effective = leafNamed(state.get(change.urn), change);
  return effective !== undefined && hasValue(effective, null);
}

/** Returns the rules whose effects are unknown because of assets that could not be read. */
function incompleteRules(
  { contributorsOf }: Expanded,
  rules: readonly Rule[],
  { unknown, unreadable }: Planned,
): ReadonlySet<string> {
  const kinds = new Set<string | undefined>([...unknown].map((urn) => kindOfUrn(urn)?.name));
  const ids = new Set(rules.filter(({ kind }) => kinds.has(kind)).map(({ id }) => id));
  for (const urn of unreadable) {
    for (const { rule } of contributorsOf(urn)) if (rule !== undefined) ids.add(rule);
  }
  return ids;
}

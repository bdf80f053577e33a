/** Computes fingerprints of live values, which let an apply detect values that changed after the plan was created. */

import { edgeSetOf } from "../../facets/index.ts";
import type { ChangedElements, Coverage, CoveredElements } from "../../model/change.ts";
import { type Leaf, type Member, memberKey, setOf, without } from "../../model/state.ts";
import type { Mode } from "../../model/settings.ts";
import { matcherOf } from "../../model/text/pattern.ts";
import { textsIn } from "../base/values.ts";
import { sha256 } from "../base/hash.ts";
import type { Note } from "./note.ts";

/** The values that a fingerprint covers: a single value, or certain elements of a set. */
type Fingerprinted = { readonly shape: "scalar" } | ({ readonly shape: "set" } & CoveredElements);

/**
 * Computes the fingerprint of the live value before a change. Two fingerprints differ if and only if the covered parts of the
 * values differ.
 */
export function fingerprintOf(live: Leaf | undefined, change: Fingerprinted): string {
  if (change.shape !== "set") {
    const value = live?.shape === "scalar" ? live.value : null;
    return value === null ? ofNull : sha256(value);
  }
  const covered = coveredIn(live?.shape === "set" ? live.members : [], change);
  return covered.length === 0 ? ofNoElements : sha256(covered);
}

// Most values are added to empty places, so most changes in a large plan can share these two strings.
const [ofNull, ofNoElements] = [sha256(null), sha256([])];

/** Returns the set elements that the fingerprint of a change covers. */
export function coveredIn(
  members: readonly Member[],
  { add, remove, covers }: CoveredElements,
): readonly Member[] {
  if (!covers) return members;
  const always = new Set([...add, ...remove, ...covers.elements].map(memberKey));
  const except = covers.except.map(matcherOf);
  return members.filter(
    (member) =>
      always.has(memberKey(member)) ||
      !textsIn(member).some((text) => except.some((matches) => matches(text))),
  );
}

/** Adds the fingerprint and, for a set, its coverage (the elements that the fingerprint covers). */
export const fingerprint: Note = {
  name: "fingerprint",
  of: (change, { plan: { policy, states }, mode, desired, live, base }) => {
    if (change.shape !== "set") return { fingerprint: fingerprintOf(live, change) };
    const { urn, facet } = change;
    const covers = coverageOf(facet, change, {
      mode,
      desired: membersOf(desired),
      live: membersOf(live),
      base: membersOf(base),
      ignored: policy.ignored.patterns(urn, facet),
      isWhole: !edgeSetOf(facet) || states.declared.get(urn)?.facets.has(facet) === true,
    });
    const covered = { ...change, ...(covers && { covers }) };
    return { ...(covers && { covers }), fingerprint: fingerprintOf(live, covered) };
  },
};

function membersOf(value: Leaf | undefined): readonly Member[] {
  return value?.shape === "set" ? value.members : [];
}

/** The settings and values that determine the covered elements. */
interface Sides {
  readonly mode: Mode;
  readonly desired: readonly Member[];
  readonly live: readonly Member[];
  readonly base: readonly Member[];
  /** Patterns that match the ignored elements. */
  readonly ignored: readonly string[];
  /** Whether the complete set is declared, rather than single elements that are declared at their other end. */
  readonly isWhole: boolean;
}

/**
 * Returns the coverage of a change's fingerprint: all set elements except the ignored ones. If other writers may add elements,
 * only elements that are or were declared are covered. For edges that members store, the coverage lists the elements explicitly,
 * because the index that finds them may lag behind.
 */
export function coverageOf(
  facet: string,
  { add, remove }: ChangedElements,
  { mode, isWhole, desired, live, base, ignored }: Sides,
): Coverage | undefined {
  const isOpen = mode === "authoritative" && isWhole;
  const isStoredByMembers = edgeSetOf(facet)?.storedByMembers !== undefined;
  const except = isOpen ? ignored : ["*"];
  let elements: readonly Member[] = [];
  if (isOpen && isStoredByMembers)
    elements = coveredIn(without(live, remove), { add: [], remove: [], covers: { elements: [], except } });
  if (!isOpen && isWhole && !isStoredByMembers)
    elements = without(setOf([...desired, ...base]).members, [...add, ...remove]);
  return elements.length + except.length === 0 ? undefined : { elements, except };
}

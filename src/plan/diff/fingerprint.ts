import { edgeSetOf } from "../../facets/index.ts";
import type { Coverage, ScalarChange, SetChange } from "../../model/change.ts";
import { type Leaf, type Member, memberKey, setOf, without } from "../../model/state.ts";
import type { Mode } from "../../model/settings.ts";
import { matcherOf } from "../../model/text/pattern.ts";
import { textsIn } from "./values.ts";
import { sha256 } from "../hash.ts";

/** What a fingerprint is about: a single value, or the elements of a set that a change covers. */
type Fingerprinted = Pick<ScalarChange, "shape"> | Pick<SetChange, "shape" | "add" | "remove" | "covers">;

/** The fingerprint of the live value that a change was computed from. If the covered part of that changes, it is another. */
export function fingerprintOf(live: Leaf | undefined, change: Fingerprinted): string {
  if (change.shape !== "set") {
    const value = live?.shape === "scalar" ? live.value : null;
    return value === null ? ofNull : sha256(value);
  }
  const covered = coveredIn(live?.shape === "set" ? live.members : [], change);
  return covered.length === 0 ? ofNoElements : sha256(covered);
}

// Most values are added where there is none: large plans have one text for all of these.
const [ofNull, ofNoElements] = [sha256(null), sha256([])];

/** The elements of a set that the fingerprint of a change covers. */
export function coveredIn(
  members: readonly Member[],
  { add, remove, covers }: Pick<SetChange, "add" | "remove" | "covers">,
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

/** What decides about what a fingerprint covers. */
interface Sides {
  readonly mode: Mode;
  readonly desired: readonly Member[];
  readonly live: readonly Member[];
  readonly base: readonly Member[];
  /** Patterns of the elements that are left alone. */
  readonly ignored: readonly string[];
  /** Whether all of the set is declared, and not single elements from their other end. */
  readonly isWhole: boolean;
}

/**
 * What the fingerprint of a change of a set covers: all elements but those that are left alone, and where others may add
 * some only those that are or were declared. Of edges that members store the index of the server finds the elements, and it may
 * lag: those that the plan saw are named, so that they need not be found again.
 */
export function coverageOf(
  change: Pick<SetChange, "facet" | "add" | "remove">,
  sides: Sides,
): Coverage | undefined {
  const covers = { elements: namedElements(change, sides), except: exceptOf(sides) };
  return covers.elements.length + covers.except.length === 0 ? undefined : covers;
}

function isOpen({ mode, isWhole }: Sides): boolean {
  return mode === "authoritative" && isWhole;
}

function exceptOf(sides: Sides): readonly string[] {
  return isOpen(sides) ? sides.ignored : ["*"];
}

function namedElements(
  { facet, add, remove }: Pick<SetChange, "facet" | "add" | "remove">,
  sides: Sides,
): readonly Member[] {
  const { desired, live, base, ignored } = sides;
  if (edgeSetOf(facet)?.storedByMembers) {
    const covers = { elements: [], except: ignored };
    return isOpen(sides) ? coveredIn(without(live, remove), { add: [], remove: [], covers }) : [];
  }
  if (isOpen(sides) || !sides.isWhole) return [];
  return without(setOf([...desired, ...base]).members, [...add, ...remove]);
}

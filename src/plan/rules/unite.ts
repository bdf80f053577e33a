/** Combines the declarations of documents and rules for one asset, and detects clashes. */

import type { Origin } from "../../model/origin.ts";
import type { Mode, Modes } from "../../model/settings.ts";
import {
  type Contribution,
  type FacetValue,
  isSameValue,
  type Leaf,
  type Member,
  type ScalarValue,
  setOf,
  type SetValue,
} from "../../model/state.ts";
import { contributionsTo } from "../base/declared-before.ts";

/** A source of declarations for an asset: all its documents together, or a matching rule. */
export interface Contributor {
  /** The id of the rule. Absent for documents. */
  readonly rule?: string;
  readonly priority: number;
  readonly facets: ReadonlyMap<string, FacetValue>;
  readonly manage: Modes;
  /** Returns the position at which the mode of a facet is set, or the contributor's own position if that position is unknown. */
  readonly modePlace: (facet: string) => Origin | undefined;
}

/** Two contradicting declarations: different single values with the same priority, or different modes. */
export interface Clash {
  readonly about: "value" | "mode";
  readonly facet: string;
  readonly first: Clashing;
  readonly second: Clashing;
}

/** One side of a clash. */
interface Clashing {
  /** The id of the rule. `undefined` for documents. */
  readonly rule: string | undefined;
  readonly origin: Origin | undefined;
}

/** The combined declarations of several contributors. */
export interface United {
  readonly facets: ReadonlyMap<string, FacetValue>;
  readonly manage?: Modes;
  readonly clashes: readonly Clash[];
}

interface Part<Value extends FacetValue = Leaf> {
  readonly contributor: Contributor;
  readonly value: Value;
}

/**
 * Combines declarations. Sets keep all elements. For single values, documents take precedence, followed by the rule with the
 * highest priority. Different values with the same priority clash.
 */
export function unite(contributors: readonly Contributor[]): United {
  const clashes: Clash[] = [];
  const facets = new Map<string, FacetValue>();
  for (const facet of new Set(contributors.flatMap((each) => [...each.facets.keys()]))) {
    const parts = contributors.flatMap((contributor): readonly Part<FacetValue>[] => {
      const value = contributor.facets.get(facet);
      return value ? [{ contributor, value }] : [];
    });
    const value = valueOf(facet, parts, clashes);
    if (value) facets.set(facet, value);
  }
  const manage = modesOf(contributors, facets, clashes);
  return { facets, ...(manage && { manage }), clashes };
}

function valueOf(
  facet: string,
  parts: readonly Part<FacetValue>[],
  clashes: Clash[],
): FacetValue | undefined {
  const leaves = parts.flatMap(({ contributor, value }) =>
    value.shape === "map" ? [] : [{ contributor, value }],
  );
  if (leaves.length === parts.length) return leafOf(facet, leaves, clashes);
  const below = new Map<string, Part<FacetValue>[]>();
  for (const { contributor, value } of parts) {
    for (const [key, each] of value.shape === "map" ? value.entries : []) {
      const own = below.get(key) ?? [];
      below.set(key, own);
      own.push({ contributor, value: each });
    }
  }
  const entries = [...below].flatMap(([key, own]) => {
    const value = valueOf(facet, own, clashes);
    return value ? [[key, value] as const] : [];
  });
  return { shape: "map", entries: new Map(entries) };
}

function leafOf(facet: string, parts: readonly Part[], clashes: Clash[]): Leaf | undefined {
  const [first] = parts;
  if (!first || parts.every(({ contributor }) => contributor.rule === undefined)) return first?.value;
  return first.value.shape === "set" ? setOfAll(parts) : scalarOfAll(facet, parts, clashes);
}

function setOfAll(parts: readonly Part[]): SetValue {
  const members = parts.flatMap(({ value }): readonly Member[] =>
    value.shape === "set" ? value.members : [],
  );
  const [first] = parts;
  return { ...setOf(members, first?.value.origin), by: parts.flatMap(contributionsOf) };
}

function scalarOfAll(facet: string, parts: readonly Part[], clashes: Clash[]): ScalarValue | undefined {
  const highest = parts.reduce((top, { contributor: { priority } }) => Math.max(top, priority), -Infinity);
  const top = parts.filter(({ contributor }) => contributor.priority === highest);
  const [first] = top;
  if (first?.value.shape !== "scalar") return undefined;
  if (first.contributor.rule === undefined) return first.value;
  const { value } = first.value;
  const other = top.find((each) => each.value.shape === "scalar" && !isSameValue(each.value.value, value));
  if (!other) return { ...first.value, by: top.flatMap(contributionsOf) };
  clashes.push({ about: "value", facet, first: clashing(first), second: clashing(other) });
  return undefined;
}

function clashing({ contributor: { rule }, value: { origin } }: Part): Clashing {
  return { rule, origin };
}

function contributionsOf({ contributor: { rule }, value }: Part): readonly Contribution[] {
  return contributionsTo(value, rule);
}

interface Given {
  readonly contributor: Contributor;
  readonly mode: Mode;
}

/** Returns the modes for all declared facets. */
function modesOf(
  contributors: readonly Contributor[],
  facets: ReadonlyMap<string, FacetValue>,
  clashes: Clash[],
): Modes | undefined {
  const modes: Record<string, Mode> = {};
  for (const [facet, value] of facets) {
    const given = contributors.flatMap((contributor): readonly Given[] => {
      const mode = contributor.manage[facet];
      return mode === undefined || isOverruled(contributor.facets.get(facet), value)
        ? []
        : [{ contributor, mode }];
    });
    const [first] = given;
    if (!first) continue;
    modes[facet] = first.mode;
    const other = given.find(({ mode }) => mode !== first.mode);
    if (other)
      clashes.push({ about: "mode", facet, first: placeOf(first, facet), second: placeOf(other, facet) });
  }
  return Object.keys(modes).length > 0 ? modes : undefined;
}

/** Whether a declared value was replaced by a different single value. For a map, whether this applies to all of its keys. */
function isOverruled(declared: FacetValue | undefined, united: FacetValue | undefined): boolean {
  if (declared?.shape === "scalar")
    return united?.shape === "scalar" && !isSameValue(united.value, declared.value);
  if (declared?.shape !== "map" || united?.shape !== "map" || declared.entries.size === 0) return false;
  return [...declared.entries].every(([key, value]) => isOverruled(value, united.entries.get(key)));
}

function placeOf({ contributor: { rule, modePlace } }: Given, facet: string): Clashing {
  return { rule, origin: modePlace(facet) };
}

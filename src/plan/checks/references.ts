/** Checks that referenced entities exist. */

import { edgeSetOf } from "../../facets/index.ts";
import { isAssetType, kindOfType, nounOfType } from "../../kinds/index.ts";
import { type Change, type FacetChange, isFacetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Problem } from "../../model/problem.ts";
import type { DeclaredReference, Existence, References } from "../../model/reference.ts";
import { nearestSpelling } from "../../model/text/suggestion.ts";
import { entityTypeOf, keyOf, plainKeyOf, type Urn } from "../../model/urn.ts";
import { readProblem } from "../../model/restricted.ts";
import type { Catalog, Desired } from "../base/catalog.ts";
import { isDefinition } from "../base/definitions.ts";
import { referencesOf } from "../base/values.ts";
import { referencesOfAbsent, type Written } from "./absent-places.ts";
import type { Check } from "./check.ts";

/** Checks that the target of each written reference exists. */
export const checkReferences: Check = ({ desired, catalog, policy, sides, pending }) => {
  const { references, state: declared } = desired;
  const { existence } = catalog;
  // In a partial plan, `existence` also contains declared definitions that could not be read.
  const isKnown = (urn: Urn): boolean => isDefinition(declared, urn) && !existence.has(urn);
  const absent = referencesOfAbsent(declared, sides.problems, policy.missing, policy.ignored);
  const toCheck = referencesToCheck(references, pending, isKnown, absent);
  return [
    ...referenceProblems(toCheck, existence, {
      others: mentionedIn(desired),
      isShard: policy.shard !== undefined,
    }),
    ...absentMembers(desired, catalog),
  ];
};

function* mentionedIn({ state, references }: Desired): Generator<Urn> {
  yield* state.keys();
  for (const { urn } of references) yield urn;
}

/** Returns the written references whose targets are not known to exist. `others` are references that later plans will write. */
export function referencesToCheck(
  references: References,
  changes: readonly Change[],
  known: (urn: Urn) => boolean,
  others: readonly Written[] = [],
): readonly DeclaredReference[] {
  const found: DeclaredReference[] = [];
  if (others.length === 0 && !changes.some(isFacetChange)) return found;
  // Computed only if a target is unknown, because building it requires a string for each written value.
  let written: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  for (const reference of references) {
    const { from, facet, urn } = reference;
    if (known(urn)) continue;
    written ??= writtenBy([...changes.filter(isFacetChange).flatMap(referencesIn), ...others]);
    if (written.get(from)?.has(`${facet} ${urn}`) === true) found.push(reference);
  }
  return found;
}

function writtenBy(references: readonly Written[]): ReadonlyMap<string, ReadonlySet<string>> {
  const written = new Map<string, Set<string>>();
  for (const [from, facet, to] of references) {
    const own = written.get(from) ?? new Set();
    written.set(from, own.add(`${facet} ${to}`));
  }
  return written;
}

/** Returns the references that a change adds. For an edge, this includes the reference from the other end. */
function referencesIn(change: FacetChange): readonly Written[] {
  const { urn, facet } = change;
  const urns = referencesOf(change);
  const own = urns.map((to): Written => [urn, facet, to]);
  const inverse = edgeSetOf(facet)?.inverse;
  if (inverse === undefined) return own;
  // A manifest at the other end may declare the same edge.
  return [...own, ...urns.map((member): Written => [member, inverse, urn])];
}

/**
 * Options for reference problems. `others` are URNs that can be suggested. For a shard, references are not counted, because other
 * shards may contain more of them.
 */
interface ReferenceContext {
  readonly others?: Iterable<Urn>;
  readonly isShard?: boolean;
}

/**
 * Returns a problem for each missing or unreadable target. The problem has the position of the first reference and the number of
 * references.
 */
export function referenceProblems(
  references: readonly DeclaredReference[],
  existence: ReadonlyMap<Urn, Existence>,
  { others = [], isShard = false }: ReferenceContext = {},
): readonly Problem[] {
  const suggest = suggesting(existence, others);
  return [...groupBy(references, ({ urn }) => urn)].flatMap(([urn, own]): readonly Problem[] => {
    const [first] = own;
    if (!first) return [];
    const { entityType, origin } = first;
    const found = existence.get(urn) ?? { status: "unreadable", error: "this command did not request it" };
    if (found.status === "present") return [];
    if (found.status === "unreadable") {
      return [{ ...readProblem({ urn, error: found.error }), severity: "error", origin }];
    }
    const kind = kindOfType(entityType)?.name;
    const counted = isShard ? {} : countOf(own);
    const args = { urn, what: kind ?? nounOfType(entityType), ...suggest(urn, entityType), ...counted };
    if (found.status !== "absent") return [{ code: "reference-removed", severity: "error", args, origin }];
    const id = kind !== undefined && !isAssetType(entityType) && { id: plainKeyOf(urn) };
    return [{ code: "reference-missing", severity: "error", args: { ...args, ...id }, origin }];
  });
}

/** The maximum number of additional positions in a problem. */
const maxOtherPlaces = 3;

/** Returns the number of references, if there are several, and the first few additional positions. */
function countOf(own: readonly DeclaredReference[]): {
  readonly times?: number;
  readonly also?: readonly string[];
} {
  const [place, ...also] = new Set(
    own.map(({ origin: { file, line, column } }) => `${file}:${line}:${column}`),
  );
  if (place === undefined || own.length === 1) return {};
  return { times: own.length, ...(also.length > 0 && { also: also.slice(0, maxOtherPlaces) }) };
}

/**
 * Returns a problem for each missing asset that only groups refer to, at its first position. No change refers to these assets.
 */
export function absentMembers(
  { state: declared, references }: Desired,
  { edges, existence }: Catalog,
): readonly Problem[] {
  const absent = new Set([...edges.values()].flatMap(({ absent: own = [] }) => [...own]));
  const problems: Problem[] = [];
  for (const { urn, entityType, origin } of absent.size === 0 ? [] : references) {
    const kind = kindOfType(entityType);
    if (!kind || declared.has(urn) || !absent.delete(urn)) continue;
    const isRemoved = existence.get(urn)?.status === "soft-deleted";
    const code = isRemoved ? "asset-removed" : "asset-missing";
    problems.push({ code, severity: "error", args: { kind: kind.name, urn }, origin });
  }
  return problems;
}

/**
 * The maximum number of suggestions. Each suggestion requires comparing a name with all known names. If more references are
 * missing, they are unlikely to be typos.
 */
const maxSuggestions = 20;

/** Returns a function that suggests a name for a missing reference. It makes at most `maxSuggestions` suggestions. */
function suggesting(
  existence: ReadonlyMap<Urn, Existence>,
  others: Iterable<Urn>,
): (urn: Urn, entityType: string) => { readonly suggestion?: string } {
  let suggested = 0;
  let present: ReadonlyMap<string, readonly Urn[]> | undefined;
  return (urn, entityType) => {
    suggested += 1;
    if (suggested > maxSuggestions) return {};
    present ??= presentByType(existence, others);
    const nameOf = isAssetType(entityType) ? (asset: Urn): string => asset : keyOf;
    const suggestion = nearestSpelling(nameOf(urn), (present.get(entityType) ?? []).map(nameOf));
    return suggestion === undefined ? {} : { suggestion };
  };
}

// Returns the entities that exist, keyed by type. Declared and referenced names need no lookup, and one of them is most likely
// the intended name.
function presentByType(
  existence: ReadonlyMap<Urn, Existence>,
  others: Iterable<Urn>,
): ReadonlyMap<string, readonly Urn[]> {
  const present = [...existence].flatMap(([urn, { status }]) => (status === "present" ? [urn] : []));
  // An entity whose existence was not checked is either declared or known through a different reference.
  const unchecked = [...others].filter((urn) => !existence.has(urn));
  return groupBy([...new Set([...present, ...unchecked])], entityTypeOf);
}

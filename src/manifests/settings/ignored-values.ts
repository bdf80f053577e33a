/** Warns about declared values that an ignore rule covers. */

import { appendTo } from "../../model/append.ts";
import { namedKeys } from "../../facets/places.ts";
import { isSamePlace, leavesOf, type Place, placeAt } from "../../model/place.ts";
import { edgeSetOfInverse, facetNamed } from "../../facets/index.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Origin } from "../../model/origin.ts";
import type { IgnoreRule } from "../../model/settings.ts";
import type { Problem, ProblemOf, ProblemTable, ProblemWith } from "../../model/problem.ts";
import type { DeclaredReference, References } from "../../model/reference.ts";
import type { FacetValue, Leaf, Member, Scalar } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { type Ignored, ignoring } from "../../plan/base/ignore.ts";
import { textsIn } from "../../plan/base/values.ts";
import { warningAt } from "../base/problem.ts";
import type { Desired } from "../base/desired.ts";

/**
 * Returns warnings for declared values that are never written because of an ignore rule. Each warning has the positions of the
 * value and of the rule.
 */
export function ignoredValues(
  { state, references }: Desired,
  rules: readonly IgnoreRule[],
): readonly Problem[] {
  if (rules.length === 0) return [];
  const checking: Checking = { ignored: ignoring(rules), originOf: originsIn(references) };
  const ignoredEntities = new Set<Urn>();
  const problems: Problem[] = [];
  for (const { urn, kind, facets, origin } of state.values()) {
    const rule = checking.ignored.entity(urn);
    if (rule) {
      ignoredEntities.add(urn);
      appendTo(problems, warning("ignored-entity", { urn, kind, reason: rule.reason }, rule, origin));
      continue;
    }
    for (const [facet, value] of facets) appendTo(problems, ofFacet(checking, urn, facet, value));
  }
  for (const reference of references) {
    if (!ignoredEntities.has(reference.from)) appendTo(problems, ofEdge(checking, reference));
  }
  return problems;
}

interface Checking {
  readonly ignored: Ignored;
  /** Returns the position of an entity's value in a list. */
  readonly originOf: (urn: Urn, place: Place, value: Member | Scalar) => Origin | undefined;
}

function ofFacet(checking: Checking, urn: Urn, facet: string, value: FacetValue): readonly Problem[] {
  // An edge that a member declares is checked separately, as an element in the group's set. Plans do the same.
  if (edgeSetOfInverse(facet)) return [];
  const rule = checking.ignored.value(urn, facet, null);
  const leaves = leavesOf(value);
  if (rule) return warning("ignored-facet", { urn, facet, reason: rule.reason }, rule, leaves[0]?.[1].origin);
  return leaves.flatMap(([path, leaf]) => ofLeaf(checking, urn, placeAt(facet, path), leaf));
}

function ofLeaf({ ignored, originOf }: Checking, urn: Urn, place: Place, leaf: Leaf): readonly Problem[] {
  const { facet } = place;
  const values: readonly (Member | Scalar)[] = leaf.shape === "set" ? leaf.members : [leaf.value];
  return values.flatMap((value) => {
    const rule = ignored.value(urn, facet, value);
    if (!rule) return [];
    const shown = facetNamed(facet).format(value, (each) => each);
    const args = { urn, facet, ...namedKeys(place), value: shown, reason: rule.reason };
    return warning("ignored-value", args, rule, originOf(urn, place, value) ?? leaf.origin);
  });
}

/** Checks an edge that a member declares, as if it were an element in the group's set. */
function ofEdge({ ignored }: Checking, reference: DeclaredReference): readonly Problem[] {
  const { urn, from, origin } = reference;
  const facet = edgeSetOfInverse(reference.facet)?.facet;
  const rule = facet === undefined ? undefined : ignored.value(urn, facet, from);
  if (facet === undefined || !rule) return [];
  return warning("ignored-value", { urn, facet, value: from, reason: rule.reason }, rule, origin);
}

function warning<Code extends ProblemWith<"ignored">["code"]>(
  code: Code,
  args: ProblemTable[Code],
  { origin: related }: IgnoreRule,
  origin: Origin | undefined,
): readonly ProblemOf<Code>[] {
  return origin ? [warningAt(origin, code, args, related)] : [];
}

/**
 * Returns a function that finds a value's position in a list. For an owner, the URNs of both the owner and the type must match,
 * because a list may contain the same owner with a different type.
 */
function originsIn(references: References): Checking["originOf"] {
  let byEntity: ReadonlyMap<Urn, readonly DeclaredReference[]> | undefined;
  return (urn, place, value) => {
    byEntity ??= groupBy(references, ({ from }) => from);
    const own = (byEntity.get(urn) ?? []).filter((each) => isSamePlace(each, place));
    const places = textsIn(value).map((text) =>
      own.filter((each) => each.urn === text).map(({ origin }) => origin),
    );
    const [first = [], ...others] = places.filter(({ length }) => length > 0);
    return first.find((origin) => others.every((each) => each.includes(origin))) ?? first[0];
  };
}

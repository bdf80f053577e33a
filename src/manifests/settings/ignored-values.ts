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
import type { Entity, FacetValue, Leaf, Member, Scalar } from "../../model/state.ts";
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
  const checking = { ignored: ignoring(rules), places: placesOf(references) };
  const ignoredEntities = new Set<Urn>();
  const problems: Problem[] = [];
  for (const entity of state.values()) {
    const rule = checking.ignored.entity(entity.urn);
    if (rule) ignoredEntities.add(entity.urn);
    appendTo(problems, rule ? ofEntity(entity, rule) : ofFacets(checking, entity));
  }
  for (const reference of references) {
    if (!ignoredEntities.has(reference.from)) appendTo(problems, ofEdge(checking, reference));
  }
  return problems;
}

function ofEntity({ urn, kind, origin }: Entity, rule: IgnoreRule): readonly Problem[] {
  return warning("ignored-entity", { urn, kind, reason: rule.reason }, rule, origin);
}

function ofFacets(checking: Checking, entity: Entity): readonly Problem[] {
  return [...entity.facets].flatMap(([facet, value]) => ofFacet(checking, entity, facet, value));
}

interface Checking {
  readonly ignored: Ignored;
  readonly places: (at: EntityPlace, value: Member | Scalar) => Origin | undefined;
}

interface EntityPlace extends Place {
  readonly urn: Urn;
}

function ofFacet(checking: Checking, { urn }: Entity, facet: string, value: FacetValue): readonly Problem[] {
  // An edge that a member declares is checked separately, as an element in the group's set. Plans do the same.
  if (edgeSetOfInverse(facet)) return [];
  const rule = checking.ignored.value(urn, facet, null);
  const leaves = leavesOf(value);
  if (rule) return warning("ignored-facet", { urn, facet, reason: rule.reason }, rule, leaves[0]?.[1].origin);
  return leaves.flatMap(([path, leaf]) => ofValues(checking, { urn, ...placeAt(facet, path) }, leaf));
}

function ofValues(checking: Checking, at: EntityPlace, entry: Leaf): readonly Problem[] {
  const values: readonly (Member | Scalar)[] = entry.shape === "set" ? entry.members : [entry.value];
  return values.flatMap((value) => {
    const rule = checking.ignored.value(at.urn, at.facet, value);
    if (!rule) return [];
    const origin = checking.places(at, value) ?? entry.origin;
    const { urn, facet } = at;
    const args = { urn, facet, ...namedKeys(at), value: shown(facet, value), reason: rule.reason };
    return warning("ignored-value", args, rule, origin);
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

function shown(facet: string, value: Member | Scalar): string {
  return facetNamed(facet).format(value, (urn) => urn);
}

/**
 * Returns a function that finds a value's position in a list. For an owner, the URNs of both the owner and the type must match,
 * because a list may contain the same owner with a different type.
 */
function placesOf(references: References): Checking["places"] {
  let byEntity: ReadonlyMap<Urn, readonly DeclaredReference[]> | undefined;
  return ({ urn, ...place }, value) => {
    byEntity ??= groupBy(references, ({ from }) => from);
    const own = (byEntity.get(urn) ?? []).filter((each) => isSamePlace(each, place));
    const places = textsIn(value).map((text) =>
      own.filter((each) => each.urn === text).map(({ origin }) => origin),
    );
    const [first = [], ...others] = places.filter(({ length }) => length > 0);
    return first.find((origin) => others.every((each) => each.includes(origin))) ?? first[0];
  };
}

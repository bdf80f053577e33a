/**
 * Checks manifests against each other: reports cycles, shared names and contradicting memberships. If all manifests are known, also
 * reports references to undeclared entities and unknown rules.
 */

import { type EdgeSet, edgeSets, facetNamed } from "../../facets/index.ts";
import { kindOf } from "../../kinds/index.ts";
import { appendTo } from "../../model/append.ts";
import type { Origin } from "../../model/origin.ts";
import type { Problem } from "../../model/problem.ts";
import type { Rule } from "../../model/rule.ts";
import type { Entity, State } from "../../model/state.ts";
import { keyOf, type Urn } from "../../model/urn.ts";
import { parentCycles } from "../../plan/checks/parent-cycles.ts";
import { selfReferencesByOthers } from "../../plan/checks/reference-cycles.ts";
import { setAt } from "../../plan/base/values.ts";
import { errorAt } from "../base/problem.ts";
import { unknownRules } from "../rules/rule-set.ts";
import { countUndeclared, type Undeclared, undeclaredReferences } from "../checks/undeclared-references.ts";
import type { Declaration } from "../../model/declaration.ts";
import type { WrittenReference } from "../../model/reference.ts";

/**
 * Finds errors that involve several manifests. If the manifests are `complete`, also reports undeclared references and exemptions
 * from unknown rules.
 */
export function crossProblems(
  state: State,
  { declarations, rules }: { readonly declarations: Iterable<Declaration>; readonly rules: readonly Rule[] },
  complete: boolean,
): readonly Problem[] {
  const ends: Declaration[] = [];
  const selfReferences: Problem[] = [];
  const undeclared = new Map<Urn, Undeclared>();
  const count = (references: readonly WrittenReference[]): void => {
    for (const reference of references) {
      if (!state.has(reference.urn)) countUndeclared(undeclared, reference);
    }
  };
  for (const declaration of declarations) {
    if (declaresEdges(declaration.entity)) ends.push(declaration);
    if (complete) count(declaration.references);
    appendTo(selfReferences, selfReferencesOf(declaration));
  }
  for (const { references } of rules) count(references);
  const warnings = complete ? undeclaredReferences(state, undeclared) : [];
  const unknown = complete ? unknownRules(declarations, rules) : [];
  return [
    ...parentCycles(state),
    ...selfReferences,
    ...selfReferencesByOthers(state),
    ...sameNames(state),
    ...edgeSets.flatMap((edges) => memberConflicts(edges, ends)),
    ...unknown,
    ...warnings,
  ];
}

/** Reports entities with different ids that would share a name that must be unique in DataHub. */
function sameNames(state: State): readonly Problem[] {
  const first = new Map<string, Entity>();
  const problems: Problem[] = [];
  for (const entity of state.values()) {
    const { urn, kind, facets, origin } = entity;
    const { uniqueName } = kindOf(kind);
    if (!uniqueName || !origin) continue;
    const name = `${kind} ${uniqueName.of(keyOf(urn), facets)}`;
    const before = first.get(name);
    if (before) {
      const { what, way } = uniqueName;
      problems.push(errorAt(origin, "same-name", { kind, urn, other: before.urn, what, way }, before.origin));
    } else {
      first.set(name, entity);
    }
  }
  return problems;
}

/** The positions at which an entity's documents list edges: the first list, and the first occurrence of each element. */
interface DeclaredList {
  readonly origin: Origin;
  readonly elements: ReadonlyMap<Urn, Origin>;
}

type Lists = ReadonlyMap<Urn, DeclaredList>;

function selfReferencesOf({ entity: { urn, kind }, references }: Declaration): readonly Problem[] {
  return references
    .filter((each) => each.urn === urn && facetNamed(each.facet).refusesItself)
    .map(({ facet, origin }) => errorAt(origin, "self-reference", { facet, kind, urn }));
}

function declaresEdges({ facets }: Entity): boolean {
  return edgeSets.some(({ facet, inverse }) => facets.has(facet) || facets.has(inverse));
}

function listsOf(declarations: readonly Declaration[], facet: string): Lists {
  const lists = new Map<Urn, DeclaredList & { readonly elements: Map<Urn, Origin> }>();
  for (const { entity, references } of declarations) {
    const origin = setAt(entity, facet)?.origin;
    if (!origin) continue;
    const before = lists.get(entity.urn) ?? { origin, elements: new Map<Urn, Origin>() };
    lists.set(entity.urn, before);
    for (const each of references) {
      if (each.facet === facet && !before.elements.has(each.urn)) before.elements.set(each.urn, each.origin);
    }
  }
  return lists;
}

/** Reports edges that one entity lists but the other entity does not, even though the other entity also has a list. */
function memberConflicts(
  { facet, inverse }: EdgeSet,
  declarations: readonly Declaration[],
): readonly Problem[] {
  const groupsOf = listsOf(declarations, inverse);
  const membersOf = listsOf(declarations, facet);
  return [...oneSided(groupsOf, membersOf, inverse, facet), ...oneSided(membersOf, groupsOf, facet, inverse)];
}

function oneSided(lists: Lists, others: Lists, facet: string, otherFacet: string): readonly Problem[] {
  const problems: Problem[] = [];
  for (const [from, { elements }] of lists) {
    for (const [to, origin] of elements) {
      const other = others.get(to);
      if (other && !other.elements.has(from)) {
        const args = { urn: from, facet, other: to, otherFacet };
        problems.push(errorAt(origin, "contradicting-membership", args, other.origin));
      }
    }
  }
  return problems;
}

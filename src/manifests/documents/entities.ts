/** Joins declarations into entities, and reports contradictions. */

import { namedKeys } from "../../facets/places.ts";
import { leafIn, placedLeaves } from "../../model/place.ts";
import { appendTo } from "../../model/append.ts";
import type { Origin } from "../../model/origin.ts";
import type { Problem } from "../../model/problem.ts";
import type { Modes } from "../../model/settings.ts";
import { type OwnModes, type Entity, isSameValue, type State, stateOver } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { unitedFacets } from "../../plan/base/declared-before.ts";
import { urnOf } from "../../model/packed-declarations.ts";
import { errorAt } from "../base/problem.ts";
import type { Declaration } from "../../model/declaration.ts";

/** The entities that result from a list of declarations. */
export interface Entities {
  readonly state: State;
  /** The declarations from which the entities were built. Declarations that contradict an earlier declaration are left out. */
  readonly used: Iterable<Declaration>;
  readonly problems: readonly Problem[];
}

/**
 * Joins all declarations for each URN, in order, with inline declarations last. Merges sets. A single value can be repeated, but
 * all declarations must agree on it.
 */
export function entitiesOf(declarations: readonly Declaration[]): Entities {
  const firsts = new Map<Urn, Declaration>();
  const joined = new Map<Urn, Declaration[]>();
  const used: Declaration[] = [];
  const problems: Problem[] = [];
  for (const declaration of inlineLast(declarations)) {
    const urn = urnOf(declaration);
    const first = firsts.get(urn);
    if (first) {
      const before = joined.get(urn) ?? [first];
      const found = [...differentValues(declaration, before), ...conflictingModes(declaration, before)];
      appendTo(problems, found);
      if (found.length > 0) continue;
      before.push(declaration);
      joined.set(urn, before);
    } else {
      firsts.set(urn, declaration);
    }
    used.push(declaration);
  }
  // An entity with a single declaration is built on each access and not cached.
  const entities = new Map([...joined].map(([urn, own]) => [urn, entityOf(own)]));
  const state = stateOver(new Map(), firsts, (urn, first) => entities.get(urn) ?? first.entity);
  return { state, used, problems };
}

function inlineLast(declarations: readonly Declaration[]): readonly Declaration[] {
  const inline = declarations.filter((declaration) => declaration.inline);
  if (inline.length === 0) return declarations;
  return [...declarations.filter((declaration) => !declaration.inline), ...inline];
}

/** Reports single values that differ from an earlier declaration. */
function differentValues({ entity }: Declaration, before: readonly Declaration[]): readonly Problem[] {
  const { urn, kind } = entity;
  return placedLeaves(entity.facets).flatMap(({ place, leaf: value }) => {
    const first = before.map((other) => leafIn(other.entity, place)).find((other) => other !== undefined);
    const isSame =
      first?.shape !== "scalar" || (value.shape === "scalar" && isSameValue(first.value, value.value));
    if (!value.origin || isSame) return [];
    return [
      errorAt(
        value.origin,
        "duplicate-facet",
        { kind, urn, facet: place.facet, ...namedKeys(place) },
        first.origin,
      ),
    ];
  });
}

function conflictingModes({ entity }: Declaration, before: readonly Declaration[]): readonly Problem[] {
  const { urn, kind, manage = {}, modePlaces = new Map<string, Origin>() } = entity;
  return [...modePlaces].flatMap(([facet, place]) => {
    const other = before.find(({ entity: { manage: given = {} } }) => {
      return given[facet] !== undefined && given[facet] !== manage[facet];
    });
    return other
      ? [errorAt(place, "conflicting-modes", { kind, urn, facet }, other.entity.modePlaces?.get(facet))]
      : [];
  });
}

function entityOf(declarations: readonly Declaration[]): Entity {
  const documents = declarations.map(({ entity }) => entity);
  const [first] = documents;
  if (!first) throw new Error("an entity without a declaration");
  const facets = unitedFacets(documents.map((each) => each.facets));
  const { manage: _modes, modePlaces: _places, ...entity } = first;
  return { ...entity, facets, ...modesOf(documents) };
}

/** Merges the modes for facets. Documents whose modes conflict have already been left out. */
function modesOf(documents: readonly Entity[]): OwnModes {
  if (documents.every(({ manage }) => manage === undefined)) return {};
  const manage: Modes = Object.assign({}, ...documents.map((each) => each.manage));
  return { manage, modePlaces: new Map(documents.flatMap(({ modePlaces = [] }) => [...modePlaces])) };
}

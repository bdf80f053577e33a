/** Finds definitions in states, adds their implied values, and determines whether other entities can refer to them. */

import { facetNamed, facetsOf } from "../../facets/index.ts";
import type { Facet } from "../../facets/facet.ts";
import { isDefinitionKind, kindOf, kindOfUrn } from "../../kinds/index.ts";
import { type Entity, type FacetValue, scalarOf, setOf, type State } from "../../model/state.ts";
import { keyOf, type Urn } from "../../model/urn.ts";

/** Adds the implied values of definitions: no declared definition is soft-deleted, and every new definition has a name. */
export function withImplied(desired: State, created: ReadonlySet<Urn>): State {
  return new Map([...desired].map(([urn, entity]) => [urn, implied(entity, created.has(urn))]));
}

function implied(entity: Entity, isNew: boolean): Entity {
  if (!isDefinitionKind(entity.kind)) return entity;
  const facets = new Map<string, FacetValue>(entity.facets);
  for (const { name, implied: rule } of facetsOf(entity.kind)) {
    if (!rule || facets.has(name) || (rule.for === "new-entity" && !isNew)) continue;
    facets.set(name, scalarOf(rule.value(keyOf(entity.urn)), entity.origin));
  }
  return facets.size === entity.facets.size ? entity : { ...entity, facets };
}

/** Returns the declared definitions that are missing from the catalog. The plan creates them. */
export function createdIn(desired: State, missing: ReadonlyMap<Urn, string>): ReadonlySet<Urn> {
  return new Set([...desired.keys()].filter((urn) => missing.has(urn) && isDefinition(desired, urn)));
}

/** Adds to the live state the definitions that a plan creates, with empty facets. */
export function withBlanks(live: State, desired: State, created: ReadonlySet<Urn>): State {
  const state = new Map(live);
  for (const urn of created) {
    const kind = desired.get(urn)?.kind;
    if (kind) state.set(urn, { urn, kind, facets: blankFacets(facetsOf(kind)) });
  }
  return state;
}

/** Returns empty facets for an entity that does not exist yet. */
export function blankFacets(facets: readonly Facet[]): ReadonlyMap<string, FacetValue> {
  return new Map(facets.map((facet) => [facet.name, blankValue(facet)]));
}

function blankValue({ shape, blank }: Facet): FacetValue {
  if (shape === "map") return { shape, entries: new Map() };
  return shape === "set" ? setOf([]) : scalarOf(blank);
}

/** Whether other entities can refer to a live definition. The definition must exist and must not be soft-deleted. */
export function isReferenceable(live: Entity | undefined): boolean {
  if (!live) return false;
  return facetsOf(live.kind)
    .filter(({ makesReferenceable }) => makesReferenceable)
    .every(({ name, blank }) => {
      const value = live.facets.get(name);
      return value?.shape === "scalar" && value.value === blank;
    });
}

/**
 * Returns the definitions in a state. Skips assets without loading them, because there are usually far more assets than
 * definitions.
 */
export function definitionsIn(state: State): State {
  return entitiesIn(state, isDefinitionUrn);
}

/** Returns the entities that `isWanted` accepts. Skips all others without loading them. */
export function entitiesIn(state: State, isWanted: (urn: Urn) => boolean): State {
  const wanted = new Map<Urn, Entity>();
  for (const urn of state.keys()) {
    const entity = isWanted(urn) ? state.get(urn) : undefined;
    if (entity) wanted.set(urn, entity);
  }
  return wanted;
}

/** Whether a URN belongs to a definition in the state. Such a definition was read from the catalog or is created by the plan. */
export function isDefinition(state: State, urn: Urn): boolean {
  return isDefinitionUrn(urn) && state.has(urn);
}

/** Whether a URN belongs to a definition, declared or not. */
export function isDefinitionUrn(urn: Urn): boolean {
  return kindOfUrn(urn)?.lifecycle === "owned";
}

/** Whether an entity is a soft-deleted definition. */
export function isRemovedDefinition({ kind, facets: values }: Entity): boolean {
  return isDefinitionKind(kind) && [...values].some(([name, value]) => contradictsImplied(name, value));
}

/** Whether an entity is soft-deleted and belongs to a kind that a prune can only soft-delete. */
export function isSoftDeletedByPrune(entity: Entity): boolean {
  const { deletion } = kindOf(entity.kind);
  return deletion !== undefined && deletion.mutation === undefined && isRemovedDefinition(entity);
}

/** Whether a value contradicts the value that every manifest implies. */
function contradictsImplied(facet: string, value: FacetValue): boolean {
  const { implied: rule } = facetNamed(facet);
  return rule?.for === "every-entity" && value.shape === "scalar" && value.value !== rule.value("");
}

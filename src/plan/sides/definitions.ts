import { facetsOf } from "../../facets/index.ts";
import { isDefinitionKind } from "../../kinds/index.ts";
import { type Entity, type FacetValue, scalarOf, setOf, type State } from "../../model/state.ts";
import { keyOf, type Urn } from "../../model/urn.ts";

/**
 * What manifests need not write of definitions: a definition that is declared shall not be soft-deleted, and a new one
 * that has a name and declares none is named by its id.
 */
export function withImplied(desired: State, created: ReadonlySet<Urn>): State {
  return new Map([...desired].map(([urn, entity]) => [urn, implied(entity, created.has(urn))]));
}

function implied(entity: Entity, isNew: boolean): Entity {
  if (!isDefinitionKind(entity.kind)) return entity;
  const { origin } = entity;
  const names = new Set(facetsOf(entity.kind).map(({ name }) => name));
  const facets = new Map<string, FacetValue>(entity.facets);
  if (names.has("removed")) facets.set("removed", scalarOf(false, origin));
  if (isNew && names.has("name") && !facets.has("name"))
    facets.set("name", scalarOf(keyOf(entity.urn), origin));
  return facets.size === entity.facets.size ? entity : { ...entity, facets };
}

/** The declared definitions that are not in the catalog: they are created. */
export function createdIn(desired: State, missing: ReadonlyMap<Urn, string>): ReadonlySet<Urn> {
  const owned = [...desired.values()].filter(({ kind }) => isDefinitionKind(kind));
  return new Set(owned.flatMap(({ urn }) => (missing.has(urn) ? [urn] : [])));
}

/** Live state in which a definition that is to be created stands with nothing in it. */
export function withBlanks(live: State, desired: State, created: ReadonlySet<Urn>): State {
  const state = new Map(live);
  for (const urn of created) {
    const kind = desired.get(urn)?.kind;
    if (kind) state.set(urn, { urn, kind, facets: blankFacets(kind) });
  }
  return state;
}

function blankFacets(kind: Entity["kind"]): ReadonlyMap<string, FacetValue> {
  return new Map(
    facetsOf(kind).map(({ name, shape }) => {
      if (name === "removed") return [name, scalarOf(false)];
      return [name, shape === "set" ? setOf([]) : scalarOf(null)];
    }),
  );
}

/** Whether a URN is a definition of the state: it has been read itself, or is created, so its existence is no question. */
export function isDefinition(state: State, urn: Urn): boolean {
  const kind = state.get(urn)?.kind;
  return kind !== undefined && isDefinitionKind(kind);
}

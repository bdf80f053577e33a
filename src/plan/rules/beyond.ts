import { type Entity, type FacetValue, type ScalarValue, type SetValue, without } from "../../model/state.ts";

/** What is to be declared of an entity beside what rules do, and the facets of which rules declare all that there is. */
export interface BeyondRules {
  readonly entity: Entity;
  readonly ruled: readonly string[];
}

/**
 * An entity without what rules declare of it: with the elements that go beyond theirs, and the single values that differ from
 * theirs.
 */
export function beyondRules(entity: Entity, declared: Entity["facets"]): BeyondRules {
  const facets = new Map<string, FacetValue>();
  const ruled: string[] = [];
  for (const [name, value] of entity.facets) {
    const left = beyond(value, declared.get(name));
    facets.set(name, left);
    if (isEmpty(left) && !isEmpty(value)) ruled.push(name);
  }
  return { entity: { ...entity, facets }, ruled };
}

function beyond(value: FacetValue, declared: FacetValue | undefined): FacetValue {
  if (value.shape !== "map") return declared && declared.shape !== "map" ? rest(value, declared) : value;
  if (declared?.shape !== "map") return value;
  const entries = [...value.entries].map(([column, entry]) => {
    const own = declared.entries.get(column);
    return [column, own ? rest(entry, own) : entry] as const;
  });
  return { ...value, entries: new Map(entries) };
}

function rest(value: ScalarValue | SetValue, declared: ScalarValue | SetValue): ScalarValue | SetValue {
  if (value.shape === "set" && declared.shape === "set")
    return { ...value, members: without(value.members, declared.members) };
  const isSame = value.shape === "scalar" && declared.shape === "scalar" && value.value === declared.value;
  return isSame ? { ...value, value: null } : value;
}

function isEmpty(value: FacetValue): boolean {
  if (value.shape === "scalar") return value.value === null;
  if (value.shape === "set") return value.members.length === 0;
  return [...value.entries.values()].every(isEmpty);
}

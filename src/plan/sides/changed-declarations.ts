import { createHash } from "node:crypto";
import { canonicalJson } from "../../model/json.ts";
import type { Entity, FacetValue, ScalarValue, SetValue, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";

/** The entities that two states declare differently, or that only one of them declares. Places make no difference. */
export function changedDeclarations(before: State, now: State): ReadonlySet<Urn> {
  const urns = new Set([...now.keys(), ...before.keys()]);
  return new Set([...urns].filter((urn) => !isSame(before.get(urn), now.get(urn))));
}

/** A hash of all that a state declares, without the places. */
export function digestOfDeclarations(state: State): string {
  const digest = createHash("sha256");
  for (const entity of state.values()) digest.update(`${entity.urn} ${declarationOf(entity)}\n`);
  return digest.digest("hex");
}

function isSame(before: Entity | undefined, now: Entity | undefined): boolean {
  if (before === now) return true;
  return before !== undefined && now !== undefined && declarationOf(before) === declarationOf(now);
}

function declarationOf({ kind, facets, manage = {} }: Entity): string {
  const values = [...facets].map(([facet, value]) => [facet, plainOf(value)]);
  return canonicalJson({ kind, manage, facets: Object.fromEntries(values) });
}

function plainOf(value: FacetValue): unknown {
  if (value.shape !== "map") return partOf(value);
  return Object.fromEntries([...value.entries].map(([column, entry]) => [column, partOf(entry)]));
}

function partOf(value: ScalarValue | SetValue): unknown {
  return [value.shape === "set" ? value.members : value.value, value.mode ?? null];
}

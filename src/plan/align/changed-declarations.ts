/** Compares the declarations at two commits, ignoring their positions in files. */

import { createHash } from "node:crypto";
import { canonicalJson, compareText } from "../../model/json.ts";
import type { Condition, Exemptions, Rule } from "../../model/rule.ts";
import type { Entity, FacetValue, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";

/**
 * Returns the entities whose declarations differ between two states, ignoring file positions. Compares only the entities in
 * `touched`, if it is given.
 */
export function changedDeclarations(before: State, now: State, touched?: ReadonlySet<Urn>): ReadonlySet<Urn> {
  const urns = touched ?? new Set([...now.keys(), ...before.keys()]);
  return new Set([...urns].filter((urn) => !isSame(before.get(urn), now.get(urn))));
}

/** Returns a hash of all documents, rules and exemptions, ignoring their positions in files. */
export function digestOfDeclarations(state: State, rules: readonly Rule[], exempt: Exemptions): string {
  const digest = createHash("sha256");
  for (const entity of state.values()) digest.update(`${entity.urn} ${declarationOf(entity)}\n`);
  for (const rule of rules) digest.update(`${textOfRule(rule)}\n`);
  for (const [urn, ids] of exempt) digest.update(`${urn} ${canonicalJson([...ids].toSorted(compareText))}\n`);
  return digest.digest("hex");
}

function textOfRule({
  id,
  kind,
  conditions,
  exclusions,
  facets,
  columns,
  manage = {},
  priority,
}: Rule): string {
  const match = {
    kind,
    conditions: conditions.map(plainCondition),
    exclusions: exclusions.map((all) => all.map(plainCondition)),
  };
  const ofColumns = columns.map(({ pattern, nativeTypes, not, ignoreCase, facets: own }) => ({
    pattern,
    nativeTypes,
    not,
    ignoreCase,
    facets: plainFacets(own),
  }));
  return canonicalJson({ id, ...match, facets: plainFacets(facets), columns: ofColumns, manage, priority });
}

function plainCondition({ key, patterns, ignoreCase }: Condition): unknown {
  return { key, patterns, ignoreCase };
}

function plainFacets(facets: ReadonlyMap<string, FacetValue>): unknown {
  return Object.fromEntries([...facets].map(([facet, value]) => [facet, plainOf(value)]));
}

function isSame(before: Entity | undefined, now: Entity | undefined): boolean {
  if (before === now) return true;
  return before !== undefined && now !== undefined && declarationOf(before) === declarationOf(now);
}

function declarationOf({ kind, facets, manage = {} }: Entity): string {
  return canonicalJson({ kind, manage, facets: plainFacets(facets) });
}

function plainOf(value: FacetValue): unknown {
  if (value.shape === "map")
    return Object.fromEntries([...value.entries].map(([key, below]) => [key, plainOf(below)]));
  return [value.shape === "set" ? value.members : value.value, value.mode ?? null];
}

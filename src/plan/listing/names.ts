/** Finds an entity by its id, URN or display name. */

import type { Urn } from "../../model/urn.ts";

/** An entity, and the names by which it can be found: its id, URN and display name. */
export interface Nameable {
  readonly urn: Urn;
  readonly names: readonly string[];
}

/** The entity with the given name, or all candidates if the name is ambiguous. Empty if no entity has the name. */
interface NameFound {
  readonly urn?: Urn;
  readonly several?: readonly Urn[];
}

/**
 * Finds an entity by name. An exact match takes precedence over a case-insensitive match. If the name is ambiguous, all entities
 * with that name are returned.
 */
export function namedAmong(text: string, all: readonly Nameable[]): NameFound {
  const wanted = text.toLowerCase();
  const comparisons: readonly ((name: string) => boolean)[] = [
    (name) => name === text,
    (name) => name.toLowerCase() === wanted,
  ];
  for (const isMatch of comparisons) {
    const urns = [...new Set(all.filter(({ names }) => names.some(isMatch)).map(({ urn }) => urn))];
    const [urn, ...others] = urns;
    if (urn !== undefined) return others.length === 0 ? { urn } : { several: urns };
  }
  return {};
}

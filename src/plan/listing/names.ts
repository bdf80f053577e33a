/** Finds the entity that a text names, by id, URN or display name. */

import type { Urn } from "../../model/urn.ts";

/** An entity with its names: id, URN and display name. */
export interface Nameable {
  readonly urn: Urn;
  readonly names: readonly string[];
}

/** The named entity, or all entities that the text can mean; neither if the text names no entity. */
interface NameFound {
  readonly urn?: Urn;
  readonly several?: readonly Urn[];
}

/** Finds an entity by its exact name, otherwise regardless of case. An ambiguous name gives all entities with that name. */
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

/** Collects declarations from imported documents and records, and reports duplicate documents for an entity. */

import type { Origin } from "../../model/origin.ts";
import type { Urn } from "../../model/urn.ts";
import { type Collected, emptyCollection } from "./collected.ts";
import { errorAt } from "./problem.ts";
import type { Declaration } from "../../model/declaration.ts";

/**
 * Collects declarations from documents. A second document for the same entity is left out and reported as a problem. `option` is
 * the command-line option that lets the user choose one of the documents.
 */
export function collectUnique(
  declarations: readonly Declaration[],
  documents: number,
  option?: string,
): Collected {
  const collected = emptyCollection();
  const first = new Map<Urn, Origin | undefined>();
  for (const declaration of declarations) {
    const { entity, inline } = declaration;
    const { urn, kind, origin } = entity;
    if (origin && !inline && first.has(urn))
      collected.problems.push(errorAt(origin, "duplicate-entity", { kind, urn, option }, first.get(urn)));
    else collected.declare(declaration);
    if (!inline && !first.has(urn)) first.set(urn, origin);
  }
  // A nonzero `unreadable` prevents warnings about references to entities that these files do not declare.
  return { ...collected, documents, unreadable: 1 };
}

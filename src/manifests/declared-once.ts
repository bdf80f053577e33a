import type { Origin } from "../model/origin.ts";
import type { Urn } from "../model/urn.ts";
import { type Collected, nothingCollected } from "./collected.ts";
import type { Declaration } from "./declaration.ts";
import { errorAt } from "./problem.ts";

/**
 * What several documents declare together, where each of them describes a complete entity: a second one of the same entity is a
 * problem, and left out. `option` is that by which a user can choose one of them.
 */
export function declaredOnce(
  declarations: readonly Declaration[],
  documents: number,
  option?: string,
): Collected {
  const collected = nothingCollected();
  const first = new Map<Urn, Origin | undefined>();
  for (const declaration of declarations) {
    const { entity, inline } = declaration;
    const { urn, kind, origin } = entity;
    if (origin && !inline && first.has(urn))
      collected.problems.push(errorAt(origin, "duplicate-entity", { kind, urn, option }, first.get(urn)));
    else collected.declare(declaration);
    if (!inline && !first.has(urn)) first.set(urn, origin);
  }
  // `unreadable` prevents warnings for references to what the files do not declare.
  return { ...collected, documents, unreadable: 1 };
}

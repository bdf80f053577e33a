/** Finds duplicate documents for an entity in imported documents and records. */

import type { Declaration } from "../../model/declaration.ts";
import type { Origin } from "../../model/origin.ts";
import type { Problem } from "../../model/problem.ts";
import type { Urn } from "../../model/urn.ts";
import { errorAt } from "./problem.ts";

/**
 * Leaves out the second and later documents for the same entity, and reports them as problems. `option` is the command-line option
 * that lets the user choose one of the documents.
 */
export function uniqueDocuments(
  declarations: readonly Declaration[],
  option?: string,
): { readonly declarations: readonly Declaration[]; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const first = new Map<Urn, Origin | undefined>();
  const unique = declarations.filter(({ entity: { urn, kind, origin }, inline }) => {
    if (inline) return true;
    if (!first.has(urn)) {
      first.set(urn, origin);
      return true;
    }
    if (!origin) return true;
    problems.push(errorAt(origin, "duplicate-entity", { kind, urn, option }, first.get(urn)));
    return false;
  });
  return { declarations: unique, problems };
}

/** Lists the aspects that are deleted together with an entity. */

import type { KindName } from "../model/state.ts";
import { edgesOfMembers, facetsOf } from "./index.ts";

/** Definition aspects that users edit in DataHub, but not in manifests. No facet reads them from definitions. */
export const unmanagedAspects: readonly string[] = [
  "deprecation",
  "displayProperties",
  "institutionalMemory",
  "structuredProperties",
];

/** Returns the user-written aspects that are deleted together with an entity of this kind. */
export function aspectsDeletedWith(name: KindName): readonly string[] {
  const own = facetsOf(name).flatMap((facet) => {
    const stored = facet.storedIn?.(name);
    return stored === undefined ? facet.aspects(name) : [...facet.aspects(name), stored];
  });
  const lists = edgesOfMembers
    .filter(({ inverseKinds }) => inverseKinds.some((kind) => kind.name === name))
    .flatMap(({ storedByMembers }) => storedByMembers.lists.map(({ aspect }) => aspect));
  return [...new Set([...own, ...lists, ...unmanagedAspects])];
}

const writtenByOthers: ReadonlySet<string> = new Set([
  "status",
  ...edgesOfMembers.map(({ storedByMembers }) => storedByMembers.originAspect),
]);

/**
 * Returns the aspects that only users write and that are deleted together with an entity. A run saves the parts that manifests
 * cannot express, and a rollback restores these parts.
 */
export function aspectsSavedOf(name: KindName): readonly string[] {
  return aspectsDeletedWith(name).filter((aspect) => !writtenByOthers.has(aspect));
}

import { otherAspects } from "../kinds/definition-aspects.ts";
import type { KindName } from "../model/state.ts";
import { edgesOfMembers, facetsOf } from "./index.ts";

/** The aspects of a kind that a deletion takes away and that people write. */
export function aspectsDeletedWith(name: KindName): readonly string[] {
  const own = facetsOf(name).flatMap((facet) => {
    const stored = facet.storedIn?.aspect(name);
    return stored === undefined ? facet.aspects(name) : [...facet.aspects(name), stored];
  });
  const lists = edgesOfMembers
    .filter(({ inverseKinds }) => inverseKinds.some((kind) => kind.name === name))
    .flatMap(({ storedByMembers }) => storedByMembers.lists.map(({ aspect }) => aspect));
  return [...new Set([...own, ...lists, ...otherAspects])];
}

/** Aspects that a server or an identity provider writes. */
const writtenByOthers: ReadonlySet<string> = new Set([
  "status",
  ...edgesOfMembers.map(({ storedByMembers }) => storedByMembers.originAspect),
]);

/** Those of these aspects of which a run keeps what manifests cannot express, and a rollback puts it back. */
export function aspectsKeptOf(name: KindName): readonly string[] {
  return aspectsDeletedWith(name).filter((aspect) => !writtenByOthers.has(aspect));
}

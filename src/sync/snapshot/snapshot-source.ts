/** Provides entities to list from a snapshot. */

import { isDefinitionKind } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { chunks } from "../../model/group-by.ts";
import { entityTypeOf, isUrn, type Urn } from "../../model/urn.ts";
import type { EntitySource, NamedEntities } from "../read/entity-source.ts";
import type { Snapshot } from "./snapshot.ts";
import { snapshotReader } from "./snapshot-reader.ts";

/** Number of entities on a page. */
const pageSize = 1000;

/**
 * Creates a source that lists the entities for which the snapshot contains all listed values. For the kinds in `namedKinds`, it
 * also lists definitions whose values are not in the snapshot. A read of such a definition fails with `missingEntry`, so the
 * definition does not count as missing.
 */
export function snapshotSource(
  snapshot: Snapshot,
  namedKinds: readonly string[] = [],
): EntitySource & NamedEntities {
  return {
    reader: snapshotReader(snapshot),
    pages: (kind) => pagesOf(snapshot, kind, namedKinds.includes(kind.name)),
    named: (type) => Promise.resolve(namedIn(snapshot, type)),
  };
}

function namedIn({ definitions, entities }: Snapshot, entityType: string): readonly Urn[] {
  const listed = definitions.find(({ type }) => type === entityType)?.urns ?? [];
  const named = [...listed, ...Object.keys(entities)].filter(isUrn);
  return [...new Set(named)].filter((urn) => entityTypeOf(urn) === entityType);
}

function* pagesOf(
  snapshot: Snapshot,
  { name, entityType }: Kind,
  isNamedKind: boolean,
): Generator<readonly Urn[]> {
  const own = listedOf(snapshot, name, entityType);
  const known =
    isNamedKind && isDefinitionKind(name) ? [...new Set([...own, ...namedIn(snapshot, entityType)])] : own;
  yield* chunks(known, pageSize);
}

/** Returns the entities of a type for which the snapshot contains all listed values. */
function listedOf({ entities }: Snapshot, kind: string, entityType: string): readonly Urn[] {
  const needed = isDefinitionKind(kind) ? ["ReadDefinitions"] : ["ReadAssetFacts", "ReadAssets"];
  return Object.keys(entities)
    .filter(isUrn)
    .filter((urn) => entityTypeOf(urn) === entityType)
    .filter((urn) => needed.every((query) => Object.hasOwn(entities[urn]?.answers ?? {}, query)));
}

import { isDefinitionKind } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { chunks } from "../../model/group-by.ts";
import { entityTypeOf, isUrn, type Urn } from "../../model/urn.ts";
import type { EntitySource, NamedEntities } from "../list/entity-source.ts";
import type { Snapshot } from "./snapshot.ts";
import { snapshotReader } from "./snapshot-reader.ts";

/** How many entities are read at once. */
const pageSize = 1000;

/**
 * The entities of a snapshot: those of which it has what a list shows. Of definitions of kinds that are `asked` for by name also
 * those that it only names: the reading of these fails with `missingEntry`, so that they are not taken for absent.
 */
export function snapshotSource(
  snapshot: Snapshot,
  asked: readonly string[] = [],
): EntitySource & NamedEntities {
  return {
    reader: snapshotReader(snapshot),
    pages: (kind) => pagesOf(snapshot, kind, asked.includes(kind.name)),
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
  isAsked: boolean,
): Generator<readonly Urn[]> {
  const own = listedOf(snapshot, name, entityType);
  const known =
    isAsked && isDefinitionKind(name) ? [...new Set([...own, ...namedIn(snapshot, entityType)])] : own;
  yield* chunks(known, pageSize);
}

/** The entities of a type with what a list shows. */
function listedOf({ entities }: Snapshot, kind: string, entityType: string): readonly Urn[] {
  const needed = isDefinitionKind(kind) ? ["ReadDefinitions"] : ["ReadAssetFacts", "ReadAssets"];
  return Object.keys(entities)
    .filter(isUrn)
    .filter((urn) => entityTypeOf(urn) === entityType)
    .filter((urn) => needed.every((query) => Object.hasOwn(entities[urn]?.answers ?? {}, query)));
}

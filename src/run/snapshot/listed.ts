import { isDefinitionKind } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { entityTypeOf, isUrn, type Urn } from "../../model/urn.ts";
import type { EntitySource, NamedEntities } from "../list/entity-source.ts";
import type { Snapshot } from "./snapshot.ts";
import { snapshotReader } from "./snapshot-reader.ts";

/** How many entities are read at once. */
const pageSize = 1000;

/** The entities of a snapshot: those of which it has what a list shows. Others it only names. */
export function snapshotSource(snapshot: Snapshot): EntitySource & NamedEntities {
  return {
    reader: snapshotReader(snapshot),
    pages: (kind) => pagesOf(snapshot, kind),
    named: (type) => Promise.resolve(namedIn(snapshot, type)),
  };
}

function namedIn({ definitions, entities }: Snapshot, entityType: string): readonly Urn[] {
  const listed = definitions.find(({ type }) => type === entityType)?.urns ?? [];
  const named = [...listed, ...Object.keys(entities)].filter(isUrn);
  return [...new Set(named)].filter((urn) => entityTypeOf(urn) === entityType);
}

function* pagesOf({ entities }: Snapshot, { name, entityType }: Kind): Generator<readonly Urn[]> {
  const needed = isDefinitionKind(name) ? ["ReadDefinitions"] : ["ReadAssetFacts", "ReadAssets"];
  let page: Urn[] = [];
  for (const [urn, { answers }] of Object.entries(entities)) {
    if (!isUrn(urn) || entityTypeOf(urn) !== entityType) continue;
    if (!needed.every((query) => Object.hasOwn(answers, query))) continue;
    page.push(urn);
    if (page.length < pageSize) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

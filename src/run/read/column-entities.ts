import type { ColumnEntity } from "../../facets/facet.ts";
import { facets } from "../../facets/index.ts";
import { asCatalogError } from "../../model/catalog-error.ts";
import type { Live } from "../../model/live.ts";
import type { UnmanagedValue } from "../../model/plan.ts";
import type { JsonObject } from "../../model/json.ts";
import { type Entity, type Member, type SetValue, type State, without } from "../../model/state.ts";
import { keyOfUnmanaged } from "../../plan/diff/unmanaged.ts";
import { resolveKeys } from "../../plan/sides/resolve-keys.ts";
import type { Reader } from "../../datahub/client.ts";
import { questionOf, readBatches, type ReadOptions } from "./read-batches.ts";

/** How many columns a request asks for. They are cheap: few have an entity of their own. */
const columnsBatch = 500;

/** The query for the entities that the server keeps for columns. */
export function columnEntitiesDocument({ field, selection }: ColumnEntity): string {
  const [typename = ""] = field.split(".");
  return `query ReadColumnEntities($urns: [String!]!) { entities(urns: $urns) { urn ... on ${typename} { ${selection} } } }`;
}

/** The values of declared columns that ingestion keeps in entities of their own. What could not be read is left out: nothing depends on it. */
export async function readColumnEntities(
  reader: Reader,
  wanted: State,
  { state, unmanaged }: Pick<Live, "state" | "unmanaged">,
  { fields, batch = columnsBatch, onProgress: _, ...options }: ColumnOptions,
): Promise<readonly UnmanagedValue[]> {
  const known = new Set(unmanaged.map(keyOfUnmanaged));
  const found: UnmanagedValue[] = [];
  for (const { name: facet, columnEntity } of withEntities) {
    if (fields?.has(columnEntity.field) !== true) continue;
    const places = declaredColumns(wanted, state, facet);
    const byUrn = new Map(places.map((place) => [columnEntity.urnOf(place.urn, place.path[0]), place]));
    const question = questionOf([...byUrn.keys()], columnEntitiesDocument(columnEntity));
    await readBatches(reader, [question], { ...options, batch }, (urn, { entity, error }) => {
      const place = byUrn.get(urn);
      if (!place || !entity || error !== undefined) return;
      const { own, path, ...asset } = place;
      for (const value of without(observed(columnEntity, entity), own.members)) {
        const each: UnmanagedValue = { ...asset, facet, path, value, reason: "ingested" };
        if (!known.has(keyOfUnmanaged(each))) found.push(each);
      }
    });
  }
  return found;
}

/** How entities of columns are read. */
interface ColumnOptions extends ReadOptions {
  readonly fields: ReadonlySet<string> | undefined;
}

const withEntities = facets.flatMap(({ name, ...facet }) =>
  facet.shape === "map" && facet.columnEntity ? [{ name, columnEntity: facet.columnEntity }] : [],
);

/** A column of an asset that is declared and there, with what it has that can be edited. */
interface Place extends Pick<Entity, "urn" | "kind"> {
  readonly path: readonly [column: string];
  readonly own: SetValue;
}

function declaredColumns(wanted: State, live: State, facet: string): readonly Place[] {
  const declared = [...live.keys()].flatMap((urn) => {
    const entity = wanted.get(urn);
    const value = entity?.facets.get(facet);
    return entity && value?.shape === "map"
      ? ([[urn, { ...entity, facets: new Map([[facet, value]]) }]] as const)
      : [];
  });
  return [...resolveKeys(new Map(declared), live).state.values()].flatMap(({ urn, kind, facets: own }) => {
    const [value, there] = [own.get(facet), live.get(urn)?.facets.get(facet)];
    if (value?.shape !== "map" || there?.shape !== "map") return [];
    return [...value.entries.keys()].flatMap((column) => {
      const set = there.entries.get(column);
      return set?.shape === "set" ? [{ urn, kind, path: [column] as const, own: set }] : [];
    });
  });
}

function observed(columnEntity: ColumnEntity, entity: JsonObject): readonly Member[] {
  try {
    return columnEntity.observe(entity);
  } catch (error) {
    asCatalogError(error);
    return [];
  }
}

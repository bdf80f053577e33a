import { kindOf, kinds } from "../../kinds/index.ts";
import { CatalogError } from "../../model/catalog-error.ts";
import { isJsonObject } from "../../model/json.ts";
import type { Entity } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import type { Reader } from "../client/client.ts";
import { readBatches, type Reading, type ReadOptions } from "./read-batches.ts";

/**
 * The query for how much points at definitions. One field `relationships` an entity: newer servers answer a second one
 * of the same entity as if there were nothing (EntityRelationshipsResultResolver.java, tryVisit).
 */
export const assignmentsDocument = `query ReadAssignments($urns: [String!]!) { entities(urns: $urns) { urn ${kinds
  .flatMap(({ typename, deletion }) =>
    deletion ? [`... on ${typename} { ${totalOf(deletion.relationships)} }`] : [],
  )
  .join(" ")} } }`;

/**
 * How many live assignments point at each of the entities, and would fall with it. It comes from the server's index,
 * which may lag: good to show, not to decide by. What could not be read, or is not of a kind that can be deleted, is
 * left out, also when the server cannot be asked at all. Throws only the reason of a signal.
 */
export async function readAssignments(
  reader: Reader,
  entities: readonly Pick<Entity, "urn" | "kind">[],
  { onProgress: _, ...options }: ReadOptions = {},
): Promise<ReadonlyMap<Urn, number>> {
  const totals = new Map<Urn, number>();
  const urns = entities.filter(({ kind }) => kindOf(kind).deletion).map(({ urn }) => urn);
  const question = {
    urns: [...new Set(urns)],
    documentFor: () => assignmentsDocument,
    variablesFor: (some: readonly Urn[]) => ({ urns: some }),
  };
  try {
    await readBatches(reader, [question], options, (urn, reading) => {
      const total = totalIn(reading);
      if (total !== undefined) totals.set(urn, total);
    });
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
  }
  return new Map(totals);
}

function totalOf(relationships: readonly string[]): string {
  const types = JSON.stringify(relationships);
  return `relationships(input: { types: ${types}, direction: INCOMING, start: 0, count: 1 }) { total }`;
}

// The index counts no further than 10,000 (Elasticsearch, track_total_hits, which GraphQueryBaseDAO.java leaves alone),
// and the server takes off it the one edge that it answers when the token may not see its source.
const countable = 10_000 - 1;

function totalIn({ entity, error }: Reading): number | undefined {
  const found = error === undefined ? entity?.["relationships"] : undefined;
  const total = isJsonObject(found) ? found["total"] : undefined;
  return typeof total === "number" && Number.isSafeInteger(total) && total >= 0 && total < countable
    ? total
    : undefined;
}

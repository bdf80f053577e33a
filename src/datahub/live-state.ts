import pLimit from "p-limit";
import { facetsOf } from "../facets/index.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { Live } from "../model/live.ts";
import type { Unmanaged } from "../model/plan.ts";
import type { Entity, FacetValue, State } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";
import { chunks } from "./chunks.ts";
import type { Answer, Reader } from "./client.ts";
import { availableFields } from "./available-fields.ts";
import { documentFor } from "./entities-document.ts";

/** How the catalog is read. `batch` is the number of entities a request asks for. */
export interface ReadOptions {
  readonly concurrency?: number;
  readonly batch?: number;
  /** Ends the reading early: it throws the signal's reason. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (read: number, total: number) => void;
}

interface Findings {
  readonly state: Map<Urn, Entity>;
  readonly missing: Map<Urn, "absent" | "soft-deleted">;
  readonly unreadable: Map<Urn, string>;
  readonly unmanaged: Unmanaged[];
}

/**
 * Reads the entities of `wanted` as they are now. An entity whose reading failed is `unreadable`, never absent.
 * Throws `CatalogError` when the server cannot be asked.
 */
export async function readLive(reader: Reader, wanted: State, options: ReadOptions = {}): Promise<Live> {
  const { concurrency = 8, batch = 100, signal, onProgress } = options;
  const findings: Findings = { state: new Map(), missing: new Map(), unreadable: new Map(), unmanaged: [] };
  const [costly, plain] = partition([...wanted.values()], declaresCostly);
  const has = await availableFields(reader, costly);
  const batches = [
    ...chunks(plain, batch).map((entities) => ({ entities, document: documentFor(plain, false, has) })),
    ...chunks(costly, batch).map((entities) => ({ entities, document: documentFor(costly, true, has) })),
  ];
  const limit = pLimit(concurrency);
  let read = 0;
  await Promise.all(
    batches.map(({ entities, document }) =>
      limit(async () => {
        signal?.throwIfAborted();
        await readBatch(reader, document, entities, findings);
        read += entities.length;
        onProgress?.(read, wanted.size);
      }),
    ),
  ).finally(() => limit.clearQueue());
  return findings;
}

// DataHub fails a whole batch for one bad URN (DatasetType.java, batchLoad): halving it finds the culprit.
async function readBatch(
  reader: Reader,
  document: string,
  entities: readonly Entity[],
  findings: Findings,
): Promise<void> {
  const answer = await reader.query(document, { urns: entities.map(({ urn }) => urn) });
  const blame = blameByIndex(answer);
  const [first] = entities;
  if (blame && Array.isArray(answer.data?.["entities"])) {
    const found = byUrn(answer.data["entities"]);
    entities.forEach((entity, index) => note(entity, found.get(entity.urn), blame.get(index), findings));
  } else if (entities.length === 1 && first) {
    note(first, undefined, answer.errors[0]?.message, findings);
  } else {
    const middle = Math.ceil(entities.length / 2);
    await readBatch(reader, document, entities.slice(0, middle), findings);
    await readBatch(reader, document, entities.slice(middle), findings);
  }
}

/** The errors by the index of the entity they belong to; `undefined` when one belongs to none. */
function blameByIndex({ errors }: Answer): ReadonlyMap<number, string> | undefined {
  const blame = new Map<number, string>();
  for (const { path, message } of errors) {
    const index = path?.[0] === "entities" ? path[1] : undefined;
    if (typeof index !== "number") return undefined;
    blame.set(index, message);
  }
  return blame;
}

function byUrn(answered: readonly unknown[]): ReadonlyMap<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  for (const entity of answered) {
    if (isJsonObject(entity) && typeof entity["urn"] === "string") found.set(entity["urn"], entity);
  }
  return found;
}

function note(
  entity: Entity,
  answered: JsonObject | undefined,
  error: string | undefined,
  findings: Findings,
): void {
  const { urn, kind } = entity;
  if (error !== undefined) findings.unreadable.set(urn, error);
  else if (!answered) findings.unreadable.set(urn, "the server left it out of its answer");
  else if (answered["__typename"] === "Restricted") findings.unreadable.set(urn, "the token may not read it");
  else if (typeof answered["exists"] !== "boolean")
    findings.unreadable.set(urn, "the server does not say whether it exists");
  else if (!answered["exists"]) findings.missing.set(urn, "absent");
  else if ((answered["status"] as JsonObject | null)?.["removed"] === true)
    findings.missing.set(urn, "soft-deleted");
  else findings.state.set(urn, observe(urn, kind, answered, declaresCostly(entity), findings.unmanaged));
}

function observe(
  urn: Urn,
  kind: Entity["kind"],
  answered: JsonObject,
  costly: boolean,
  unmanaged: Unmanaged[],
): Entity {
  const facets = new Map<string, FacetValue>();
  for (const facet of facetsOf(kind)) {
    if (facet.costly && !costly) continue;
    const { value, ingested = [] } = facet.observe(answered);
    facets.set(facet.name, value);
    for (const each of ingested)
      unmanaged.push({ urn, kind, facet: facet.name, ...each, reason: "ingested" });
  }
  return { urn, kind, facets };
}

function declaresCostly(entity: Entity): boolean {
  return facetsOf(entity.kind).some((facet) => facet.costly && entity.facets.has(facet.name));
}

function partition<T>(
  items: readonly T[],
  test: (item: T) => boolean,
): readonly [readonly T[], readonly T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}

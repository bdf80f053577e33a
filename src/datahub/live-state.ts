import pLimit from "p-limit";
import { facetsOf } from "../facets/index.ts";
import { kindOf } from "../kinds/index.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { Live } from "../model/live.ts";
import type { Unmanaged } from "../model/plan.ts";
import type { Entity, FacetValue, State } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";
import { availableFields } from "./available-fields.ts";
import { chunks } from "./chunks.ts";
import type { Answer, Reader } from "./client.ts";
import { assetsDocument, definitionsDocument } from "./entities-document.ts";
import { withRawAspects } from "./raw-aspects.ts";

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

/** Entities that are asked for by the same document. */
interface Batch {
  readonly entities: readonly Entity[];
  readonly documentFor: (entities: readonly Entity[]) => string;
  readonly columns: boolean;
}

/**
 * Reads the entities of `wanted` as they are now. An entity whose reading failed is `unreadable`, never absent.
 * Throws `CatalogError` when the server cannot be asked.
 */
export async function readLive(reader: Reader, wanted: State, options: ReadOptions = {}): Promise<Live> {
  const { concurrency = 8, batch = 100, signal, onProgress } = options;
  const findings: Findings = { state: new Map(), missing: new Map(), unreadable: new Map(), unmanaged: [] };
  const batches = await batchesOf(reader, [...wanted.values()], batch);
  const limit = pLimit(concurrency);
  let read = 0;
  await Promise.all(
    batches.map((each) =>
      limit(async () => {
        signal?.throwIfAborted();
        await readBatch(reader, each, findings);
        read += each.entities.length;
        onProgress?.(read, wanted.size);
      }),
    ),
  ).finally(() => limit.clearQueue());
  return findings;
}

async function batchesOf(
  reader: Reader,
  entities: readonly Entity[],
  size: number,
): Promise<readonly Batch[]> {
  const definitions = entities.filter(isOwned);
  const costly = entities.filter((entity) => !isOwned(entity) && declaresCostly(entity));
  const plain = entities.filter((entity) => !isOwned(entity) && !declaresCostly(entity));
  const has = await availableFields(reader, costly);
  const [plainDocument, costlyDocument] = [
    assetsDocument(plain, false, has),
    assetsDocument(costly, true, has),
  ];
  return [
    ...chunks(definitions, size).map((some) => ({
      entities: some,
      documentFor: definitionsDocument,
      columns: false,
    })),
    ...chunks(plain, size).map((some) => ({
      entities: some,
      documentFor: () => plainDocument,
      columns: false,
    })),
    ...chunks(costly, size).map((some) => ({
      entities: some,
      documentFor: () => costlyDocument,
      columns: true,
    })),
  ];
}

// DataHub fails a whole batch for one bad URN (DatasetType.java, batchLoad): halving it finds the culprit.
async function readBatch(reader: Reader, batch: Batch, findings: Findings): Promise<void> {
  const { entities, documentFor } = batch;
  const urns = entities.map(({ urn }) => urn);
  const answer = await reader.query(documentFor(entities), variablesFor(entities, urns));
  const blame = blameByIndex(answer);
  const [first] = entities;
  if (blame && Array.isArray(answer.data?.["entities"])) {
    const found = byUrn(answer.data["entities"]);
    entities.forEach((entity, index) => {
      const error = blame.get(index);
      const exists = isOwned(entity) ? answer.data?.[`e${index}`] : found.get(entity.urn)?.["exists"];
      note(entity, { answered: found.get(entity.urn), exists, error }, batch.columns, findings);
    });
  } else if (entities.length === 1 && first) {
    note(first, { error: answer.errors[0]?.message }, batch.columns, findings);
  } else {
    const middle = Math.ceil(entities.length / 2);
    await readBatch(reader, { ...batch, entities: entities.slice(0, middle) }, findings);
    await readBatch(reader, { ...batch, entities: entities.slice(middle) }, findings);
  }
}

function variablesFor(entities: readonly Entity[], urns: readonly Urn[]): JsonObject {
  if (!entities.some(isOwned)) return { urns };
  return { urns, ...Object.fromEntries(urns.map((urn, index) => [`u${index}`, urn])) };
}

/** The errors by the index of the entity they belong to; `undefined` when one belongs to none. */
function blameByIndex({ errors }: Answer): ReadonlyMap<number, string> | undefined {
  const blame = new Map<number, string>();
  for (const { path, message } of errors) {
    const alias = /^e(\d+)$/.exec(String(path?.[0]))?.[1];
    const index = alias !== undefined ? Number(alias) : path?.[0] === "entities" ? path[1] : undefined;
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

interface Reading {
  readonly answered?: JsonObject | undefined;
  /** What the server says of its existence: a truth value, or nothing. */
  readonly exists?: unknown;
  readonly error?: string | undefined;
}

function note(
  entity: Entity,
  { answered, exists, error }: Reading,
  columns: boolean,
  findings: Findings,
): void {
  const { urn } = entity;
  if (error !== undefined) findings.unreadable.set(urn, error);
  else if (!answered) findings.unreadable.set(urn, "the server left it out of its answer");
  else if (answered["__typename"] === "Restricted") findings.unreadable.set(urn, "the token may not read it");
  else if (typeof exists !== "boolean")
    findings.unreadable.set(urn, "the server does not say whether it exists");
  else if (!exists) findings.missing.set(urn, "absent");
  else if (!isOwned(entity) && isRemoved(answered)) findings.missing.set(urn, "soft-deleted");
  else findings.state.set(urn, observe(entity, withRawAspects(answered), columns, findings.unmanaged));
}

function isRemoved({ status }: JsonObject): boolean {
  return isJsonObject(status) && status["removed"] === true;
}

function observe(
  { urn, kind }: Entity,
  answered: JsonObject,
  columns: boolean,
  unmanaged: Unmanaged[],
): Entity {
  const facets = new Map<string, FacetValue>();
  for (const facet of facetsOf(kind)) {
    if (facet.costly && !columns) continue;
    const { value, ingested = [] } = facet.observe(answered, kind);
    facets.set(facet.name, value);
    for (const each of ingested)
      unmanaged.push({ urn, kind, facet: facet.name, ...each, reason: "ingested" });
  }
  return { urn, kind, facets };
}

function isOwned({ kind }: Entity): boolean {
  return kindOf(kind).lifecycle === "owned";
}

function declaresCostly(entity: Entity): boolean {
  return facetsOf(entity.kind).some((facet) => facet.costly && entity.facets.has(facet.name));
}

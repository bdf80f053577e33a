import type { SupportsField } from "../read/available-fields.ts";
import { assetsDocument, definitionsDocument, numbered } from "../read/entities-document.ts";
import { existenceDocument, existenceVariables } from "../read/existence.ts";
import { membershipsDocument } from "../read/memberships.ts";
import { namesDocument } from "../read/names.ts";
import { readReferring } from "../read/referring.ts";
import {
  type Question,
  questionOf,
  readBatches,
  type Reading,
  type ReadOptions,
} from "../read/read-batches.ts";
import { sideBySide } from "../read/side-by-side.ts";
import type { Reader } from "../../datahub/client.ts";
import { facets, facetsOf, memberships } from "../../facets/index.ts";
import { kindOf, kindOfType } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { chunks, groupBy } from "../../model/group-by.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { Entity } from "../../model/state.ts";
import { entityTypeOf, type Urn } from "../../model/urn.ts";
import type { Held } from "./snapshot.ts";

/** How entities are read for a snapshot. */
export interface HeldOptions extends ReadOptions {
  readonly supports: SupportsField;
}

/**
 * Reads of entities everything that a plan can ask about them, with the documents that a plan asks with. Throws
 * `CatalogError` when the server cannot be asked.
 */
export async function readHeld(
  reader: Reader,
  urns: readonly Urn[],
  options: HeldOptions,
): Promise<ReadonlyMap<Urn, Held>> {
  const held = new Map<Urn, Held>(urns.map((urn) => [urn, { exists: null, entity: null }]));
  const take = (urn: Urn, reading: Reading): void => {
    held.set(urn, joined(held.get(urn), reading));
  };
  await readBatches(reader, questionsFor(urns, options.supports), options, take);
  for (const [urn, stored] of await readStored(reader, urns, options))
    held.set(urn, { ...joined(held.get(urn)), stored });
  return held;
}

/**
 * What is held of entities, with what a plan asks that deletes them: all that refers to them. What of that could not be read is
 * left out, and a plan that needs it says so. Throws as `readHeld` does.
 */
export async function withReferring(
  reader: Reader,
  held: ReadonlyMap<Urn, Held>,
  options: ReadOptions,
): Promise<ReadonlyMap<Urn, Held>> {
  const more = new Map(held);
  for (const [urn, answer] of await readReferring(reader, [...held.keys()].flatMap(bare), options)) {
    if (typeof answer === "object")
      more.set(urn, joined(more.get(urn), { entity: answer, alias: undefined, error: undefined }));
  }
  return more;
}

function questionsFor(urns: readonly Urn[], supports: SupportsField): readonly Question[] {
  const known = urns.filter((urn) => kindAt(urn));
  const definitions = known.filter((urn) => kindAt(urn)?.lifecycle === "owned");
  const assets = known.filter((urn) => kindAt(urn)?.lifecycle === "observed");
  const others = urns.filter((urn) => !kindAt(urn));
  const ends = new Set<string>([memberships.kind.entityType, memberships.inverseKind.entityType]);
  return [
    {
      urns: definitions,
      documentFor: (some) => definitionsDocument(some.flatMap(bare)),
      variablesFor: (some) => ({ urns: some, ...numbered(some) }),
    },
    questionOf(
      definitions.filter((urn) => ends.has(entityTypeOf(urn))),
      membershipsDocument,
    ),
    questionOf(
      assets,
      assetsDocument(new Set(assets.flatMap(bare).map(({ kind }) => kind)), everyFacet, supports),
    ),
    {
      urns: others,
      documentFor: (some) => existenceDocument(some.length),
      variablesFor: existenceVariables,
    },
    questionOf(others, namesDocument),
  ];
}

const everyFacet: ReadonlySet<string> = new Set(facets.map(({ name }) => name));

function kindAt(urn: Urn): Kind | undefined {
  return kindOfType(entityTypeOf(urn));
}

function bare(urn: Urn): readonly Entity[] {
  const kind = kindAt(urn);
  return kind ? [{ urn, kind: kind.name, facets: new Map() }] : [];
}

/** What is held of an entity, with one more answer about it. An error of one answer is that of the entity. */
function joined(before: Held = { exists: null, entity: null }, reading?: Reading): Held {
  if (!reading) return before;
  const { alias, entity, error } = reading;
  return {
    ...before,
    exists: typeof alias === "boolean" ? alias : before.exists,
    entity: entity ? withAnswer(before.entity ?? {}, entity) : before.entity,
    ...(error !== undefined && { error }),
  };
}

function withAnswer(before: JsonObject, answer: JsonObject): JsonObject {
  const aspects = [...listIn(before), ...listIn(answer)];
  const byText = new Map(aspects.map((aspect) => [JSON.stringify(aspect), aspect]));
  const isAny = before["aspects"] !== undefined || answer["aspects"] !== undefined;
  return { ...before, ...answer, ...(isAny && { aspects: [...byText.values()] }) };
}

function listIn({ aspects }: JsonObject): readonly Json[] {
  return isJsonList(aspects) ? aspects : [];
}

async function readStored(
  reader: Reader,
  urns: readonly Urn[],
  { batch = 100, signal }: ReadOptions,
): Promise<ReadonlyMap<Urn, JsonObject>> {
  const wanted = urns.flatMap((urn) => {
    const kind = kindAt(urn)?.name ?? "";
    const aspects = new Set(facetsOf(kind).flatMap(({ storedIn }) => storedIn?.aspect(kind) ?? []));
    return aspects.size > 0 ? [{ kind, urn, aspects: [...aspects] }] : [];
  });
  const requests = [...groupBy(wanted, ({ kind }) => kind)].flatMap(([kind, ofKind]) =>
    chunks(ofKind, batch).map((some) => ({ kind, some })),
  );
  const answers = await sideBySide(reader, requests, async ({ kind, some }) => {
    const answer = await reader.stored.read(kindOf(kind).entityType, some, signal);
    return typeof answer === "string" ? [] : some.flatMap(({ urn }) => entryOf(urn, answer.get(urn)));
  });
  return new Map(answers.flat());
}

function entryOf(urn: Urn, stored: JsonObject | undefined): readonly (readonly [Urn, JsonObject])[] {
  return stored ? [[urn, Object.fromEntries(Object.entries(stored).flatMap(partsOf))]] : [];
}

// What else stands there moves with each ingestion, and no plan asks for it.
function partsOf([aspect, envelope]: readonly [string, Json | undefined]): readonly (readonly [
  string,
  JsonObject,
])[] {
  if (!isJsonObject(envelope)) return [];
  const { value, auditStamp } = envelope;
  return [[aspect, { value, auditStamp }]];
}

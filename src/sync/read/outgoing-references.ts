/** Reads definitions that will be deleted, and the relationships that point to them. */

import { edgesOfMembers, relationshipBelow } from "../../facets/index.ts";
import { aspectsDeletedWith } from "../../facets/deleted-aspects.ts";
import { kindOf, kindOfUrn, kinds } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { groupBy } from "../../model/group-by.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { Deletable } from "../../model/live.ts";
import type { EntityKey } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import type { Reader } from "../../datahub/client.ts";
import { aspectsSelection, rawAspectsIn } from "./entities-document.ts";
import { foundUrn } from "./found-urn.ts";
import { readBatches, type ReadOptions } from "./read-batches.ts";
import type { Reading } from "./readings.ts";

/** Page size for references to an entity. */
const pageSize = 500;

// The index counts up to 10,000 references, because GraphQueryBaseDAO.java does not set Elasticsearch's track_total_hits. The
// server subtracts the single returned reference from this total if the token may not view its source.
const countable = 10_000 - 1;

/**
 * The query for definitions' aspects and referrers. It contains only one `relationships` field for each entity, because newer
 * servers return an empty result for a second field (EntityRelationshipsResultResolver.java, tryVisit).
 */
export const referringDocument = documentOf("ReadReferring", (kind) => {
  if (!kind.deletion) return undefined;
  const aspects = aspectsSelection(kind, aspectsDeletedWith(kind.name));
  return hasRelationships(kind)
    ? `${aspects} ${relationshipsOf([...kind.deletion.relationships, ...belowIn(kind)])}`
    : aspects;
});

/** The query for the children of definitions that have more references than the index returns. */
export const belowDocument = documentOf("ReadBelow", (kind) =>
  kind.deletion && belowIn(kind).length > 0 ? relationshipsOf(belowIn(kind)) : undefined,
);

/**
 * Reads the aspects and referrers of definitions, or the reasons why they could not be read. References are read from the
 * server's index, which may lag. If there are more references than the index counts, the result includes only children.
 */
export async function readReferring(
  reader: Reader,
  entities: readonly EntityKey[],
  options: ReadOptions = {},
): Promise<ReadonlyMap<Urn, JsonObject | string>> {
  const supported = entities.filter(({ kind }) => kindOf(kind).deletion);
  const answers = new Map(await readPages(reader, supported, { document: referringDocument, options }));
  const crowded = supported.filter(({ urn }) => totalIn(answers.get(urn)) >= countable);
  const inTrees = crowded.filter(({ kind }) => kindOf(kind).parentFacet !== undefined);
  const below = await readPages(reader, inTrees, { document: belowDocument, options, readsAll: true });
  for (const { urn } of crowded) {
    const [answer, listed] = [answers.get(urn), below.get(urn)];
    if (typeof answer !== "object") continue;
    const relationships = {
      total: countable,
      relationships: typeof listed === "object" ? edgesIn(listed) : [],
    };
    answers.set(urn, typeof listed === "string" ? listed : { ...answer, relationships });
  }
  return answers;
}

/** Returns the aspects and referrers in a result of `readReferring`, or the reason why they are unknown. */
export function deletableIn(answer: JsonObject, kind: string): Deletable | string {
  const aspects = rawAspectsIn(answer);
  if (typeof aspects === "string") return aspects;
  const wanted = new Set(aspectsDeletedWith(kind));
  const below = relationshipBelow(kindOf(kind));
  const isCrowded = totalIn(answer) >= countable;
  const all = edgesIn(answer).map((edge) => ({ type: typeIn(edge), urn: foundUrn(edge) }));
  const fromBelow = all.filter(({ type }) => type === below);
  return {
    aspects: Object.fromEntries(
      Object.entries(aspects).filter(([name, value]) => wanted.has(name) && !isNativeOrigin(name, value)),
    ),
    referring: isCrowded ? fromBelow : all,
    assignments: isCrowded ? undefined : Math.max(0, totalIn(answer) - fromBelow.length),
  };
}

/** Whether an aspect marks a group as native to DataHub. The server writes this aspect when members are added or removed. */
function isNativeOrigin(name: string, value: Json | undefined): boolean {
  const isOrigin = edgesOfMembers.some(({ storedByMembers }) => storedByMembers.originAspect === name);
  return isOrigin && isJsonObject(value) && value["type"] === "NATIVE";
}

/**
 * Whether the index has relationships that point to entities of a kind. For other kinds, the response is always null, which does
 * not mean that there are no referrers.
 */
function hasRelationships({ deletion }: Kind): boolean {
  return deletion?.usedIn === undefined;
}

function belowIn(kind: Kind): readonly string[] {
  const below = relationshipBelow(kind);
  return below === undefined ? [] : [below];
}

function documentOf(name: string, select: (kind: Kind) => string | undefined): string {
  const fragments = kinds.flatMap((kind) => {
    const fields = select(kind);
    return fields === undefined ? [] : [`... on ${kind.typename} { ${fields} }`];
  });
  return `query ${name}($urns: [String!]!, $start: Int!, $count: Int!) { entities(urns: $urns) { urn __typename ${fragments.join(" ")} } }`;
}

function relationshipsOf(types: readonly string[]): string {
  return `relationships(input: { types: ${JSON.stringify(types)}, direction: INCOMING, start: $start, count: $count }) { total relationships { type entity { urn } } }`;
}

interface Pages {
  readonly document: string;
  readonly options: ReadOptions;
  /** Whether to read all pages, even if there are more references than the index counts. */
  readonly readsAll?: boolean;
}

/** Reads page by page, and joins the pages of each entity. */
async function readPages(
  reader: Reader,
  entities: readonly EntityKey[],
  { document, options, readsAll = false }: Pages,
): Promise<ReadonlyMap<Urn, JsonObject | string>> {
  const answers = new Map<Urn, JsonObject | string>();
  let next = new Map(entities.map(({ urn }) => [urn, 0]));
  while (next.size > 0) {
    const questions = [...groupBy(next, ([, start]) => start)].map(([start, some]) => ({
      urns: some.map(([urn]) => urn),
      requestFor: (urns: readonly Urn[]) => ({ document, variables: { urns, start, count: pageSize } }),
    }));
    const open = new Map<Urn, number>();
    const starts = next;
    await readBatches(reader, questions, options, (urn, reading) => {
      const answer = answerIn(urn, reading);
      const before = answers.get(urn);
      const joined = typeof answer === "object" && typeof before === "object" ? join(before, answer) : answer;
      answers.set(urn, joined);
      if (typeof answer === "string" || typeof joined === "string") return;
      const [answered, start] = [edgesIn(answer).length, starts.get(urn) ?? 0];
      const isNew = typeof before !== "object" || edgesIn(joined).length > edgesIn(before).length;
      const isEnd = start + answered === totalIn(answer) && answered < pageSize;
      const isBeyond = start + answered >= countable || (!readsAll && totalIn(answer) >= countable);
      if (answered > 0 && isNew && !isEnd && !isBeyond) open.set(urn, start + answered);
    });
    next = open;
  }
  return answers;
}

/** Returns a complete entity, or the reason why it is incomplete. */
function answerIn(urn: Urn, { entity, error }: Reading): JsonObject | string {
  if (error !== undefined) return error;
  if (!entity) return "the server's response does not contain this entity";
  const kind = kindOfUrn(urn);
  if (kind && !hasRelationships(kind)) return entity;
  const { relationships: found } = entity;
  const isComplete = isJsonObject(found) && isJsonList(found["relationships"]) && totalIn(entity) >= 0;
  return isComplete ? entity : "the server's response does not contain the entities that refer to it";
}

/** Adds references from the next page that are not included yet. */
function join(first: JsonObject, next: JsonObject): JsonObject {
  const known = new Set(edgesIn(first).map(keyOf));
  const fresh = edgesIn(next).filter((edge) => {
    const key = keyOf(edge);
    return key === undefined || !known.has(key);
  });
  const { relationships } = next;
  const total = isJsonObject(relationships) ? relationships["total"] : undefined;
  return { ...first, relationships: { total, relationships: [...edgesIn(first), ...fresh] } };
}

function keyOf(edge: Json): string | undefined {
  const urn = foundUrn(edge);
  return urn && `${typeIn(edge)} ${urn}`;
}

function totalIn(answer: JsonObject | string | undefined): number {
  const found = typeof answer === "object" ? answer["relationships"] : undefined;
  const total = isJsonObject(found) ? found["total"] : undefined;
  return typeof total === "number" && Number.isSafeInteger(total) ? total : -1;
}

function edgesIn({ relationships: found }: JsonObject): readonly Json[] {
  const list = isJsonObject(found) ? found["relationships"] : undefined;
  return isJsonList(list) ? list : [];
}

function typeIn(edge: Json): string {
  const type = isJsonObject(edge) ? edge["type"] : undefined;
  return typeof type === "string" ? type : "";
}

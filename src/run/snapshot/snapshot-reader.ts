import type { Answer, Reader } from "../../datahub/client.ts";
import { displayNamesOf } from "../../facets/display-names.ts";
import { canonicalJson, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { isRestricted } from "../../model/restricted.ts";
import { entityTypeOf, isUrn, type Urn } from "../../model/urn.ts";
import { statusIn } from "./definitions.ts";
import {
  entryOf,
  type FoundEntities,
  listedUrns,
  missingEntry,
  numberedUrns,
  queryFor,
  queryKey,
  type SavedAnswer,
  scrollOf,
  type Snapshot,
  storedKey,
} from "./snapshot.ts";

/**
 * A reader that answers from a snapshot as the server did: the same queries about any of its entities, and whether any
 * definition that it lists exists. Everything else fails with `missingEntry`. It sends nothing.
 */
export function snapshotReader(snapshot: Snapshot): Reader {
  const statusOf = statusIn(snapshot);
  const lookUp = answersOf(snapshot, statusOf);
  const storedOf = (urn: Urn): JsonObject | undefined => {
    const entry = entryOf(snapshot, urn);
    return entry || statusOf(urn) !== "soft-deleted" ? entry?.stored : { status: { value: removed } };
  };
  return {
    concurrency: 1,
    query: async (document, variables, interrupted) => {
      interrupted?.throwIfAborted();
      const { input } = variables;
      const setting = snapshot.settings?.[document];
      if (setting) return { data: setting, errors: [] };
      if (isJsonObject(input)) return scroll(snapshot, input);
      // A snapshot has no index for other searches.
      if (isJsonObject(variables["i0"])) return { data: null, errors: [{ message: missingEntry }] };
      const key = queryKey(document, variables);
      return answerTo(variables, (urn) => lookUp(urn, key));
    },
    stored: {
      read: async (_type, wanted, interrupted, { orEach = false, onForbidden } = {}) => {
        interrupted?.throwIfAborted();
        for (const { urn } of wanted) {
          const error = isUrn(urn) ? entryOf(snapshot, urn)?.answers[storedKey]?.error : undefined;
          if (error === undefined) continue;
          if (isRestricted(error)) onForbidden?.(urn);
          else if (orEach) return "refused";
        }
        const stored = wanted.map(({ urn }) => [urn, isUrn(urn) ? storedOf(urn) : undefined] as const);
        return new Map(stored.flatMap(([urn, aspects]) => (aspects ? [[urn, aspects] as const] : [])));
      },
    },
  };
}

/** What is stored of a soft-deleted entity. */
const removed: JsonObject = { removed: true };

/** Finds the answer of a snapshot to a query about a URN. */
function answersOf(
  snapshot: Snapshot,
  statusOf: ReturnType<typeof statusIn>,
): (urn: Urn, query: string) => SavedAnswer {
  return (urn, query) => {
    const entry = entryOf(snapshot, urn);
    if (entry) return entry.answers[query] ?? { error: missingEntry };
    const status = statusOf(urn);
    if (status === undefined || (status !== "absent" && query !== "ReadExistence"))
      return { error: missingEntry };
    const exists = status !== "absent";
    const entity = {
      urn,
      __typename: displayNamesOf(entityTypeOf(urn))?.typename ?? null,
      exists,
      aspects: status === "soft-deleted" ? [{ aspectName: "status", payload: JSON.stringify(removed) }] : [],
      relationships: { total: 0, relationships: [] },
    };
    return { exists, entity };
  };
}

/** The answer to a query about some entities, with an error at each of which there is none. */
function answerTo(variables: JsonObject, lookUp: (urn: Urn) => SavedAnswer): Answer {
  const errors: Answer["errors"][number][] = [];
  const look = (urn: Urn, path: readonly (string | number)[]): SavedAnswer => {
    const answer = lookUp(urn);
    if (answer.error !== undefined) errors.push({ message: answer.error, path });
    return answer;
  };
  const { urn } = variables;
  if (isUrn(urn)) {
    const { entity = null } = look(urn, [queryFor(urn)]);
    return { data: { [queryFor(urn)]: entity }, errors };
  }
  const numbered = numberedUrns(variables);
  const exists = numbered.map((each, index): [string, Json] => {
    const alias = `e${index}`;
    return [alias, look(each, [alias]).exists ?? null];
  });
  // An entity that is numbered has its error there.
  const entities = listedUrns(variables).map((each, index) => {
    const answer = numbered.length > 0 ? lookUp(each) : look(each, ["entities", index]);
    return answer.entity ?? null;
  });
  return { data: { ...Object.fromEntries(exists), entities }, errors };
}

/** A page of what the index named. The id of a page is the place of its first entity. */
function scroll(snapshot: Snapshot, input: JsonObject): Answer {
  const urns = foundIn(snapshot, scrollOf(input));
  if (!urns) return { data: null, errors: [{ message: missingEntry, path: ["scrollAcrossEntities"] }] };
  const { scrollId, count } = input;
  const start = typeof scrollId === "string" ? Number(scrollId) : 0;
  const end = start + (typeof count === "number" ? count : urns.length);
  const page = {
    total: urns.length,
    nextScrollId: end < urns.length ? String(end) : null,
    searchResults: urns.slice(start, end).map((urn) => ({ entity: { urn } })),
  };
  return { data: { scrollAcrossEntities: page }, errors: [] };
}

/**
 * What the index named for a question: the same was asked, or more. More than was asked for does no harm, since the index
 * decides nothing.
 */
function foundIn(
  { found = [] }: Snapshot,
  { type, anyOf }: Pick<FoundEntities, "type" | "anyOf">,
): readonly string[] | undefined {
  const own = found.filter((each) => each.type === type);
  const same = own.find((each) => canonicalJson(each.anyOf) === canonicalJson(anyOf));
  const all = same ?? own.find((each) => each.anyOf.length === 0);
  if (all) return all.urns;
  if (anyOf.length === 0) return undefined;
  const urns = new Set<string>();
  for (const list of anyOf) {
    const text = canonicalJson(list);
    const answer = own.find((each) => each.anyOf.some((other) => canonicalJson(other) === text));
    if (!answer) return undefined;
    for (const urn of answer.urns) urns.add(urn);
  }
  return [...urns];
}

/** Answers queries with data from a snapshot instead of a server. */

import type { Answer, Reader } from "../../datahub/client.ts";
import { displayNamesOf } from "../../facets/display-names.ts";
import { canonicalJson, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { isRestricted } from "../../model/restricted.ts";
import { entityTypeOf, isUrn, type Urn } from "../../model/urn.ts";
import { statusIn } from "../read/list-definitions.ts";
import {
  type SavedSearch,
  entryOf,
  listedUrns,
  numberedUrns,
  queryFor,
  queryKey,
  type SavedAnswer,
  scrollOf,
  type Snapshot,
  storedKey,
} from "./snapshot.ts";
import { missingEntry } from "../read/missing-entry.ts";

/**
 * Creates a reader for a snapshot. It returns the recorded results for the snapshot's entities, and reports whether a listed
 * definition exists. Any other query fails with `missingEntry`. The reader sends no requests.
 */
export function snapshotReader(snapshot: Snapshot): Reader {
  const statusOf = statusIn(snapshot);
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
      return answerTo(variables, (urn) => savedAnswer(snapshot, statusOf, urn, key));
    },
    stored: {
      read: async (_type, wanted, interrupted, { orEach = false, onForbidden } = {}) => {
        interrupted?.throwIfAborted();
        for (const { urn } of wanted) {
          const error = entryOf(snapshot, urn)?.answers[storedKey]?.error;
          if (error === undefined) continue;
          if (isRestricted(error)) onForbidden?.(urn);
          else if (orEach) return "refused";
        }
        const stored = wanted.map(({ urn }) => [urn, storedOf(urn)] as const);
        return new Map(stored.flatMap(([urn, aspects]) => (aspects ? [[urn, aspects] as const] : [])));
      },
    },
  };
}

/** The stored status of a soft-deleted entity. */
const removed: JsonObject = { removed: true };

/** Returns the recorded result of a query for a URN, or the result for a definition that is only listed. */
function savedAnswer(
  snapshot: Snapshot,
  statusOf: ReturnType<typeof statusIn>,
  urn: Urn,
  query: string,
): SavedAnswer {
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
}

/** Returns the response to a query about several entities, with an error for each entity that has no recorded result. */
function answerTo(variables: JsonObject, lookUp: (urn: Urn) => SavedAnswer): Answer {
  const errors: Answer["errors"][number][] = [];
  const answerAt = (urn: Urn, path: readonly (string | number)[]): SavedAnswer => {
    const answer = lookUp(urn);
    if (answer.error !== undefined) errors.push({ message: answer.error, path });
    return answer;
  };
  const { urn } = variables;
  if (isUrn(urn)) {
    const { entity = null } = answerAt(urn, [queryFor(urn)]);
    return { data: { [queryFor(urn)]: entity }, errors };
  }
  const numbered = numberedUrns(variables);
  const exists = numbered.map((each, index): [string, Json] => {
    const alias = `e${index}`;
    return [alias, answerAt(each, [alias]).exists ?? null];
  });
  // If an entity has an alias, an error about the entity is reported only at the alias.
  const entities = listedUrns(variables).map((each, index) => {
    const answer = numbered.length > 0 ? lookUp(each) : answerAt(each, ["entities", index]);
    return answer.entity ?? null;
  });
  return { data: { ...Object.fromEntries(exists), entities }, errors };
}

/** Returns a page of search results. The page's id is the index of its first entity. */
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
 * Returns the URNs that the index returned for the same filters or for a broader search. Additional URNs do not matter, because
 * the index is used only to find entities.
 */
function foundIn({ found = [] }: Snapshot, { type, anyOf }: SavedSearch): readonly string[] | undefined {
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

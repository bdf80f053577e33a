/** Records a server's responses for a snapshot. */

import type { Answer, Reader } from "../../datahub/client.ts";
import {
  canonicalJson,
  compareText,
  isJsonList,
  isJsonObject,
  type Json,
  type JsonObject,
} from "../../model/json.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { featureFlagDocuments } from "../read/capabilities.ts";
import { isRestricted, notViewable } from "../../model/restricted.ts";
import { shellFault, shellsQuery } from "../read/restricted.ts";
import { foundUrn } from "../read/found-urn.ts";
import { readingsIn } from "../read/readings.ts";
import { notAnswered } from "../read/extra-aspects.ts";
import {
  type RecordedAnswers,
  type FoundEntities,
  listedUrns,
  numberedUrns,
  queryFor,
  queryKey,
  type SavedAnswer,
  scrollOf,
  type SnapshotEntry,
  storedKey,
} from "./snapshot.ts";

/** A reader that records the server's responses. */
export interface Recorder {
  readonly reader: Reader;
  /** The responses recorded so far, keyed by URN. */
  readonly entries: ReadonlyMap<Urn, SnapshotEntry>;
  note(urn: Urn, query: string, answer: SavedAnswer): void;
  /** Returns the recorded responses, sorted. */
  recorded(): RecordedAnswers;
}

/** An entry to which responses are still being added. */
interface OpenEntry {
  readonly answers: Record<string, SavedAnswer>;
  stored?: JsonObject;
}

/** Creates a recorder for a reader's responses. A later response to the same query replaces an earlier response. */
export function createRecorder(reader: Reader): Recorder {
  const entries = new Map<Urn, OpenEntry>();
  const found = new Map<string, FoundEntities & { readonly urns: string[] }>();
  const settings: Record<string, JsonObject | null> = {};
  const entryAt = (urn: Urn): OpenEntry => {
    const entry = entries.get(urn) ?? { answers: {} };
    entries.set(urn, entry);
    return entry;
  };
  const note: Recorder["note"] = (urn, query, answer) => {
    entryAt(urn).answers[query] = answer;
  };
  // Responses about a shell lack the entity's values, so the responses are replaced with an error.
  const noteRestricted = (urn: Urn): void => {
    const { answers } = entryAt(urn);
    for (const [query, { exists }] of Object.entries(answers))
      answers[query] = { ...(exists !== undefined && { exists }), error: notViewable };
  };
  return {
    entries,
    note,
    reader: {
      concurrency: reader.concurrency,
      batchSize: reader.batchSize,
      onNote: reader.onNote,
      query: async (document, variables, interrupted, options) => {
        const answer = await reader.query(document, variables, interrupted, options);
        const key = queryKey(document, variables);
        for (const [urn, each] of answersIn(answer, variables)) {
          note(urn, key, each);
          if (key === shellsQuery && isShell(urn, each)) noteRestricted(urn);
        }
        if (featureFlagDocuments.has(document)) settings[document] = answer.data;
        if (isJsonObject(variables["input"])) noteFound(found, variables["input"], answer);
        return answer;
      },
      stored: {
        read: async (type, wanted, interrupted, options) => {
          const answer = await reader.stored.read(type, wanted, interrupted, {
            ...options,
            onForbidden: (urn) => {
              note(urn, storedKey, { error: notViewable });
              options?.onForbidden?.(urn);
            },
          });
          if (typeof answer === "string") {
            // Only callers that set `orEach` need a result for each entity.
            const failed = options?.orEach === true ? wanted : [];
            for (const { urn } of failed) note(urn, storedKey, { error: notAnswered });
            return answer;
          }
          for (const [urn, aspects] of answer)
            if (isUrn(urn)) {
              const entry = entryAt(urn);
              const parts = Object.fromEntries(Object.entries(aspects).flatMap(storedPart));
              // Each read may request different aspects.
              entry.stored = { ...entry.stored, ...parts };
            }
          return answer;
        },
      },
    },
    recorded: () => ({
      ...(found.size > 0 && {
        found: [...found].toSorted(([a], [b]) => compareText(a, b)).map(([, each]) => each),
      }),
      ...(Object.keys(settings).length > 0 && { settings }),
      entities: Object.fromEntries([...entries].toSorted(([a], [b]) => compareText(a, b)).map(sortedEntry)),
    }),
  };
}

// Sorts the responses by query. Queries run concurrently, so their order can differ each time.
function sortedEntry([urn, { answers, ...rest }]: [Urn, SnapshotEntry]): readonly [Urn, SnapshotEntry] {
  const sorted = Object.entries(answers).toSorted(([a], [b]) => compareText(a, b));
  return [urn, { answers: Object.fromEntries(sorted), ...rest }];
}

function isShell(urn: Urn, { entity }: SavedAnswer): boolean {
  return isJsonObject(entity) && isRestricted(shellFault(urn, entity) ?? "");
}

function answersIn(
  answer: Answer,
  variables: JsonObject,
): readonly (readonly [urn: Urn, answer: SavedAnswer])[] {
  const { data, errors } = answer;
  const { urn } = variables;
  const [first] = errors;
  if (isUrn(urn))
    return [[urn, { entity: data?.[queryFor(urn)] ?? null, ...(first && { error: first.message }) }]];
  const numbered = numberedUrns(variables);
  const urns = numbered.length > 0 ? numbered : listedUrns(variables);
  const readings = readingsIn(answer, urns, variables);
  // If a batch fails completely, it is split in half and requested again.
  if (!readings)
    return urns.length === 1 && first ? urns.map((each) => [each, { error: first.message }]) : [];
  return [...readings].map(([each, { entity, alias, error }]) => [
    each,
    {
      ...(error === undefined ? { entity: entity ?? null } : { error }),
      ...(numbered.length > 0 && { exists: (alias ?? null) as Json }),
    },
  ]);
}

function noteFound(
  found: Map<string, FoundEntities & { readonly urns: string[] }>,
  input: JsonObject,
  { data }: Answer,
): void {
  const page = data?.["scrollAcrossEntities"];
  if (!isJsonObject(page) || !isJsonList(page["searchResults"])) return;
  const scroll = scrollOf(input);
  const key = canonicalJson(scroll);
  // If a scroll restarts, it lists the same entities again.
  const previous = input["scrollId"] === undefined ? undefined : found.get(key);
  const all = previous ?? { ...scroll, urns: [] };
  for (const result of page["searchResults"]) {
    const urn = foundUrn(result);
    if (urn !== undefined) all.urns.push(urn);
  }
  found.set(key, all);
}

// Keeps only the fields that plans read, because the other fields of an aspect change with each ingestion.
function storedPart([aspect, envelope]: readonly [string, Json | undefined]): [string, JsonObject][] {
  if (!isJsonObject(envelope)) return [];
  const { value, auditStamp } = envelope;
  return [[aspect, { value, auditStamp }]];
}

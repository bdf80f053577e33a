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
  type FoundEntities,
  listedUrns,
  numberedUrns,
  queryFor,
  queryKey,
  type SavedAnswer,
  scrollOf,
  type Snapshot,
  type SnapshotEntry,
  storedKey,
} from "./snapshot.ts";

/** A reader that keeps what the server answers. */
export interface Recorder {
  readonly reader: Reader;
  /** The answers by URN, while they are read. */
  readonly entries: ReadonlyMap<Urn, SnapshotEntry>;
  note(urn: Urn, query: string, answer: SavedAnswer): void;
  /** What was recorded, sorted. */
  recorded(): Pick<Snapshot, "found" | "settings" | "entities">;
}

/** An entry while answers are added. */
interface OpenEntry {
  readonly answers: Record<string, SavedAnswer>;
  stored?: JsonObject;
}

/** Records what a reader answers. A later answer to the same query replaces an earlier one. */
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
  // What was answered of a shell is no value of the entity.
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
              if (isUrn(urn)) note(urn, storedKey, { error: notViewable });
              options?.onForbidden?.(urn);
            },
          });
          if (typeof answer === "string") {
            // Who does not insist on an answer does without it.
            const failed = options?.orEach === true ? wanted : [];
            for (const { urn } of failed) if (isUrn(urn)) note(urn, storedKey, { error: notAnswered });
            return answer;
          }
          for (const [urn, aspects] of answer)
            if (isUrn(urn)) {
              const entry = entryAt(urn);
              const parts = Object.fromEntries(Object.entries(aspects).flatMap(storedPart));
              // Different readings ask for different aspects.
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

// Queries run side by side, and may end in another order the next time.
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
  // A batch that fails entirely is asked for again, in halves.
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
  // Who begins again lists the same entities again.
  const begun = input["scrollId"] === undefined ? undefined : found.get(key);
  const all = begun ?? { ...scroll, urns: [] };
  for (const result of page["searchResults"]) {
    const urn = foundUrn(result);
    if (urn !== undefined) all.urns.push(urn);
  }
  found.set(key, all);
}

// What else there is of an aspect moves with each ingestion, and no plan asks for it.
function storedPart([aspect, envelope]: readonly [string, Json | undefined]): [string, JsonObject][] {
  if (!isJsonObject(envelope)) return [];
  const { value, auditStamp } = envelope;
  return [[aspect, { value, auditStamp }]];
}

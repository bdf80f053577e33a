import type { Kind } from "../../kinds/kind.ts";
import { CatalogError } from "../../model/catalog-error.ts";
import { chunks } from "../../model/group-by.ts";
import { isJsonList, isJsonObject, type JsonObject, textOf } from "../../model/json.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { byUrn } from "../../datahub/aspect-batches.ts";
import { type Answer, retryableCodes, type Reader } from "../../datahub/client.ts";
import { sideBySide } from "./side-by-side.ts";
import { isReadAsStored, type StoredQuestion, storedReadings } from "./stored-readings.ts";

/**
 * How the catalog is read. What reads throws `CatalogError` where the server cannot be asked, and at once the reason of the
 * signal, unless it says otherwise.
 */
export interface ReadOptions {
  /** The number of entities a request asks for. */
  readonly batch?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((read: number, total: number) => void) | undefined;
}

/** Entities that a document asks for by `entities(urns)`, and perhaps by aliases `e0`, `e1`, …. */
export interface Question {
  readonly urns: readonly Urn[];
  documentFor(urns: readonly Urn[]): string;
  variablesFor(urns: readonly Urn[]): JsonObject;
  /** How the same is known of assets from what is stored of them, where it is. */
  readonly stored?: StoredQuestion;
  /** Where the document asks for other entities as well, by the alias `beside`: the question without these. */
  readonly alone?: Question;
}

/** The question of one document, which has no variable but `urns`. */
export function questionOf(urns: readonly Urn[], document: string, stored?: StoredQuestion): Question {
  return {
    urns,
    documentFor: () => document,
    variablesFor: (some) => ({ urns: some }),
    ...(stored && { stored }),
  };
}

/** What was answered about one entity. With an `error` nothing else of it counts: a part may be missing. */
export interface Reading {
  readonly entity: JsonObject | undefined;
  /** The value of its alias `e…`, where the document has one. */
  readonly alias: unknown;
  readonly error: string | undefined;
  /** Whether the error may be gone when it is asked for again. */
  readonly isPassing?: true;
}

/**
 * Asks questions in batches, under one limit, and hands each entity's reading to `take`. An error of one entity is its
 * own; a batch that fails entirely is halved until the culprit is known, because DataHub fails it for one bad URN
 * (DatasetType.java, batchLoad).
 */
export async function readBatches(
  reader: Reader,
  questions: readonly Question[],
  options: ReadOptions,
  take: (urn: Urn, reading: Reading) => void,
): Promise<void> {
  await readAnswers(reader, questions, options, (readings) => {
    for (const [urn, reading] of readings) take(urn, reading);
  });
}

/** Other entities that were asked for in the same request, by URN: what was answered of each, if anything. */
export type Beside = ReadonlyMap<string, JsonObject | undefined>;

/** Takes the readings that came with one answer, and what was asked for beside them, unless a part of that failed. */
type TakeAnswer = (readings: ReadonlyMap<Urn, Reading>, beside?: Beside) => void | Promise<void>;

/** Asks as `readBatches` does, and hands over all readings of an answer at once. `take` may ask for more before it is done. */
export async function readAnswers(
  reader: Reader,
  questions: readonly Question[],
  { batch = 100, signal, onProgress }: ReadOptions,
  take: TakeAnswer,
): Promise<void> {
  const total = questions.reduce((sum, { urns }) => sum + urns.length, 0);
  let read = 0;
  const done = (some: number): void => {
    read += some;
    if (some > 0) onProgress?.(read, total);
  };
  const askAll = async (question: Question): Promise<void> => {
    await ask(reader, question, take, { signal });
    done(question.urns.length);
  };
  const unanswered = await sideBySide(reader, batchesOf(questions, batch), async (question) => {
    if (!isReadAsStored(reader, question)) {
      await askAll(question);
      return [];
    }
    const stored = await storedReadings(reader, question, signal);
    if (stored.size > 0) await take(stored);
    done(stored.size);
    return question.urns.filter((urn) => !stored.has(urn));
  });
  const rest = new Set(unanswered.flat());
  const left = questions.map((question) => ({
    ...question,
    urns: rest.size > 0 ? question.urns.filter((urn) => rest.has(urn)) : [],
  }));
  await sideBySide(reader, batchesOf(left, batch), askAll);
}

function batchesOf(questions: readonly Question[], batch: number): readonly Question[] {
  return questions.flatMap((question) => chunks(question.urns, batch).map((urns) => ({ ...question, urns })));
}

/** How often an entity is asked for whose error may pass. */
const mostTries = 3;

async function ask(
  reader: Reader,
  question: Question,
  take: TakeAnswer,
  { signal, tries = 1 }: { readonly signal: AbortSignal | undefined; readonly tries?: number },
): Promise<void> {
  const { urns, alone } = question;
  const { answer, beside } = parted(await answerTo(reader, question, signal), question);
  if (alone && !readingsIn(answer, urns)) return ask(reader, { ...alone, urns }, take, { signal, tries });
  const readings = readingsIn(answer, urns) ?? (urns.length === 1 ? unreadable(answer, urns) : undefined);
  if (!readings) {
    const middle = Math.ceil(urns.length / 2);
    await ask(reader, { ...question, urns: urns.slice(0, middle) }, take, { signal, tries });
    await ask(reader, { ...question, urns: urns.slice(middle) }, take, { signal, tries });
    return;
  }
  const taken = new Map(readings);
  const again: Urn[] = [];
  for (const [urn, { isPassing }] of readings) {
    if (!isPassing || tries === mostTries) continue;
    again.push(urn);
    taken.delete(urn);
  }
  if (taken.size > 0) await take(taken, beside);
  if (again.length > 0) await ask(reader, { ...question, urns: again }, take, { signal, tries: tries + 1 });
}

/** An answer without what was asked for beside, and that. An error of that is none of the answer. */
function parted(
  { data, errors }: Answer,
  question: Question,
): { readonly answer: Answer; readonly beside?: Beside } {
  if (!question.alone) return { answer: { data, errors } };
  const own = errors.filter(({ path }) => path?.[0] !== "beside");
  const list = own.length === errors.length ? data?.["beside"] : undefined;
  const asked = question.variablesFor(question.urns)["beside"];
  if (!Array.isArray(list) || !isJsonList(asked)) return { answer: { data, errors: own } };
  const { found } = byUrn(list);
  const beside = new Map(asked.map(textOf).map((urn) => [urn, found.get(urn)]));
  return { answer: { data, errors: own }, beside };
}

function unreadable({ errors: [first] }: Answer, urns: readonly Urn[]): ReadonlyMap<Urn, Reading> {
  const reading = { entity: undefined, alias: undefined, ...blameOf(first) };
  return new Map(urns.map((urn) => [urn, reading]));
}

function blameOf(error: Answer["errors"][number] | undefined): Pick<Reading, "error" | "isPassing"> {
  const isPassing = error?.code !== undefined && retryableCodes.has(error.code);
  return { error: error?.message ?? "the server did not return it", ...(isPassing && { isPassing }) };
}

async function answerTo(
  reader: Reader,
  question: Question,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const { urns } = question;
  try {
    return await reader.query(question.documentFor(urns), question.variablesFor(urns), signal);
  } catch (error) {
    const isTooLarge = error instanceof CatalogError && error.details.status === 413;
    if (isTooLarge && urns.length > 1) return { data: null, errors: [] };
    throw error;
  }
}

/** The readings in an answer about some URNs; `undefined` where it failed entirely. */
export function readingsIn(answer: Answer, urns: readonly Urn[]): ReadonlyMap<Urn, Reading> | undefined {
  const blame = blameByIndex(answer, urns);
  const entities = answer.data?.["entities"];
  if (!blame || !Array.isArray(entities)) return undefined;
  const { found, contradictory } = byUrn(entities);
  return new Map(
    urns.map((urn, index) => [
      urn,
      {
        entity: found.get(urn),
        alias: answer.data?.[`e${index}`],
        error: contradictory.has(urn) ? "the server answered it twice, and differently" : undefined,
        ...blame.get(index),
      },
    ]),
  );
}

/** The errors by the index of the entity they belong to; `undefined` when one belongs to none. */
function blameByIndex(
  { errors, data }: Answer,
  urns: readonly Urn[],
): ReadonlyMap<number, Pick<Reading, "error" | "isPassing">> | undefined {
  const blame = new Map<number, Pick<Reading, "error" | "isPassing">>();
  for (const error of errors) {
    const index = indexIn(error.path ?? [], data, urns);
    if (index === undefined || urns[index] === undefined) return undefined;
    blame.set(index, blameOf(error));
  }
  return blame;
}

// A document may ask `entities` for some of the URNs only: then the place is that of the URN in the answer.
function indexIn(
  path: readonly (string | number)[],
  data: Answer["data"],
  urns: readonly Urn[],
): number | undefined {
  const [field, place] = path;
  const alias = /^e(\d+)$/.exec(String(field))?.[1];
  if (alias !== undefined) return Number(alias);
  if (field !== "entities" || typeof place !== "number") return undefined;
  const entities = data?.["entities"];
  const entity: unknown = Array.isArray(entities) ? entities[place] : undefined;
  const urn = isJsonObject(entity) ? entity["urn"] : undefined;
  const known = isUrn(urn) ? urns.indexOf(urn) : -1;
  return known >= 0 ? known : place;
}

/** An entity as it was answered, or why it is not known. */
type AnsweredEntity =
  | { readonly entity: JsonObject; readonly fault?: undefined }
  | { readonly entity?: undefined; readonly fault: string };

/** The entity of a reading, or why it could not be read; `exists` is what was answered to whether it is there. */
export function answeredEntity(
  { entity, error }: Reading,
  { kind, exists }: { readonly kind: Kind; readonly exists: unknown },
): AnsweredEntity {
  if (error !== undefined) return { fault: error };
  if (!entity) return { fault: "the answer of the server does not include it" };
  if (entity["__typename"] === "Restricted") return { fault: "the token is not allowed to read it" };
  if (typeof exists !== "boolean")
    return { fault: "the answer of the server does not say whether it exists" };
  if (entity["__typename"] !== kind.typename) return { fault: "the answer of the server is of another type" };
  return { entity };
}

/** Reads entities in batches, and isolates those that cannot be read. */

import { byUrn } from "../../datahub/aspect-batches.ts";
import type { Answer, Reader } from "../../datahub/client.ts";
import {
  requestInBatches,
  type RequestBatch,
  type BatchSize,
  createBatchSize,
} from "../../datahub/http/batch-size.ts";
import { mayBeTooLarge } from "../../model/catalog-error.ts";
import { chunks } from "../../model/group-by.ts";
import { isJsonList, type JsonObject, textOf } from "../../model/json.ts";
import type { Urn } from "../../model/urn.ts";
import type { Question, QuestionRequest } from "./question.ts";
import { type Reading, readingsIn, unreadable } from "./readings.ts";
import { withoutShells } from "./restricted.ts";
import { mapConcurrently } from "./map-concurrently.ts";
import { isReadAsStored, storedReadings } from "./stored-readings.ts";

/** Options for a task that can be aborted. */
export interface Abortable {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Options for reading a catalog. Unless documented otherwise, functions with these options throw `CatalogError` if a request
 * fails. If the signal is aborted, they throw its reason immediately.
 */
export interface ReadOptions extends Abortable {
  /** Number of entities in a request. */
  readonly batch?: number | undefined;
}

/** Options for reading many entities, during which the progress is reported. */
export interface ReportingOptions extends ReadOptions {
  readonly onProgress?: ((read: number, total: number) => void) | undefined;
}

/**
 * Sends queries in batches with a common concurrency limit, and passes the result for each entity to `take`. An error about one
 * entity affects only that entity. A batch that fails completely is split in half until the cause is found, because DataHub
 * rejects a batch with one invalid URN (DatasetType.java, batchLoad). A request that is too large for a gateway is also split.
 */
export async function readBatches(
  reader: Reader,
  questions: readonly Question[],
  { batch, signal }: ReadOptions,
  take: (urn: Urn, reading: Reading) => void,
): Promise<void> {
  await readAnswers(reader, questions, { batch, signal }, (readings) => {
    for (const [urn, reading] of readings) take(urn, reading);
  });
}

/**
 * Additional entities in the same request, keyed by URN. The value is `undefined` if the response does not contain the entity.
 */
export type ExtraAnswer = ReadonlyMap<string, JsonObject | undefined>;

/** Receives the results in a response, and the response's additional entities unless any of them failed. */
type TakeAnswer = (readings: ReadonlyMap<Urn, Reading>, beside?: ExtraAnswer) => void | Promise<void>;

/**
 * Reads like `readBatches`, but passes all results of a response in one call. `take` may send more requests before it returns.
 */
export async function readAnswers(
  reader: Reader,
  questions: readonly Question[],
  { batch = 100, signal, onProgress }: ReportingOptions,
  take: TakeAnswer,
): Promise<void> {
  const total = questions.reduce((sum, { urns }) => sum + urns.length, 0);
  let read = 0;
  const done = (some: number): void => {
    read += some;
    if (some > 0) onProgress?.(read, total);
  };
  const { batchSize = createBatchSize() } = reader;
  const askAll = async (question: Question): Promise<void> => {
    await ask(reader, question, take, { signal, batchSize });
    done(question.urns.length);
  };
  const unanswered = await mapConcurrently(reader, batchesOf(questions, batch), async (question) => {
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
    urns: question.urns.filter((urn) => rest.has(urn)),
  }));
  await mapConcurrently(reader, batchesOf(left, batch), askAll);
}

function batchesOf(questions: readonly Question[], batch: number): readonly Question[] {
  return questions.flatMap((question) => chunks(question.urns, batch).map((urns) => ({ ...question, urns })));
}

/** Maximum number of requests for an entity if temporary errors occur. */
const maxAttempts = 3;

interface Attempt {
  readonly signal: AbortSignal | undefined;
  readonly batchSize: BatchSize;
  /** The number of this attempt, starting at 1. */
  readonly tries?: number;
  /** Whether these entities were already in a previous request. */
  readonly isPart?: boolean;
}

/** A request for entities, and the response. If a single entity is too large, the response contains only an error. */
interface Answered {
  readonly urns: readonly Urn[];
  readonly request: QuestionRequest;
  readonly answer: Answer;
}

async function ask(reader: Reader, question: Question, take: TakeAnswer, attempt: Attempt): Promise<void> {
  const { signal, isPart = false } = attempt;
  const sendOne = async (
    urns: readonly Urn[],
    request: QuestionRequest,
    isWorthRepeating: (error: unknown) => boolean,
  ): Promise<Answered> => {
    const { document, variables } = request;
    const answer = await reader.query(document, variables, signal, { isWorthRepeating });
    return { urns, request, answer };
  };
  const send: RequestBatch<Urn, Answered> = async (urns, isWorthRepeating) => {
    const request = question.requestFor(urns);
    if (urns.length > 1 || !question.alone || !hasExtraQuery(request))
      return await sendOne(urns, request, isWorthRepeating);
    try {
      return await sendOne(urns, request, (error) => !mayBeTooLarge(error));
    } catch (error) {
      // The request without the additional entities is smaller.
      if (mayBeTooLarge(error)) return await sendOne(urns, question.alone.requestFor(urns), isWorthRepeating);
      throw error;
    }
  };
  const failedAlone = (urns: readonly Urn[], { message }: Error): Answered => {
    const request = (question.alone ?? question).requestFor(urns);
    return { urns, request, answer: { data: null, errors: [{ message }] } };
  };
  const mayFail = isPart || question.urns.length > 1;
  const parts = await requestInBatches(attempt, question.urns, send, mayFail ? failedAlone : undefined);
  for (const part of parts) await settle(reader, { question, ...part }, take, attempt);
}

async function settle(
  reader: Reader,
  { question, urns, request, answer: fullAnswer }: Answered & { readonly question: Question },
  take: TakeAnswer,
  attempt: Attempt,
): Promise<void> {
  const { alone } = question;
  const { signal, tries = 1 } = attempt;
  const { answer, beside } = splitAnswer(fullAnswer, request);
  const known = readingsIn(answer, urns, request.variables);
  const inPart: Attempt = { ...attempt, isPart: attempt.isPart === true || question.urns.length > 1 };
  if (!known && alone && hasExtraQuery(request)) return ask(reader, { ...alone, urns }, take, inPart);
  const readings = known ?? (urns.length === 1 ? unreadable(answer, urns) : undefined);
  if (!readings) {
    const middle = Math.ceil(urns.length / 2);
    await ask(reader, { ...question, urns: urns.slice(0, middle) }, take, inPart);
    await ask(reader, { ...question, urns: urns.slice(middle) }, take, inPart);
    return;
  }
  const viewed = await withoutShells(reader, readings, {
    ask: (other, note) => readBatches(reader, [other], { signal }, note),
    signal,
  });
  const taken = new Map(viewed);
  const toRepeat: Urn[] = [];
  for (const [urn, { isPassing }] of viewed) {
    if (!isPassing || tries === maxAttempts) continue;
    toRepeat.push(urn);
    taken.delete(urn);
  }
  if (taken.size > 0) await take(taken, beside);
  if (toRepeat.length > 0)
    await ask(reader, { ...question, urns: toRepeat }, take, { ...inPart, tries: tries + 1 });
}

function hasExtraQuery({ variables }: QuestionRequest): boolean {
  return variables["beside"] !== undefined;
}

/** Separates the additional entities from a response. Their errors do not affect the other entities. */
function splitAnswer(
  { data, errors }: Answer,
  { variables: { beside: extraUrns } }: QuestionRequest,
): { readonly answer: Answer; readonly beside?: ExtraAnswer } {
  if (!isJsonList(extraUrns)) return { answer: { data, errors } };
  const own = errors.filter(({ path }) => path?.[0] !== "beside");
  const list = own.length === errors.length ? data?.["beside"] : undefined;
  if (!Array.isArray(list)) return { answer: { data, errors: own } };
  const { found } = byUrn(list);
  const beside = new Map(extraUrns.map(textOf).map((urn) => [urn, found.get(urn)]));
  return { answer: { data, errors: own }, beside };
}

import { byUrn } from "../../datahub/aspect-batches.ts";
import type { Answer, Reader } from "../../datahub/client.ts";
import { askInParts, type AskPart, type BatchSize, createBatchSize } from "../../datahub/http/batch-size.ts";
import { isPerhapsTooLarge } from "../../model/catalog-error.ts";
import { chunks } from "../../model/group-by.ts";
import { isJsonList, type JsonObject, textOf } from "../../model/json.ts";
import type { Urn } from "../../model/urn.ts";
import type { Question, QuestionRequest } from "./question.ts";
import { type Reading, readingsIn, unreadable } from "./readings.ts";
import { withoutShells } from "./restricted.ts";
import { mapConcurrently } from "./map-concurrently.ts";
import { isReadAsStored, storedReadings } from "./stored-readings.ts";

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

/**
 * Asks questions in batches, under one limit, and hands each entity's reading to `take`. An error of one entity is its
 * own; a batch that fails entirely is halved until the culprit is known, because DataHub fails it for one bad URN
 * (DatasetType.java, batchLoad). A request that is too large for what is on the way is asked for in parts.
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
export type ExtraAnswer = ReadonlyMap<string, JsonObject | undefined>;

/** Takes the readings that came with one answer, and what was asked for beside them, unless a part of that failed. */
type TakeAnswer = (readings: ReadonlyMap<Urn, Reading>, beside?: ExtraAnswer) => void | Promise<void>;

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
  const { batchSize: size = createBatchSize() } = reader;
  const askAll = async (question: Question): Promise<void> => {
    await ask(reader, question, take, { signal, size });
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

/** How often an entity is asked for whose error may pass. */
const maxTries = 3;

interface Asking {
  readonly signal: AbortSignal | undefined;
  readonly size: BatchSize;
  /** How often these entities were asked for. */
  readonly tries?: number;
  /** Whether others were asked for with them before. */
  readonly isPart?: boolean;
}

/** A request for some entities, and its answer; of one entity that is too large by itself the error alone. */
interface Asked {
  readonly urns: readonly Urn[];
  readonly request: QuestionRequest;
  readonly answer: Answer;
}

async function ask(reader: Reader, question: Question, take: TakeAnswer, asking: Asking): Promise<void> {
  const { signal, size, isPart = false } = asking;
  const sendOne = async (
    urns: readonly Urn[],
    request: QuestionRequest,
    isWorthRepeating: (error: unknown) => boolean,
  ): Promise<Asked> => {
    const { document, variables } = request;
    const answer = await reader.query(document, variables, signal, { isWorthRepeating });
    return { urns, request, answer };
  };
  const send: AskPart<Urn, Asked> = async (urns, isWorthRepeating) => {
    const request = question.requestFor(urns);
    if (urns.length > 1 || !question.alone || !hasExtraQuery(request))
      return await sendOne(urns, request, isWorthRepeating);
    try {
      return await sendOne(urns, request, (error) => !isPerhapsTooLarge(error));
    } catch (error) {
      // Without what is beside it is smaller.
      if (isPerhapsTooLarge(error))
        return await sendOne(urns, question.alone.requestFor(urns), isWorthRepeating);
      throw error;
    }
  };
  const failedAlone = (urns: readonly Urn[], { message }: Error): Asked => {
    const request = (question.alone ?? question).requestFor(urns);
    return { urns, request, answer: { data: null, errors: [{ message }] } };
  };
  const mayFail = isPart || question.urns.length > 1;
  const parts = await askInParts(size, question.urns, send, mayFail ? failedAlone : undefined);
  for (const part of parts) await settle(reader, { question, ...part }, take, asking);
}

async function settle(
  reader: Reader,
  { question, urns, request, answer: whole }: Asked & { readonly question: Question },
  take: TakeAnswer,
  asking: Asking,
): Promise<void> {
  const { alone } = question;
  const { signal, tries = 1 } = asking;
  const { answer, beside } = parted(whole, request);
  const known = readingsIn(answer, urns, request.variables);
  const inPart: Asking = { ...asking, isPart: asking.isPart === true || question.urns.length > 1 };
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
  const again: Urn[] = [];
  for (const [urn, { isPassing }] of viewed) {
    if (!isPassing || tries === maxTries) continue;
    again.push(urn);
    taken.delete(urn);
  }
  if (taken.size > 0) await take(taken, beside);
  if (again.length > 0)
    await ask(reader, { ...question, urns: again }, take, { ...inPart, tries: tries + 1 });
}

function hasExtraQuery({ variables }: QuestionRequest): boolean {
  return variables["beside"] !== undefined;
}

/** An answer without what was asked for beside, and that. An error of that is none of the answer. */
function parted(
  { data, errors }: Answer,
  { variables: { beside: asked } }: QuestionRequest,
): { readonly answer: Answer; readonly beside?: ExtraAnswer } {
  if (!isJsonList(asked)) return { answer: { data, errors } };
  const own = errors.filter(({ path }) => path?.[0] !== "beside");
  const list = own.length === errors.length ? data?.["beside"] : undefined;
  if (!Array.isArray(list)) return { answer: { data, errors: own } };
  const { found } = byUrn(list);
  const beside = new Map(asked.map(textOf).map((urn) => [urn, found.get(urn)]));
  return { answer: { data, errors: own }, beside };
}

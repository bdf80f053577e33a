import { byUrn } from "../../datahub/aspect-batches.ts";
import type { Answer, Reader } from "../../datahub/client.ts";
import { CatalogError } from "../../model/catalog-error.ts";
import { chunks } from "../../model/group-by.ts";
import { isJsonList, type JsonObject, textOf } from "../../model/json.ts";
import type { Urn } from "../../model/urn.ts";
import type { Question, QuestionRequest } from "./question.ts";
import { type Reading, readingsIn, unreadable } from "./readings.ts";
import { withoutShells } from "./restricted.ts";
import { sideBySide } from "./side-by-side.ts";
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
    urns: question.urns.filter((urn) => rest.has(urn)),
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
  const request = question.requestFor(urns);
  const { answer, beside } = parted(await answerTo(reader, request, { urns, signal }), request);
  const known = readingsIn(answer, urns, request.variables);
  const isAlone = request.variables["beside"] === undefined;
  if (!known && !isAlone && alone) return ask(reader, { ...alone, urns }, take, { signal, tries });
  const readings = known ?? (urns.length === 1 ? unreadable(answer, urns) : undefined);
  if (!readings) {
    const middle = Math.ceil(urns.length / 2);
    await ask(reader, { ...question, urns: urns.slice(0, middle) }, take, { signal, tries });
    await ask(reader, { ...question, urns: urns.slice(middle) }, take, { signal, tries });
    return;
  }
  const viewed = await withoutShells(reader, readings, {
    ask: (other, note) => readBatches(reader, [other], { signal }, note),
    signal,
  });
  const taken = new Map(viewed);
  const again: Urn[] = [];
  for (const [urn, { isPassing }] of viewed) {
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
  { variables: { beside: asked } }: QuestionRequest,
): { readonly answer: Answer; readonly beside?: Beside } {
  if (!isJsonList(asked)) return { answer: { data, errors } };
  const own = errors.filter(({ path }) => path?.[0] !== "beside");
  const list = own.length === errors.length ? data?.["beside"] : undefined;
  if (!Array.isArray(list)) return { answer: { data, errors: own } };
  const { found } = byUrn(list);
  const beside = new Map(asked.map(textOf).map((urn) => [urn, found.get(urn)]));
  return { answer: { data, errors: own }, beside };
}

async function answerTo(
  reader: Reader,
  { document, variables }: QuestionRequest,
  { urns, signal }: { readonly urns: readonly Urn[]; readonly signal: AbortSignal | undefined },
): Promise<Answer> {
  try {
    return await reader.query(document, variables, signal);
  } catch (error) {
    const isTooLarge = error instanceof CatalogError && error.details.status === 413;
    if (isTooLarge && urns.length > 1) return { data: null, errors: [] };
    throw error;
  }
}

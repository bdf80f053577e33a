import { setTimeout as wait } from "node:timers/promises";
import pRetry from "p-retry";
import { isJsonList, isJsonObject, type Json } from "../model/json.ts";
import { errorCode, errorMessage } from "../text/error-text.ts";
import { type Asked, GithubError, refusal } from "./failure.ts";

/** Where GitHub is asked, and how. */
export interface GithubConnection {
  /** The address of its API, without a slash at the end: https://api.github.com. */
  readonly api: string;
  readonly token: string;
  /** What sends requests. */
  readonly fetch: typeof fetch;
  readonly signal?: AbortSignal | undefined;
  /** The first wait before a request is sent again, in milliseconds. */
  readonly retryDelay?: number | undefined;
  /** Is told what failed and is tried again. */
  readonly onRetry?: ((text: string) => void) | undefined;
}

/** How a request is sent. */
interface GithubRequest extends Asked {
  readonly method?: "GET" | "POST" | "PATCH";
  /** Below the address of the API, with a slash at the front; or a whole address. */
  readonly path: string;
  readonly body?: Json;
  /** Whether to send it twice does the same as to send it once, though it is a POST. */
  readonly isSafe?: boolean;
  /** Another place to which GitHub sends the request: it is not followed, and the token does not go there. */
  readonly redirect?: "manual";
}

/** Sends requests to GitHub with a token. */
export interface GithubClient {
  /**
   * The answer to a request. What fails and may succeed is tried again, five times in all: too many requests, after the
   * wait that GitHub asks for, up to 90 s; and where nobody knows what became of it, unless it creates something. Throws
   * `GithubError`, or the reason of the signal.
   */
  send(request: GithubRequest): Promise<GithubAnswer>;
  /** The same for something that is created: where nobody knows what became of it, `find` looks before it is sent again. */
  create<T>(request: GithubRequest, created: Created<T>): Promise<T>;
  /** The entries of all pages of a list, as they are needed. */
  entries(request: GithubRequest): AsyncGenerator<Json>;
  /** Downloads from an address that GitHub named, without the token. At most `most` bytes are read. */
  download(address: string, asked: Asked, most: number): Promise<Buffer>;
}

/** Something that is created: as the answer has it, and how it is found where the answer was lost. */
interface Created<T> {
  readonly read: (data: Json) => T;
  readonly find: () => Promise<T | undefined>;
}

/** An answer of GitHub below 400. */
interface GithubAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly data: Json;
}

const mostTries = 5;
const longestDelay = 8_000;

/** How long an answer may take, in milliseconds. */
const timeout = 30_000;

/** A client of GitHub's API. Sends nothing by itself. */
export function createGithubClient(connection: GithubConnection): GithubClient {
  const send: GithubClient["send"] = (request) =>
    retried(connection, isRepeatable(request), () => once(connection, request));
  return {
    send,
    create: (request, created) => createdOnce(connection, request, created),
    entries: (request) => entriesOf(send, request),
    download: (address, asked, most) =>
      retried(connection, true, () => downloaded(connection, { address, asked, most })),
  };
}

function isRepeatable({ method = "GET", isSafe = false }: GithubRequest): boolean {
  return method !== "POST" || isSafe;
}

async function createdOnce<T>(
  connection: GithubConnection,
  request: GithubRequest,
  { read, find }: Created<T>,
): Promise<T> {
  let tries = 0;
  return await retried(connection, true, async () => {
    tries += 1;
    const found = tries > 1 ? await find() : undefined;
    return found ?? read((await once(connection, request)).data);
  });
}

/** Tries again what GitHub asks to wait with, and with `repeatsLost` what was lost. */
async function retried<T>(
  { retryDelay = 1000, signal, onRetry }: GithubConnection,
  repeatsLost: boolean,
  attempt: () => Promise<T>,
): Promise<T> {
  const mayRepeat = (error: unknown): error is GithubError =>
    error instanceof GithubError &&
    (error.details.retryAfter !== undefined || (repeatsLost && error.details.isLost === true));
  try {
    return await pRetry(attempt, {
      retries: mostTries - 1,
      minTimeout: retryDelay,
      maxTimeout: longestDelay,
      randomize: true,
      ...(signal && { signal }),
      onFailedAttempt: async ({ error, retriesLeft }) => {
        if (!mayRepeat(error) || retriesLeft === 0) return;
        onRetry?.(`${error.message}; it is tried again`);
        await wait(error.details.retryAfter ?? 0, undefined, { ...(signal && { signal }) });
      },
      shouldRetry: ({ error }) => mayRepeat(error),
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

async function once(connection: GithubConnection, request: GithubRequest): Promise<GithubAnswer> {
  const { method = "GET", path, body, redirect } = request;
  const headers = {
    accept: "application/vnd.github+json",
    authorization: `Bearer ${connection.token}`,
    "user-agent": "datahub-gitops",
    "x-github-api-version": "2022-11-28",
    ...(body !== undefined && { "content-type": "application/json" }),
  };
  const init: RequestInit = {
    method,
    headers,
    redirect: redirect ?? "follow",
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  const address = path.startsWith("/") ? connection.api + path : path;
  return await within(connection, request, async (signal) => {
    const response = await connection.fetch(address, { ...init, signal });
    const text = await response.text();
    if (response.status >= 400) throw refusedWith(response, text, connection, request);
    return { status: response.status, headers: response.headers, data: dataIn(response, text, request) };
  });
}

function dataIn({ status }: Response, text: string, { what }: Asked): Json {
  if (text === "" || (status >= 300 && status < 400)) return null;
  try {
    return JSON.parse(text) as Json;
  } catch {
    // Cut off, perhaps: nobody knows what became of the request.
    throw new GithubError("answer", `GitHub's answer is not JSON: cannot ${what}`, { isLost: true });
  }
}

function refusedWith(
  { status, headers }: Response,
  text: string,
  connection: GithubConnection,
  asked: Asked,
): GithubError {
  return refusal({ status, headers, said: saidIn(text, connection) }, asked, Date.now());
}

const longestSaid = 300;

/** The message of an answer, on one line. */
function saidIn(text: string, connection: GithubConnection): string {
  const message = /"message"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
  const said = message === undefined ? text : (JSON.parse(message) as string);
  const line = withoutToken(said, connection).slice(0, longestSaid);
  return line.replaceAll(/\p{Surrogate}/gu, "\uFFFD");
}

function withoutToken(text: string, { token }: Pick<GithubConnection, "token">): string {
  return text.replaceAll(token, "***").replaceAll(/\s+/g, " ").trim();
}

/** Runs what sends one request, for at most the time that an answer may take. Throws `GithubError`. */
async function within<T>(
  connection: GithubConnection,
  { what }: Asked,
  sendOne: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal } = connection;
  signal?.throwIfAborted();
  // AbortSignal.any loses its time-outs to the garbage collector (nodejs/node#57736).
  const ending = new AbortController();
  const end = (): void => ending.abort(signal?.reason);
  const timer = setTimeout(
    () => ending.abort(new DOMException("no answer in time", "TimeoutError")),
    timeout,
  );
  signal?.addEventListener("abort", end);
  try {
    return await sendOne(ending.signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof GithubError) throw error;
    const why = withoutToken(reasonOf(error), connection);
    throw new GithubError("unreachable", `cannot reach GitHub to ${what}: ${why}`, { isLost: true });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

// Node's fetch wraps the reason: "fetch failed" alone helps nobody.
function reasonOf(error: unknown): string {
  if (error instanceof Error && error.cause instanceof Error) return reasonOf(error.cause);
  const message = errorMessage(error);
  return message === "" ? (errorCode(error) ?? "unknown reason") : message;
}

/** More entries are asked for in one request than GitHub gives by itself. */
const pageSize = 100;

async function* entriesOf(send: GithubClient["send"], request: GithubRequest): AsyncGenerator<Json> {
  const { path, what } = request;
  const paged = `${path}${path.includes("?") ? "&" : "?"}per_page=${pageSize}`;
  for (let [page, hasMore] = [1, true]; hasMore; page += 1) {
    const { data, headers } = await send({ ...request, path: `${paged}&page=${page}` });
    const list = listIn(data);
    if (!list) throw new GithubError("answer", `GitHub's answer is no list: cannot ${what}`);
    yield* list;
    hasMore = /\brel="next"/.test(headers.get("link") ?? "");
  }
}

/** A list, or the one list in an object that counts it, too. */
function listIn(data: Json): readonly Json[] | undefined {
  return isJsonList(data) ? data : Object.values(isJsonObject(data) ? data : {}).find(isJsonList);
}

interface Download {
  readonly address: string;
  readonly asked: Asked;
  readonly most: number;
}

async function downloaded(connection: GithubConnection, { address, asked, most }: Download): Promise<Buffer> {
  return await within(connection, asked, async (signal) => {
    const response = await connection.fetch(address, { signal });
    if (!response.ok) {
      await response.body?.cancel();
      const said = "from the storage of artifacts";
      throw refusal({ status: response.status, headers: response.headers, said }, asked, Date.now());
    }
    return await bytesOf(response, asked, most);
  });
}

async function bytesOf(response: Response, { what }: Asked, most: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.byteLength;
    if (length > most) {
      const message = `the archive has more than ${most / 1_000_000} MB: cannot ${what}`;
      throw new GithubError("archive", message);
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

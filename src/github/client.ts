import { setTimeout as wait } from "node:timers/promises";
import pRetry from "p-retry";
import { isJsonList, isJsonObject, type Json } from "../model/json.ts";
import type { GithubConnection } from "./connection.ts";
import { downloaded } from "./download.ts";
import { type Asked, GithubError } from "./failure.ts";
import { createRequests, type GithubAnswer, type GithubRequest } from "./request.ts";

/** Sends requests to GitHub with a token. */
export interface GithubClient {
  /**
   * The answer to a request that can be sent twice. What fails and may succeed is tried again, five times in all: too many
   * requests, after the wait that GitHub asks for, up to 90 s; and where nobody knows what became of it. Throws
   * `GithubError`, or the reason of the signal.
   */
  send(request: GithubRequest & { readonly method?: "GET" | "PATCH" }): Promise<GithubAnswer>;
  /** The same for something that is created: where nobody knows what became of it, `find` looks before it is sent again. */
  create<T>(request: GithubRequest, created: Created<T>): Promise<T>;
  /** The entries of all pages of a list, as they are needed. */
  entries(request: GithubRequest): AsyncGenerator<Json>;
  /** The data that answer a GraphQL query. */
  query(text: string, asked: Asked): Promise<Json>;
  /** Downloads from an address that GitHub named, without the token. At most `most` bytes are read. */
  download(address: string, asked: Asked, most: number): Promise<Buffer>;
}

/** Something that is created: as the answer has it, and how it is found where the answer was lost. */
interface Created<T> {
  readonly read: (data: Json) => T;
  readonly find: () => Promise<T | undefined>;
}

/** A client of GitHub's API. Sends nothing by itself. */
export function createGithubClient(connection: GithubConnection): GithubClient {
  const requests = createRequests(connection);
  const send: GithubClient["send"] = ({ method = "GET", ...request }) =>
    retried(connection, () => requests.send(method, request));
  return {
    send,
    create: (request, { read, find }) => {
      let tries = 0;
      return retried(connection, async () => {
        tries += 1;
        const found = tries > 1 ? await find() : undefined;
        return found ?? read((await requests.send("POST", request)).data);
      });
    },
    entries: (request) => entriesOf(send, request),
    query: (text, asked) => retried(connection, () => requests.query(text, asked)),
    download: (address, asked, most) =>
      retried(connection, () => downloaded(connection, { address, asked, most })),
  };
}

const mostTries = 5;
const longestDelay = 8_000;

/** Tries again what GitHub asks to wait with, and what was lost. */
async function retried<T>(
  { retryDelay = 1000, signal, onRetry }: GithubConnection,
  attempt: () => Promise<T>,
): Promise<T> {
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

function mayRepeat(error: unknown): error is GithubError {
  if (!(error instanceof GithubError)) return false;
  return error.details.retryAfter !== undefined || error.details.isLost === true;
}

/** More entries are asked for in one request than GitHub gives by itself. */
const pageSize = 100;

// By number: the address of the next page, which `@octokit/plugin-paginate-rest` follows, could lead the token elsewhere.
async function* entriesOf(send: GithubClient["send"], request: GithubRequest): AsyncGenerator<Json> {
  const { path, what } = request;
  const paged = `${path}${path.includes("?") ? "&" : "?"}per_page=${pageSize}`;
  for (let [page, hasMore] = [1, true]; hasMore; page += 1) {
    const { data, headers } = await send({ ...request, path: `${paged}&page=${page}` });
    const list = listIn(data);
    if (!list) throw new GithubError("answer", `GitHub's answer is no list: cannot ${what}`);
    yield* list;
    hasMore = /\brel="next"/.test(String(headers["link"] ?? ""));
  }
}

/** A list, or the one list in an object that counts it, too. */
function listIn(data: Json): readonly Json[] | undefined {
  return isJsonList(data) ? data : Object.values(isJsonObject(data) ? data : {}).find(isJsonList);
}

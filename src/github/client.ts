import { setTimeout as wait } from "node:timers/promises";
import type { Octokit } from "@octokit/core";
import pRetry from "p-retry";
import { type Asked, GithubError } from "./failure.ts";
import { createOctokit, downloadWith, type GithubConnection, githubErrorOf } from "./octokit.ts";

/** A repository, as the routes of GitHub's API name it. */
export interface GithubRepository {
  readonly owner: string;
  readonly repo: string;
}

type Send = Octokit["request"];

/**
 * Sends requests to GitHub with a token. What fails and may succeed is sent again, five times in all: too many requests, after
 * the wait that GitHub asks for, up to 90 s; and where it is not known what became of it. Throws `GithubError`, or the reason
 * of the signal.
 */
export interface GithubClient {
  /** The result of `call`, which sends one request that can be sent twice. */
  send<T>(asked: Asked, call: (send: Send) => Promise<T>): Promise<T>;
  /** The same for a request that creates something. Before it is sent again, `find` looks for what the last one created. */
  create<T>(asked: Asked, call: (send: Send) => Promise<T>, find: () => Promise<T | undefined>): Promise<T>;
  /** The entries of all pages of a list, as they are needed. `call` asks for one page. */
  entries<T>(asked: Asked, call: (send: Send, page: Page) => Promise<List<T>>): AsyncGenerator<T>;
  /** The bytes of a file to which GitHub redirects. They are read without the token. */
  download(asked: Asked, call: (send: Send) => Promise<{ readonly data: unknown }>): Promise<Buffer>;
  /**
   * The login of the token's own user or app, as comments name their author. GitHub's REST API has it for users only; a
   * workflow's token is `github-actions[bot]`.
   */
  login(): Promise<string>;
}

/** Which entries of a list are asked for. */
interface Page {
  readonly page: number;
  readonly per_page: number;
}

interface List<T> {
  readonly data: readonly T[];
  readonly headers: { readonly link?: string | undefined };
}

/** A client of GitHub's API. Sends nothing by itself. */
export function createGithubClient(connection: GithubConnection): GithubClient {
  const octokit = createOctokit(connection);
  const downloads = downloadWith(octokit, connection);
  const send: GithubClient["send"] = (asked, call) => retried(connection, asked, () => call(octokit.request));
  return {
    send,
    create: (asked, call, find) => {
      let tries = 0;
      return retried(connection, asked, async () => {
        tries += 1;
        return (tries > 1 ? await find() : undefined) ?? (await call(octokit.request));
      });
    },
    entries: (asked, call) => entriesOf(send, asked, call),
    download: (asked, call) =>
      retried(connection, asked, async () => {
        const { data } = await call(downloads);
        return Buffer.from(await new Response(data as ReadableStream).arrayBuffer());
      }),
    login: () =>
      retried(connection, { what: "ask whose token it is", needs: "metadata: read" }, () => loginOf(octokit)),
  };
}

async function loginOf({ graphql }: Octokit): Promise<string> {
  const answer = await graphql<{ viewer?: { login?: unknown } } | null>("query { viewer { login } }");
  const login = answer?.viewer?.login;
  if (typeof login === "string" && login !== "") return login;
  throw new GithubError("answer", "GitHub does not say whose token it is");
}

const mostTries = 5;
const longestDelay = 8_000;

/** Tries again what GitHub asks to wait with, and what was lost. */
async function retried<T>(connection: GithubConnection, asked: Asked, attempt: () => Promise<T>): Promise<T> {
  const { retryDelay = 1000, signal, onRetry } = connection;
  const once = async (): Promise<T> =>
    attempt().catch((error: unknown) => {
      signal?.throwIfAborted();
      throw githubErrorOf(error, connection, asked);
    });
  try {
    return await pRetry(once, {
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
  return error.details.retryAfter !== undefined || error.details.isOutcomeUnknown === true;
}

/** More entries are asked for in one request than GitHub gives by itself. */
const pageSize = 100;

// By number: the address of the next page, which `@octokit/plugin-paginate-rest` follows, could lead the token elsewhere.
async function* entriesOf<T>(
  send: GithubClient["send"],
  asked: Asked,
  call: (send: Send, page: Page) => Promise<List<T>>,
): AsyncGenerator<T> {
  for (let [page, hasMore] = [1, true]; hasMore; page += 1) {
    const { data, headers } = await send(asked, (request) => call(request, { page, per_page: pageSize }));
    if (!Array.isArray(data))
      throw new GithubError("answer", `GitHub's answer is not a list: cannot ${asked.what}`);
    yield* data;
    hasMore = /\brel="next"/.test(headers.link ?? "");
  }
}

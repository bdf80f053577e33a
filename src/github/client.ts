/** Creates a client for one repository on GitHub's REST and GraphQL APIs, with retries, paging and downloads. */

import { setTimeout as wait } from "node:timers/promises";
import type { Octokit } from "@octokit/core";
import type { Endpoints } from "@octokit/types";
import pRetry from "p-retry";
import { type Purpose, GithubError } from "./failure.ts";
import { createOctokit, downloadWith, type GithubConnection, githubErrorOf } from "./octokit.ts";

/** A REST route for repositories. */
type Route =
  | Extract<keyof Endpoints, `${string} /repos/{owner}/{repo}${string}`>
  | "GET /repos/{owner}/{repo}";

/** A route's parameters, without its repository. */
type Parameters<R extends Route> = Omit<Endpoints[R]["parameters"], "owner" | "repo">;

type Data<R extends Route> = Endpoints[R]["response"]["data"];

/**
 * Sends requests about one repository to GitHub with a token. A request has up to five attempts. It is repeated if its outcome is
 * unknown, and after a rate limit if the wait that GitHub requests is at most 90 s. Throws `GithubError`, or the reason of the
 * signal.
 */
export interface GithubClient {
  /** The `OWNER` in `OWNER/NAME`. */
  readonly owner: string;
  /** Sends a request that is safe to repeat, and returns the answer. */
  send<R extends Route>(purpose: Purpose, route: R, parameters: Parameters<R>): Promise<Data<R>>;
  /** Sends a request that creates something, and returns the result. Before a retry, `find` searches for an earlier result. */
  create<R extends Route, T>(
    purpose: Purpose,
    route: R,
    parameters: Parameters<R>,
    made: { readonly from: (data: Data<R>) => T; readonly find: () => Promise<T | undefined> },
  ): Promise<T>;
  /** Yields a list's entries, and requests pages on demand. `listIn` returns the entries in one answer. */
  entries<R extends Route, T>(
    purpose: Purpose,
    route: R,
    parameters: Parameters<R>,
    listIn: (data: Data<R>) => readonly T[],
  ): AsyncGenerator<T>;
  /** Downloads a file to which GitHub redirects. The redirected request does not contain the token. */
  download<R extends Route>(purpose: Purpose, route: R, parameters: Parameters<R>): Promise<Buffer>;
  /** Sends a GraphQL query with `$owner` and `$repo`. The answer lacks parts that the token may not read. */
  query(purpose: Purpose, text: string, variables: Readonly<Record<string, unknown>>): Promise<unknown>;
  /**
   * Returns the login of the token's user or app, as comments name their author. The REST API reports it for users only. For a
   * workflow's token it is `github-actions[bot]`.
   */
  login(): Promise<string>;
}

const pageSize = 100;

/** Creates a client. Sends nothing yet. */
export function createGithubClient(connection: GithubConnection): GithubClient {
  const { owner, repo } = connection.repository;
  const octokit = createOctokit(connection);
  const downloads = downloadWith(octokit, connection);
  const ask = async (route: Route, parameters: object, request = octokit.request) =>
    await request(route as string, { owner, repo, ...parameters });
  return {
    owner,
    send: (purpose, route, parameters) =>
      retried(connection, purpose, async () => (await ask(route, parameters)).data),
    create: (purpose, route, parameters, { from, find }) => {
      let tries = 0;
      return retried(connection, purpose, async () => {
        tries += 1;
        return (tries > 1 ? await find() : undefined) ?? from((await ask(route, parameters)).data);
      });
    },
    // Requests pages by number: following the next page's address, as `@octokit/plugin-paginate-rest` does, could send the token
    // elsewhere.
    entries: async function* entries(purpose, route, parameters, listIn) {
      for (let [page, hasMore] = [1, true]; hasMore; page += 1) {
        const paged = { ...parameters, page, per_page: pageSize };
        const { data, headers } = await retried(connection, purpose, () => ask(route, paged));
        const list: unknown = listIn(data);
        if (!Array.isArray(list))
          throw new GithubError("answer", `GitHub's answer is not a list: cannot ${purpose.what}`);
        yield* list;
        hasMore = /\brel="next"/.test(headers.link ?? "");
      }
    },
    download: (purpose, route, parameters) =>
      retried(connection, purpose, async () => {
        const { data } = await ask(route, parameters, downloads);
        return Buffer.from(await new Response(data as ReadableStream).arrayBuffer());
      }),
    query: (purpose, text, variables) =>
      retried(connection, purpose, () => queried(octokit, text, { owner, repo, ...variables })),
    login: () =>
      retried(connection, { what: "find out whose token it is", needs: "metadata: read" }, () =>
        loginOf(octokit),
      ),
  };
}

async function loginOf({ graphql }: Octokit): Promise<string> {
  const answer = await graphql<{ viewer?: { login?: unknown } } | null>("query { viewer { login } }");
  const login = answer?.viewer?.login;
  if (typeof login === "string" && login !== "") return login;
  throw new GithubError("answer", "GitHub does not say whose token it is");
}

async function queried(
  { graphql }: Octokit,
  text: string,
  variables: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  try {
    return await graphql(text, variables);
  } catch (error) {
    // `@octokit/core` does not export the class of this error.
    const isPartial = error instanceof Error && error.name === "GraphqlResponseError" && "data" in error;
    if (isPartial && error.data !== null && error.data !== undefined) return error.data;
    throw error;
  }
}

const maxAttempts = 5;
const maxDelay = 8_000;

/** Tries again after rate limits and after requests with an unknown outcome. */
async function retried<T>(
  connection: GithubConnection,
  purpose: Purpose,
  attempt: () => Promise<T>,
): Promise<T> {
  const { retryDelay = 1000, signal, onRetry } = connection;
  const once = async (): Promise<T> =>
    attempt().catch((error: unknown) => {
      signal?.throwIfAborted();
      throw githubErrorOf(error, connection, purpose);
    });
  try {
    return await pRetry(once, {
      retries: maxAttempts - 1,
      minTimeout: retryDelay,
      maxTimeout: maxDelay,
      randomize: true,
      signal,
      onFailedAttempt: async ({ error, retriesLeft }) => {
        if (!isRetryable(error) || retriesLeft === 0) return;
        onRetry?.(`${error.message}; trying again`);
        await wait(error.details.retryAfter ?? 0, undefined, { signal });
      },
      shouldRetry: ({ error }) => isRetryable(error),
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

function isRetryable(error: unknown): error is GithubError {
  if (!(error instanceof GithubError)) return false;
  return error.details.retryAfter !== undefined || error.details.isOutcomeUnknown === true;
}

/**
 * Creates a client that accesses one repository through GitHub's REST and GraphQL APIs, with retries, pagination and downloads.
 */

import { setTimeout as wait } from "node:timers/promises";
import type { Octokit } from "@octokit/core";
import type { Endpoints } from "@octokit/types";
import pRetry from "p-retry";
import { type Purpose, GithubError } from "./failure.ts";
import { createOctokit, downloadWith, type GithubConnection, githubErrorOf } from "./octokit.ts";

/** A REST route under a repository. */
type Route =
  | Extract<keyof Endpoints, `${string} /repos/{owner}/{repo}${string}`>
  | "GET /repos/{owner}/{repo}";

/** The parameters of a route, other than `owner` and `repo`. */
type Parameters<R extends Route> = Omit<Endpoints[R]["parameters"], "owner" | "repo">;

type Data<R extends Route> = Endpoints[R]["response"]["data"];

/**
 * Sends authenticated requests about one repository to GitHub. Each request is attempted up to five times. A request is retried
 * if its outcome is unknown, and after a rate limit error if GitHub requests a wait of at most 90 s. Throws `GithubError`, or the
 * abort reason of the signal.
 */
export interface GithubClient {
  /** The `OWNER` in `OWNER/NAME`. */
  readonly owner: string;
  /** Sends a request that is safe to repeat, and returns the response data. */
  send<R extends Route>(purpose: Purpose, route: R, parameters: Parameters<R>): Promise<Data<R>>;
  /**
   * Sends a request that creates an object, and returns the object. Before a retry, `find` checks whether an earlier attempt
   * already created the object.
   */
  create<R extends Route, T>(
    purpose: Purpose,
    route: R,
    parameters: Parameters<R>,
    made: { readonly from: (data: Data<R>) => T; readonly find: () => Promise<T | undefined> },
  ): Promise<T>;
  /** Yields the entries of a list, requesting pages on demand. `listIn` extracts the entries from a response. */
  entries<R extends Route, T>(
    purpose: Purpose,
    route: R,
    parameters: Parameters<R>,
    listIn: (data: Data<R>) => readonly T[],
  ): AsyncGenerator<T>;
  /** Downloads a file from the URL that GitHub redirects to. The redirected request does not contain the token. */
  download<R extends Route>(purpose: Purpose, route: R, parameters: Parameters<R>): Promise<Buffer>;
  /**
   * Sends a GraphQL query with the variables `$owner` and `$repo`. Data that the token is not allowed to read is missing from the
   * response.
   */
  query(purpose: Purpose, text: string, variables: Readonly<Record<string, unknown>>): Promise<unknown>;
  /**
   * Returns the login of the token's user or app, as shown for the author of a comment. The REST API returns the login only for
   * users. For a workflow token, the login is `github-actions[bot]`.
   */
  login(): Promise<string>;
}

const pageSize = 100;

/** Creates a client without sending a request. */
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
    // Requests pages by number. Following the URL of the next page, as `@octokit/plugin-paginate-rest` does, could send the token
    // to a different host.
    entries: async function* entries(purpose, route, parameters, listIn) {
      for (let [page, hasMore] = [1, true]; hasMore; page += 1) {
        const paged = { ...parameters, page, per_page: pageSize };
        const { data, headers } = await retried(connection, purpose, () => ask(route, paged));
        const list: unknown = listIn(data);
        if (!Array.isArray(list))
          throw new GithubError("answer", `cannot ${purpose.what}: GitHub's response is not a list`);
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
      retried(connection, { what: "determine the owner of the token", needs: "metadata: read" }, () =>
        loginOf(octokit),
      ),
  };
}

async function loginOf({ graphql }: Octokit): Promise<string> {
  const answer = await graphql<{ viewer?: { login?: unknown } } | null>("query { viewer { login } }");
  const login = answer?.viewer?.login;
  if (typeof login === "string" && login !== "") return login;
  throw new GithubError("answer", "GitHub did not report the owner of the token");
}

async function queried(
  { graphql }: Octokit,
  text: string,
  variables: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  try {
    return await graphql(text, variables);
  } catch (error) {
    // Compares the error name, because `@octokit/core` does not export the class `GraphqlResponseError`.
    const isPartial = error instanceof Error && error.name === "GraphqlResponseError" && "data" in error;
    if (isPartial && error.data !== null && error.data !== undefined) return error.data;
    throw error;
  }
}

const maxAttempts = 5;
const maxDelay = 8_000;

/** Retries after rate limit errors and if the outcome of a request is unknown. */
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

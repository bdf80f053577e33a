import { Octokit } from "@octokit/core";
import type { Json } from "../model/json.ts";
import type { GithubConnection } from "./connection.ts";
import { failWith } from "./fail-with.ts";
import { type Asked, GithubError } from "./failure.ts";
import { within } from "./within.ts";

/** What is sent to GitHub. */
export interface GithubRequest extends Asked {
  /** Below the address of the API, with a slash at the front. */
  readonly path: string;
  readonly body?: Json;
  /** Another place to which GitHub sends the request: it is not followed, and the token does not go there. */
  readonly redirect?: "manual";
}

/** An answer of GitHub below 400. */
export interface GithubAnswer {
  /** By their names in small letters. */
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  readonly data: Json;
}

/** Sends each request once, with the token. Throws `GithubError`, or the reason of the signal. */
interface Requests {
  send(method: "GET" | "POST" | "PATCH", request: GithubRequest): Promise<GithubAnswer>;
  query(text: string, asked: Asked): Promise<Json>;
}

/** What sends requests over a connection. Sends nothing by itself. */
export function createRequests(connection: GithubConnection): Requests {
  const octokit = createOctokit(connection);
  return {
    send: async (method, { path, body, redirect, ...asked }) => {
      const init = {
        method,
        url: path,
        ...(redirect && { request: { redirect } }),
        ...(body !== undefined && { data: body }),
      };
      const { status, headers, data } = await octokit.request(init).catch(failWith(connection, asked));
      // Octokit gives what is no JSON as text. A gateway answered: nobody knows what became of the request.
      const message = `GitHub's answer is not JSON: cannot ${asked.what}`;
      if (status < 300 && typeof data === "string")
        throw new GithubError("answer", message, { isLost: true });
      return { headers, data: data as Json };
    },
    query: (text, asked) => octokit.graphql<Json>(text).catch(failWith(connection, asked)),
  };
}

function createOctokit(connection: GithubConnection): Octokit {
  const { api: baseUrl, token: auth } = connection;
  // It would warn on stderr of what GitHub removes one day, which is of no use to users.
  const request = { fetch: fetchWhole(connection), log: { warn: () => {} } };
  const octokit = new Octokit({ auth, baseUrl, userAgent: "datahub-gitops", request });
  octokit.hook.before("request", ({ headers }) => {
    headers["x-github-api-version"] = "2022-11-28";
  });
  return octokit;
}

/** How long an answer may take, in milliseconds. */
const timeout = 30_000;

/** Sends a request, and waits for all of its answer: Octokit takes one that breaks off for an empty one. */
function fetchWhole(connection: GithubConnection): typeof fetch {
  return async (input, init) =>
    await within(connection, timeout, async (signal) => {
      const response = await connection.fetch(input, { ...init, signal });
      return new Response((await response.text()) || null, response);
    });
}

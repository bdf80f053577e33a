import { Octokit } from "@octokit/core";
import { RequestError } from "@octokit/request-error";
import { CatalogError } from "../model/catalog-error.ts";
import { isJsonObject } from "../model/json.ts";
import { errorCode, errorMessage } from "../model/text/error-text.ts";
import { type Purpose, GithubError, refusal } from "./failure.ts";

/** The address of GitHub, the repository, and how requests are sent. */
export interface GithubConnection {
  readonly repository: { readonly owner: string; readonly repo: string };
  /** The address of its API, without a slash at the end: https://api.github.com. */
  readonly api: string;
  readonly token: string;
  /** What sends requests. Limits the size of answers with a `CatalogError`. */
  readonly fetch: typeof fetch;
  readonly signal?: AbortSignal | undefined;
  /** The first wait before a request is sent again, in milliseconds. */
  readonly retryDelay?: number | undefined;
  /** Receives what failed and is tried again. */
  readonly onRetry?: ((text: string) => void) | undefined;
}

/** How long an answer may take, in milliseconds. */
const timeouts = { answer: 30_000, download: 300_000 };

/** An Octokit that sends each request once, with the token. */
export function createOctokit(connection: GithubConnection): Octokit {
  const { api: baseUrl, token: auth } = connection;
  // It would warn on stderr of what GitHub removes one day, which is of no use to users.
  const request = { fetch: fetchWithin(connection, timeouts.answer), log: { warn: () => {} } };
  const octokit = new Octokit({ auth, baseUrl, userAgent: "datahub-gitops", request });
  octokit.hook.before("request", ({ headers }) => {
    headers["x-github-api-version"] = "2022-11-28";
  });
  octokit.hook.after("request", ({ data, status }) => {
    // Octokit returns an answer that is not JSON as text.
    if (status < 300 && typeof data === "string") throw new SyntaxError("GitHub's answer is not JSON");
  });
  return octokit;
}

/** The same for files, as streams. GitHub redirects to a storage, and `fetch` does not send the token to another origin. */
export function downloadWith({ request }: Octokit, connection: GithubConnection): Octokit["request"] {
  const fetch = fetchWithin(connection, timeouts.download);
  return request.defaults({ request: { fetch, parseSuccessResponseBody: false } });
}

/** Sends a request, and waits for its complete answer: Octokit takes one that breaks off for an empty one. */
function fetchWithin({ fetch, signal }: GithubConnection, most: number): typeof globalThis.fetch {
  return async (input, init) => {
    signal?.throwIfAborted();
    // AbortSignal.any loses its time-outs to the garbage collector (nodejs/node#57736).
    const ending = new AbortController();
    const end = (): void => ending.abort(signal?.reason);
    const timer = setTimeout(() => ending.abort(new DOMException("no answer in time", "TimeoutError")), most);
    signal?.addEventListener("abort", end);
    try {
      const response = await fetch(input, { ...init, signal: ending.signal });
      const body = await response.arrayBuffer();
      return new Response(body.byteLength > 0 ? body : null, response);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
    }
  };
}

/** What a request failed with, as `GithubError`. The message does not contain the token. */
export function githubErrorOf(error: unknown, { token }: GithubConnection, purpose: Purpose): GithubError {
  if (error instanceof GithubError) return error;
  const reason = onOneLine(reasonOf(error).replaceAll(token, "***"));
  if (error instanceof RequestError && error.response) {
    const { status, headers } = error.response;
    return refusal({ status, headers, reason }, purpose, Date.now());
  }
  // `@octokit/core` does not export its class.
  if (error instanceof Error && error.name === "GraphqlResponseError")
    return new GithubError("answer", `GitHub answered with an error (${reason}): cannot ${purpose.what}`);
  // A gateway answered: it is not known what became of the request.
  if (error instanceof SyntaxError)
    return new GithubError("answer", `${reason}: cannot ${purpose.what}`, { isOutcomeUnknown: true });
  if (error instanceof Error && error.cause instanceof CatalogError)
    return new GithubError("answer", `${reason}: cannot ${purpose.what}`);
  return new GithubError("unreachable", `cannot reach GitHub to ${purpose.what}: ${reason}`, {
    isOutcomeUnknown: true,
  });
}

// Octokit and Node's fetch wrap the reason in errors such as "fetch failed".
function reasonOf(error: unknown): string {
  if (error instanceof Error && error.cause instanceof Error) return reasonOf(error.cause);
  const answer: unknown = error instanceof RequestError ? error.response?.data : undefined;
  const message = isJsonObject(answer) ? answer["message"] : undefined;
  return typeof message === "string" && message !== ""
    ? message
    : errorMessage(error) || errorCode(error) || "unknown reason";
}

const longestReason = 300;

function onOneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim().slice(0, longestReason);
  return line.replaceAll(/\p{Surrogate}/gu, "\uFFFD");
}

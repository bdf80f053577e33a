/** Creates Octokit clients and downloads with timeouts, rejects incomplete responses, and converts errors into `GithubError`. */

import { Octokit } from "@octokit/core";
import { RequestError } from "@octokit/request-error";
import { CatalogError } from "../model/catalog-error.ts";
import { isJsonObject } from "../model/json.ts";
import { errorCode, errorMessage } from "../model/text/error-text.ts";
import { type Purpose, GithubError, refusal } from "./failure.ts";

/** The API URL, repository, token and transport for requests to GitHub. */
export interface GithubConnection {
  readonly repository: { readonly owner: string; readonly repo: string };
  /** The API URL without a trailing slash, such as https://api.github.com. */
  readonly api: string;
  readonly token: string;
  /** Sends requests. Throws `CatalogError` if a response is too large. */
  readonly fetch: typeof fetch;
  readonly signal?: AbortSignal | undefined;
  /** The delay before the first retry, in milliseconds. */
  readonly retryDelay?: number | undefined;
  /** Receives a message before each retry. */
  readonly onRetry?: ((text: string) => void) | undefined;
}

/** Timeouts in milliseconds. */
const timeouts = { answer: 30_000, download: 300_000 };

/** Creates an Octokit client that sends each request with the token and does not retry. */
export function createOctokit(connection: GithubConnection): Octokit {
  const { api: baseUrl, token: auth } = connection;
  // By default, Octokit prints deprecation warnings to stderr. These warnings do not help users.
  const request = { fetch: fetchWithin(connection, timeouts.answer), log: { warn: () => {} } };
  const octokit = new Octokit({ auth, baseUrl, userAgent: "datahub-gitops", request });
  octokit.hook.before("request", ({ headers }) => {
    headers["x-github-api-version"] = "2022-11-28";
  });
  octokit.hook.after("request", ({ data, status }) => {
    // If a response is not JSON, Octokit returns its text.
    if (status < 300 && typeof data === "string") throw new SyntaxError("GitHub's response is not JSON");
  });
  return octokit;
}

/**
 * Returns a function that requests files as streams. GitHub redirects these requests to a different origin, and `fetch` does not
 * send the token there.
 */
export function downloadWith({ request }: Octokit, connection: GithubConnection): Octokit["request"] {
  const fetch = fetchWithin(connection, timeouts.download);
  return request.defaults({ request: { fetch, parseSuccessResponseBody: false } });
}

/** Sends a request and waits for the complete response. Octokit would treat an interrupted response as empty. */
function fetchWithin({ fetch, signal }: GithubConnection, timeout: number): typeof globalThis.fetch {
  return async (input, init) => {
    signal?.throwIfAborted();
    // AbortSignal.any is not used, because its timeouts can be garbage-collected (nodejs/node#57736).
    const ending = new AbortController();
    const end = (): void => ending.abort(signal?.reason);
    const timer = setTimeout(
      () => ending.abort(new DOMException("no response in time", "TimeoutError")),
      timeout,
    );
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

/** Converts any request error into a `GithubError`. The message does not contain the token. */
export function githubErrorOf(error: unknown, { token }: GithubConnection, purpose: Purpose): GithubError {
  if (error instanceof GithubError) return error;
  const reason = onOneLine(reasonOf(error).replaceAll(token, "***"));
  if (error instanceof RequestError && error.response) {
    const { status, headers } = error.response;
    return refusal({ status, headers, reason }, purpose, Date.now());
  }
  // Compares the error name, because `@octokit/core` does not export the class `GraphqlResponseError`.
  if (error instanceof Error && error.name === "GraphqlResponseError")
    return new GithubError("answer", `cannot ${purpose.what}: GitHub responded with an error (${reason})`);
  // A response that is not JSON came from a gateway, so the outcome of the request is unknown.
  if (error instanceof SyntaxError)
    return new GithubError("answer", `cannot ${purpose.what}: ${reason}`, { isOutcomeUnknown: true });
  if (error instanceof Error && error.cause instanceof CatalogError)
    return new GithubError("answer", `cannot ${purpose.what}: ${reason}`);
  return new GithubError("unreachable", `cannot reach GitHub to ${purpose.what}: ${reason}`, {
    isOutcomeUnknown: true,
  });
}

// Octokit and Node.js wrap the actual reason in errors such as "fetch failed".
function reasonOf(error: unknown): string {
  if (error instanceof Error && error.cause instanceof Error) return reasonOf(error.cause);
  const answer: unknown = error instanceof RequestError ? error.response?.data : undefined;
  const message = isJsonObject(answer) ? answer["message"] : undefined;
  return typeof message === "string" && message !== ""
    ? message
    : errorMessage(error) || errorCode(error) || "unknown reason";
}

const maxReason = 300;

function onOneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim().slice(0, maxReason);
  return line.replaceAll(/\p{Surrogate}/gu, "\uFFFD");
}

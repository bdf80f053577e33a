import { isJsonObject, type Json } from "../model/json.ts";
import { errorCode, errorMessage } from "../text/error-text.ts";
import type { GithubConnection } from "./connection.ts";
import { type Asked, GithubError, refusal } from "./failure.ts";

/** How a request is sent. */
export interface GithubRequest extends Asked {
  readonly method?: "GET" | "POST" | "PATCH";
  /** Below the address of the API, with a slash at the front; or a whole address. */
  readonly path: string;
  readonly body?: Json;
  /** Whether to send it twice does the same as to send it once, though it is a POST. */
  readonly isSafe?: boolean;
  /** Another place to which GitHub sends the request: it is not followed, and the token does not go there. */
  readonly redirect?: "manual";
}

/** An answer of GitHub below 400. */
export interface GithubAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly data: Json;
}

/** How long an answer may take, in milliseconds. */
const timeout = 30_000;

/** Sends a request once, and reads its answer. Throws `GithubError`, or the reason of the signal. */
export async function once(connection: GithubConnection, request: GithubRequest): Promise<GithubAnswer> {
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
  const line = withoutToken(messageIn(text), connection).slice(0, longestSaid);
  return line.replaceAll(/\p{Surrogate}/gu, "\uFFFD");
}

function messageIn(text: string): string {
  try {
    const answer = JSON.parse(text) as Json;
    return isJsonObject(answer) && typeof answer["message"] === "string" ? answer["message"] : text;
  } catch {
    return text;
  }
}

function withoutToken(text: string, { token }: Pick<GithubConnection, "token">): string {
  return text.replaceAll(token, "***").replaceAll(/\s+/g, " ").trim();
}

/** Runs what sends one request, for at most the time that an answer may take, or another one. Throws `GithubError`. */
export async function within<T>(
  connection: GithubConnection,
  { what }: Asked,
  sendOne: (signal: AbortSignal) => Promise<T>,
  most = timeout,
): Promise<T> {
  const { signal } = connection;
  signal?.throwIfAborted();
  // AbortSignal.any loses its time-outs to the garbage collector (nodejs/node#57736).
  const ending = new AbortController();
  const end = (): void => ending.abort(signal?.reason);
  const timer = setTimeout(() => ending.abort(new DOMException("no answer in time", "TimeoutError")), most);
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

/**
 * Defines `GithubError`, and converts error responses from GitHub into errors that include the missing permission or the required
 * wait.
 */

/** The kinds of failures. */
export type GithubFailure =
  | "unauthorized"
  | "denied"
  | "not-found"
  | "rate-limit"
  | "unreachable"
  | "http"
  | "answer"
  | "archive";

/** Details about a failed request. */
export interface GithubFailureDetails {
  /** The HTTP status of the response. */
  readonly status?: number;
  /** The wait that GitHub requests, in milliseconds. If present, GitHub did not process the request. */
  readonly retryAfter?: number;
  /** Whether GitHub may have processed the request, because the connection was lost or a gateway responded. */
  readonly isOutcomeUnknown?: boolean;
}

/** Thrown if GitHub cannot be reached or rejects a request. The message never contains the token. */
export class GithubError extends Error {
  override readonly name = "GithubError";
  readonly failure: GithubFailure;
  readonly details: GithubFailureDetails;

  constructor(failure: GithubFailure, message: string, details: GithubFailureDetails = {}) {
    super(message);
    this.failure = failure;
    this.details = details;
  }
}

/** The purpose of a request, for messages. */
export interface Purpose {
  /** A description of the request, such as `read the comments on pull request 12`. */
  readonly what: string;
  /** The permission that the token needs, written as in workflows, such as `issues: write`. */
  readonly needs: string;
}

/** A response with status 400 or higher. */
interface Refused {
  readonly status: number;
  /** The headers, keyed by lowercase name. */
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  /** GitHub's reason for rejecting the request, on one line and without the token. */
  readonly reason: string;
}

/** The longest accepted wait, in milliseconds. GitHub requests a wait of one minute if requests are sent too quickly. */
const maxWait = 90_000;

/**
 * Returns the error for a response with status 400 or higher. `now` is the current time in milliseconds. It is used to compute
 * the wait after a rate limit error.
 */
export function refusal(answer: Refused, { what, needs }: Purpose, now: number): GithubError {
  const { status, reason } = answer;
  const wait = waitAskedIn(answer, now);
  if (wait !== undefined) return rateLimit(wait, what, status);
  if (status === 401) {
    const message = `cannot ${what}: GitHub rejected the token (HTTP 401); set GITHUB_TOKEN to a valid token; in a workflow, use \${{ github.token }}`;
    return new GithubError("unauthorized", message, { status });
  }
  const token = `the token needs the permission \`${needs}\`; tokens for pull requests from forks are read-only`;
  if (status === 403) {
    return new GithubError(
      "denied",
      `GitHub did not allow the token to ${what} (HTTP 403: ${reason}): ${token}`,
      { status },
    );
  }
  if (status === 404 || status === 410) {
    const message = `cannot ${what}: not found on GitHub (HTTP ${status}: ${reason}); if it exists, ${token}`;
    return new GithubError("not-found", message, { status });
  }
  const message = `cannot ${what}: GitHub responded with HTTP ${status} (${reason})`;
  return new GithubError("http", message, { status, isOutcomeUnknown: status >= 500 });
}

function rateLimit(wait: number, what: string, status: number): GithubError {
  const seconds = Math.ceil(wait / 1000);
  const message = `cannot ${what}: GitHub is rate limiting this token; try again in ${seconds} s`;
  const isLong = wait > maxWait;
  const ending = isLong ? `; this tool waits at most ${maxWait / 1000} s` : "";
  return new GithubError("rate-limit", message + ending, { status, ...(!isLong && { retryAfter: wait }) });
}

/** The wait in milliseconds if a rate limit error does not contain a time, as recommended in GitHub's documentation. */
const defaultWait = 60_000;

/** Returns how long GitHub asks clients to wait after a rate limit error, in milliseconds. Returns `undefined` for other errors. */
function waitAskedIn({ status, headers, reason }: Refused, now: number): number | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const after = String(headers["retry-after"] ?? "");
  if (/^\d+$/.test(after)) return Number(after) * 1000;
  const reset = Number(headers["x-ratelimit-reset"] ?? "");
  if (headers["x-ratelimit-remaining"] === "0" && reset > 0) return Math.max(0, reset * 1000 - now);
  return status === 429 || /rate limit/i.test(reason) ? defaultWait : undefined;
}

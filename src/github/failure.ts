/** What kind of failure it is. */
export type GithubFailure =
  | "unauthorized"
  | "denied"
  | "not-found"
  | "rate-limit"
  | "unreachable"
  | "http"
  | "answer"
  | "archive";

/** What is known of a failed request beside what kind of failure it is. */
export interface GithubFailureDetails {
  /** The HTTP status of the answer. */
  readonly status?: number;
  /** How many milliseconds GitHub asks to wait. Then it did not carry out the request. */
  readonly retryAfter?: number;
  /** Whether it is not known what became of the request: the connection broke, or a gateway answered. */
  readonly isOutcomeUnknown?: boolean;
}

/** GitHub could not be reached, or refused a request. The message never contains the token. */
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

/** What a request is for, as messages say it. */
export interface Purpose {
  /** What it does: `read the comments of pull request 12`. */
  readonly what: string;
  /** The permission that the token needs, as workflows write it: `issues: write`. */
  readonly needs: string;
}

/** The parts of an answer of 400 or more that describe the failure. */
interface Refused {
  readonly status: number;
  /** By their names in small letters. */
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  /** The reason that GitHub gives, on one line and without the token. */
  readonly reason: string;
}

/** The longest wait that GitHub may ask for, in milliseconds. It asks for a minute where requests come too fast. */
const maxWait = 90_000;

/** The failure of an answer of 400 or more. `now` in milliseconds, to compute the wait until a limit ends. */
export function refusal(answer: Refused, { what, needs }: Purpose, now: number): GithubError {
  const { status, reason } = answer;
  const wait = waitAskedIn(answer, now);
  if (wait !== undefined) return rateLimit(wait, what, status);
  if (status === 401) {
    const message = `GitHub rejected the token (HTTP 401): cannot ${what}; set GITHUB_TOKEN to a valid token, in a workflow \${{ github.token }}`;
    return new GithubError("unauthorized", message, { status });
  }
  const token = `the token needs the permission \`${needs}\`, and a pull request from a fork has none to write`;
  if (status === 403) {
    return new GithubError("denied", `GitHub denied to ${what} (HTTP 403: ${reason}): ${token}`, { status });
  }
  if (status === 404 || status === 410) {
    const message = `GitHub did not find what it takes to ${what} (HTTP ${status}: ${reason}); if it is there, ${token}`;
    return new GithubError("not-found", message, { status });
  }
  const message = `GitHub answered HTTP ${status} (${reason}): cannot ${what}`;
  return new GithubError("http", message, { status, isOutcomeUnknown: status >= 500 });
}

function rateLimit(wait: number, what: string, status: number): GithubError {
  const seconds = Math.ceil(wait / 1000);
  const message = `GitHub limits the requests of this token and asks to wait ${seconds} s: cannot ${what}`;
  const isLong = wait > maxWait;
  const ending = isLong ? `; the longest wait is ${maxWait / 1000} s` : "";
  return new GithubError("rate-limit", message + ending, { status, ...(!isLong && { retryAfter: wait }) });
}

/** GitHub's rule for requests that come too fast, where it names no time. In milliseconds. */
const defaultWait = 60_000;

/** The wait in milliseconds that an answer asks for after too many requests; nothing for another failure. */
function waitAskedIn({ status, headers, reason }: Refused, now: number): number | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const after = String(headers["retry-after"] ?? "");
  if (/^\d+$/.test(after)) return Number(after) * 1000;
  const reset = Number(headers["x-ratelimit-reset"] ?? "");
  if (headers["x-ratelimit-remaining"] === "0" && reset > 0) return Math.max(0, reset * 1000 - now);
  return status === 429 || /rate limit/i.test(reason) ? defaultWait : undefined;
}

/** What kind of failure a catalog error is; the exit code and the way out depend on it. */
export type CatalogFailure =
  | "unreachable"
  | "timeout"
  | "unauthorized"
  | "unsupported"
  | "not-datahub"
  | "http"
  | "answer";

/** What is known of a failed request beside what kind of failure it is. */
export interface FailureDetails {
  /** The HTTP status of the answer. */
  readonly status?: number;
  /** How many milliseconds the server asks to wait before the next request. */
  readonly retryAfter?: number;
  /** Whether the same request may well be answered when it is sent again. */
  readonly isTransient?: boolean;
  /** Whether the server cannot have done anything of what was asked. */
  readonly isUndone?: boolean;
  /** Whether the request, or its answer, may be too large: then a request for less may well be answered. */
  readonly isPerhapsTooLarge?: boolean;
}

/** The catalog could not be asked or did not answer as DataHub does. The message says what, where and what to do, never the token. */
export class CatalogError extends Error {
  override readonly name = "CatalogError";
  readonly failure: CatalogFailure;
  readonly details: FailureDetails;

  constructor(failure: CatalogFailure, message: string, details: FailureDetails = {}) {
    super(message);
    this.failure = failure;
    this.details = details;
  }
}

/** Whether a failure is that of a request that may be too large. */
export function isPerhapsTooLarge(error: unknown): error is CatalogError {
  return error instanceof CatalogError && error.details.isPerhapsTooLarge === true;
}

/** Returns an error that is a `CatalogError`, and throws any other again. */
export function asCatalogError(error: unknown): CatalogError {
  if (error instanceof CatalogError) return error;
  throw error;
}

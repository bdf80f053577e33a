/** Defines the error for a failed request to the catalog, including the kind of failure and its details. */

/** The kind of failure, which decides the exit code and the advice. */
export type CatalogFailure =
  | "unreachable"
  | "timeout"
  | "unauthorized"
  | "unsupported"
  | "not-datahub"
  | "http"
  | "answer";

/** Details about a failed request, in addition to its kind. */
export interface FailureDetails {
  /** The answer's HTTP status. */
  readonly status?: number;
  /** How many milliseconds the server asks the client to wait before the next request. */
  readonly retryAfter?: number;
  /** Whether retrying the same request may succeed. */
  readonly isTransient?: boolean;
  /** Whether the server certainly did nothing. */
  readonly isUndone?: boolean;
  /** Whether the request or its answer may be too large, so that a smaller request may succeed. */
  readonly mayBeTooLarge?: boolean;
}

/** Reports a missing or malformed answer. The message names the problem, its location and the fix, never the token. */
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

/** Whether the failed request may have been too large. */
export function mayBeTooLarge(error: unknown): error is CatalogError {
  return error instanceof CatalogError && error.details.mayBeTooLarge === true;
}

/** Returns a `CatalogError`, and rethrows any other error. */
export function asCatalogError(error: unknown): CatalogError {
  if (error instanceof CatalogError) return error;
  throw error;
}

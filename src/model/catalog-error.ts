/** Defines the error for failed requests to the catalog, with the kind of failure and its details. */

/** The kind of failure. It determines the exit code and the advice to the user. */
export type CatalogFailure =
  | "unreachable"
  | "timeout"
  | "unauthorized"
  | "unsupported"
  | "not-datahub"
  | "http"
  | "answer";

/** Details about a failed request, in addition to the kind of failure. */
export interface FailureDetails {
  /** The HTTP status of the response. */
  readonly status?: number;
  /** How long the server asks the client to wait before the next request, in milliseconds. */
  readonly retryAfter?: number;
  /** Whether retrying the same request may succeed. */
  readonly isTransient?: boolean;
  /** Whether it is certain that the server changed nothing. */
  readonly isUndone?: boolean;
  /** Whether the request or response may have been too large. If so, a smaller request may succeed. */
  readonly mayBeTooLarge?: boolean;
}

/** The error for a missing or malformed response. Its message states the problem, the location and the fix, but not the token. */
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

/** Returns the error if it is a `CatalogError`, and otherwise rethrows it. */
export function asCatalogError(error: unknown): CatalogError {
  if (error instanceof CatalogError) return error;
  throw error;
}

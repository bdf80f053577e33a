/**
 * Defines the errors that the local catalog reports to its operator and its clients, and extracts messages from thrown values.
 */

/**
 * Thrown when the local catalog cannot start, load a file or read its data. The message states the cause, the location and the
 * fix.
 */
export class LocalCatalogError extends Error {
  override readonly name = "LocalCatalogError";
}

/** The reason why the catalog rejects a request. DataHub's two REST APIs map the same reason to different HTTP statuses. */
type RejectionReason =
  | "malformed"
  | "unparsableUrn"
  | "unknownAspect"
  | "invalid"
  | "precondition"
  | "forbidden"
  | "notFound";

/**
 * Thrown when the catalog rejects a request without writing anything. In a GraphQL response, `extensions` marks the error as a
 * BAD_REQUEST (DataHubDataFetcherExceptionHandler.java).
 */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly extensions = { code: 400, type: "BAD_REQUEST", classification: "DataFetchingException" };
  readonly reason: RejectionReason;

  constructor(reason: RejectionReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Creates the error for a malformed request: bad JSON, an invalid URN or an unknown entity type. */
export const malformed = errorFor("malformed");

/** Creates the error for a well-formed request with invalid content (DataHub's ValidationException). */
export const invalid = errorFor("invalid");

/** Creates the error for a request that refers to something that does not exist. */
export const notFound = errorFor("notFound");

function errorFor(reason: RejectionReason): (message: string) => RequestError {
  return (message) => new RequestError(reason, message);
}

/** Returns the message of a thrown value, even if the value is not an Error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

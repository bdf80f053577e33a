/**
 * Defines the errors of the local catalog, for its operator and for rejected requests, and reads the message of any thrown value.
 */

/**
 * Thrown when the local catalog cannot start, load a file or read its data. The message names the cause, the place and the remedy.
 */
export class LocalCatalogError extends Error {
  override readonly name = "LocalCatalogError";
}

/** The reason for a rejection. DataHub's two REST interfaces map it to different statuses. */
type RejectionReason =
  | "malformed"
  | "unparsableUrn"
  | "unknownAspect"
  | "invalid"
  | "precondition"
  | "forbidden"
  | "notFound";

/**
 * Thrown when the catalog rejects a request and writes nothing. Over GraphQL, `extensions` makes the error a BAD_REQUEST
 * (DataHubDataFetcherExceptionHandler.java).
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

/** The error for a malformed request: bad JSON, an invalid URN, an unknown entity type. */
export const malformed = errorFor("malformed");

/** The error for a well-formed request whose content is invalid (DataHub's ValidationException). */
export const invalid = errorFor("invalid");

/** The error for a request for something that does not exist. */
export const notFound = errorFor("notFound");

function errorFor(reason: RejectionReason): (message: string) => RequestError {
  return (message) => new RequestError(reason, message);
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The local catalog cannot start, load a file or read its data. The message says what, where, and what to do. */
export class LocalCatalogError extends Error {
  override readonly name = "LocalCatalogError";
}

/** Why a request is rejected. DataHub's two REST interfaces map it to different statuses. */
type RejectionReason =
  | "malformed"
  | "unparsableUrn"
  | "unknownAspect"
  | "invalid"
  | "precondition"
  | "notFound";

/**
 * The catalog rejects a request and writes nothing. `extensions` makes it a BAD_REQUEST over GraphQL as well
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

/** The error for a request that is itself wrong: bad JSON, an invalid URN, an unknown entity type. */
export function malformed(message: string): RequestError {
  return new RequestError("malformed", message);
}

/** The error for a text that DataHub cannot parse as a URN. */
export function unparsableUrn(text: string): RequestError {
  return new RequestError("unparsableUrn", `Invalid urn: ${text}`);
}

/** The error for an aspect that an entity type does not have. */
export function unknownAspect(aspect: string, entityType: string): RequestError {
  return new RequestError("unknownAspect", `Unknown aspect ${aspect} for entity ${entityType}`);
}

/** The error for a well-formed request whose content is invalid (DataHub's ValidationException). */
export function invalid(message: string): RequestError {
  return new RequestError("invalid", message);
}

/** The error for a request whose condition does not hold. */
export function preconditionFailed(message: string): RequestError {
  return new RequestError("precondition", message);
}

/** The error for a request for something that does not exist. */
export function notFound(message: string): RequestError {
  return new RequestError("notFound", message);
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

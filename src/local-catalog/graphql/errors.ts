/** Creates GraphQL errors with DataHub's codes and types, and converts thrown errors to DataHub's format. */

import { GraphQLError } from "graphql";

/** DataHub's error types and their codes (datahub-graphql-core DataHubGraphQLErrorCode.java). */
const codes = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  SERVER_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const;

/** Creates the error for bad input: code 400. */
export const badRequest = errorOf("BAD_REQUEST");

/** Creates the error for a nonexistent group or persona: code 404. */
export const notFound = errorOf("NOT_FOUND");

/** Creates the error for a domain name that is already in use under the same parent: code 409. */
export const conflict = errorOf("CONFLICT");

function errorOf(type: keyof typeof codes): (message: string) => GraphQLError {
  return (message) => datahubError(message, type);
}

/** Creates the error for a user who lacks the required privilege: code 403, UNAUTHORIZED. */
export function unauthorized(
  message = "Unauthorized to perform this action. Please contact your DataHub administrator.",
): GraphQLError {
  return datahubError(message, "UNAUTHORIZED");
}

/** Creates the error for an exception that DataHub does not handle: code 500, SERVER_ERROR. The message has Java's format. */
export function serverError(message: string, cause = message): GraphQLError {
  return datahubError(`java.lang.RuntimeException: ${message}. Root cause: ${cause}`, "SERVER_ERROR");
}

/**
 * Creates the error for a malformed URN: code 500, because DataHub does not map its URISyntaxException to a more specific code.
 */
export function malformedUrn(text: string): GraphQLError {
  return serverError(malformedUrnMessage(text));
}

/** Returns the message that `malformedUrn` uses. */
export function malformedUrnMessage(text: string): string {
  return `Failed to retrieve entity with urn ${text}, invalid urn`;
}

/** Creates an error with the given type and the corresponding code. */
export function datahubError(message: string, type: keyof typeof codes): GraphQLError {
  return new GraphQLError(message, {
    extensions: { code: codes[type], type, classification: "DataFetchingException" },
  });
}

/**
 * Converts errors to DataHub's format. An error from a resolver gets `code`, `type` and `classification`. An error that occurs
 * before execution gets only a `classification` (DataHubDataFetcherExceptionHandler.java, graphql-java).
 */
export function datahubErrors(errors: readonly Error[]): GraphQLError[] {
  return errors.map((error) => {
    const { message, nodes, source, positions, path, extensions } = asThrown(error);
    return new GraphQLError(message, {
      nodes: nodes ?? null,
      source: source ?? null,
      positions: positions ?? null,
      path: path ?? null,
      extensions: path ? resolverExtensions(message, extensions) : earlyExtensions(message, extensions),
    });
  });
}

type Extensions = GraphQLError["extensions"];

// Unwraps an error that occurs before execution, because a second copy of graphql-js may wrap such an error and drop its
// extensions.
function asThrown(error: Error): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const inner = "originalError" in error ? error.originalError : undefined;
  return inner instanceof GraphQLError ? inner : new GraphQLError(error.message);
}

function resolverExtensions(message: string, { code, type, classification }: Extensions): Extensions {
  return classification === undefined ? serverError(message).extensions : { code, type, classification };
}

function earlyExtensions(message: string, { classification }: Extensions): Extensions {
  const fallback = message.startsWith("Syntax Error") ? "InvalidSyntax" : "ValidationError";
  return { classification: classification ?? fallback };
}

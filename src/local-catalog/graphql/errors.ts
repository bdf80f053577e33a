import { GraphQLError } from "graphql";

/** DataHub's error types and their codes (datahub-graphql-core DataHubGraphQLErrorCode.java). */
const codes = { BAD_REQUEST: 400, NOT_FOUND: 404, CONFLICT: 409, SERVER_ERROR: 500 } as const;

/** An error as DataHub answers to bad input: code 400, BAD_REQUEST. */
export function badRequest(message: string): GraphQLError {
  return datahubError(message, "BAD_REQUEST");
}

/** The error for a group or persona that is not there, which DataHub tells from other bad input. */
export function notFound(message: string): GraphQLError {
  return datahubError(message, "NOT_FOUND");
}

/** The error for a domain's name that another one has under the same parent. */
export function conflict(message: string): GraphQLError {
  return datahubError(message, "CONFLICT");
}

/** An error as DataHub answers to what it does not foresee: code 500, SERVER_ERROR. */
export function serverError(message: string): GraphQLError {
  return datahubError(message, "SERVER_ERROR");
}

/** The error for a text that is no URN; DataHub wraps its URISyntaxException, which it maps to no better code. */
export function malformedUrn(text: string): GraphQLError {
  return serverError(`Failed to retrieve entity with urn ${text}, invalid urn`);
}

function datahubError(message: string, type: keyof typeof codes): GraphQLError {
  return new GraphQLError(message, {
    extensions: { code: codes[type], type, classification: "DataFetchingException" },
  });
}

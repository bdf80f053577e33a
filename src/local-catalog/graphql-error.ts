import { GraphQLError } from "graphql";

/** DataHub's error types and their codes (datahub-graphql-core DataHubGraphQLErrorCode.java). */
const codes = { BAD_REQUEST: 400, SERVER_ERROR: 500 } as const;

/** An error as DataHub answers to bad input: code 400, BAD_REQUEST. */
export function badRequest(message: string): GraphQLError {
  return datahubError(message, "BAD_REQUEST");
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

import { GraphQLError } from "graphql";
import { serverError } from "./graphql-error.ts";

/**
 * Errors as DataHub answers them: what a resolver throws carries `code`, `type` and `classification`; what goes
 * wrong before execution carries a `classification` only (DataHubDataFetcherExceptionHandler.java, graphql-java).
 * Errors of the HTTP layer, which decide on the status, stay as they are.
 */
export function datahubErrors(errors: readonly GraphQLError[]): GraphQLError[] {
  return errors.map((error) =>
    error.extensions["http"] === undefined
      ? new GraphQLError(error.message, {
          nodes: error.nodes ?? null,
          source: error.source ?? null,
          positions: error.positions ?? null,
          path: error.path ?? null,
          extensions: extensionsOf(error),
        })
      : error,
  );
}

function extensionsOf({ extensions, path, message }: GraphQLError): GraphQLError["extensions"] {
  const { classification, code, type } = extensions;
  if (path && classification !== undefined) return { code, type, classification };
  if (path) return serverError(message).extensions;
  const fallback = message.startsWith("Syntax Error") ? "InvalidSyntax" : "ValidationError";
  return { classification: classification ?? fallback };
}

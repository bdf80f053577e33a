import { GraphQLError } from "graphql";
import { serverError } from "./errors.ts";

/**
 * Errors in DataHub's format: an error from a resolver has `code`, `type` and `classification`, an error from before
 * execution has a `classification` only (DataHubDataFetcherExceptionHandler.java, graphql-java).
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

// An error from before execution can be wrapped by another copy of graphql-js, which drops its extensions.
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

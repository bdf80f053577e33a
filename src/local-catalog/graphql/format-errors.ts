import { GraphQLError } from "graphql";
import { serverError } from "./errors.ts";

/**
 * Errors as DataHub answers them: what a resolver throws carries `code`, `type` and `classification`; what goes
 * wrong before execution carries a `classification` only (DataHubDataFetcherExceptionHandler.java, graphql-java).
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

// An error from before execution may come wrapped by another copy of graphql-js, without what it carries.
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

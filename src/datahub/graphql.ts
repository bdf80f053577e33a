import { GraphQLClient } from "graphql-request";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { Connection } from "./connection.ts";
import { httpError, notDatahub } from "./http/failure.ts";
import { parseJson } from "./json-text.ts";

/** What a server answers to a document. The content of its errors is not checked. */
interface GraphqlResult {
  readonly data: JsonObject | null;
  readonly errors: readonly unknown[];
}

/**
 * Sends a document once and reads the answer. An answer with errors is none without data. Throws `CatalogError` where it is
 * no answer of a GraphQL server, `SyntaxError` where its JSON is cut off, and what the network throws.
 */
type AskGraphql = (query: string, variables: JsonObject, signal: AbortSignal) => Promise<GraphqlResult>;

/** Sends documents over a connection. */
export function createAskGraphql(connection: Pick<Connection, "endpoint" | "send">): AskGraphql {
  const { endpoint } = connection;
  const client = new GraphQLClient(endpoint.graphql, {
    errorPolicy: "all",
    fetch: fetchOver(connection),
    // It would parse each document to find the name.
    excludeOperationName: true,
    jsonSerializer: {
      stringify: (body: { readonly query: string }) => JSON.stringify({ ...body, ...nameIn(body.query) }),
      parse: (text) => withoutNull(parseJson(text)),
    },
  });
  return async (query, variables, signal) => {
    try {
      const { data, errors } = await client.rawRequest<unknown>({ query, variables, signal });
      // A list of answers has a list of data: that is how batches are answered.
      if (Array.isArray(data)) throw notDatahub(endpoint);
      return { data: isJsonObject(data) ? data : null, errors: [errors ?? []].flat() };
    } catch (error) {
      throw isNoResult(error) ? notDatahub(endpoint) : error;
    }
  };
}

/**
 * What the library takes for `fetch`. An HTTP error is thrown here, because the error that the library
 * would throw contains the request and the answer, in which the token may be echoed.
 */
function fetchOver({ endpoint, send }: Pick<Connection, "endpoint" | "send">): typeof fetch {
  return async (_, { headers, body, signal } = {}) => {
    const response = await send(endpoint.graphql, {
      // The library hands over a `Headers`; to make one here would load Node's undici.
      headers: Object.fromEntries(headers as Headers),
      ...(typeof body === "string" && { body }),
      ...(signal && { signal }),
    });
    // It has all that the library looks at.
    if (response.ok) return response as Response;
    await response.text();
    throw httpError(response, endpoint);
  };
}

/** The name of the operation: DataHub writes it into its logs. */
function nameIn(query: string): { readonly operationName?: string } {
  const name = /^(?:query|mutation) (\w+)/.exec(query)?.[1];
  return name === undefined ? {} : { operationName: name };
}

// Gateways that write answers anew may say `"errors": null`, which the library does not take.
function withoutNull(answer: unknown): unknown {
  if (!isJsonObject(answer)) return answer;
  return Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== null));
}

/** Whether the library rejects an answer as not GraphQL. Its message contains the answer. */
function isNoResult(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("Invalid execution result");
}

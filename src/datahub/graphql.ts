/** Sends one GraphQL document and reads the answer, without retries. */

import { GraphQLClient } from "graphql-request";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import { httpError, notDatahub } from "./http/failure.ts";
import { parseJson } from "./json-text.ts";
import type { Connection } from "./http/connection.ts";

/** The answer to a document. The content of its errors is not checked. */
interface GraphqlResult {
  readonly data: JsonObject | null;
  readonly errors: readonly unknown[];
}

/**
 * Sends a document once. An answer can have both errors and data. Throws `CatalogError` if the answer is not from a GraphQL server,
 * `SyntaxError` if its JSON is cut off, and network errors.
 */
type AskGraphql = (query: string, variables: JsonObject, signal: AbortSignal) => Promise<GraphqlResult>;

/** Creates a function that sends documents over a connection. */
export function createAskGraphql(connection: Connection): AskGraphql {
  const { endpoint } = connection;
  const client = new GraphQLClient(endpoint.graphql, {
    errorPolicy: "all",
    fetch: fetchOver(connection),
    // The library would parse each document to find the name.
    excludeOperationName: true,
    jsonSerializer: {
      stringify: (body: { readonly query: string }) => JSON.stringify({ ...body, ...nameIn(body.query) }),
      parse: (text) => withoutNull(parseJson(text)),
    },
  });
  return async (query, variables, signal) => {
    try {
      const { data, errors } = await client.rawRequest<unknown>({ query, variables, signal });
      // Only an answer to a batch has a list of data.
      if (Array.isArray(data)) throw notDatahub(endpoint);
      return { data: isJsonObject(data) ? data : null, errors: [errors ?? []].flat() };
    } catch (error) {
      throw isNoResult(error) ? notDatahub(endpoint) : error;
    }
  };
}

/**
 * Creates the `fetch` for the library. It throws HTTP errors itself, because the library's error contains the request and the
 * answer, which may repeat the token.
 */
function fetchOver({ endpoint, send }: Connection): typeof fetch {
  return async (_, { headers, body, signal } = {}) => {
    const response = await send(endpoint.graphql, {
      // The library passes a `Headers` object. Creating one here would load Node's undici.
      headers: Object.fromEntries(headers as Headers),
      ...(typeof body === "string" && { body }),
      ...(signal && { signal }),
    });
    // The response has every member that the library reads.
    if (response.ok) return response as Response;
    await response.text();
    throw httpError(response, endpoint);
  };
}

/** Returns the operation's name, which DataHub logs. */
function nameIn(query: string): { readonly operationName?: string } {
  const name = /^(?:query|mutation) (\w+)/.exec(query)?.[1];
  return name === undefined ? {} : { operationName: name };
}

// Removes `"errors": null`, which gateways that rewrite answers may add and which the library rejects.
function withoutNull(answer: unknown): unknown {
  if (!isJsonObject(answer)) return answer;
  return Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== null));
}

/** Whether the library rejected an answer that is not GraphQL. Its message contains the answer. */
function isNoResult(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("Invalid execution result");
}

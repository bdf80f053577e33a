/** Sends one GraphQL document and reads the response, without retries. */

import { GraphQLClient } from "graphql-request";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import { httpError, notDatahub } from "./http/failure.ts";
import { parseJson } from "./json-text.ts";
import type { Connection } from "./http/connection.ts";

/** The response to a GraphQL document. The content of `errors` is not validated. */
interface GraphqlResult {
  readonly data: JsonObject | null;
  readonly errors: readonly unknown[];
}

/**
 * Sends a document once. The response can contain both data and errors. Throws `CatalogError` if the response does not come from
 * a GraphQL server, `SyntaxError` if its JSON is truncated, and network errors.
 */
type AskGraphql = (query: string, variables: JsonObject, signal: AbortSignal) => Promise<GraphqlResult>;

/** Creates a function that sends documents over a connection. */
export function createAskGraphql(connection: Connection): AskGraphql {
  const { endpoint } = connection;
  const client = new GraphQLClient(endpoint.graphql, {
    errorPolicy: "all",
    fetch: fetchOver(connection),
    // Otherwise, the library would parse each document to find the operation name.
    excludeOperationName: true,
    jsonSerializer: {
      stringify: (body: { readonly query: string }) => JSON.stringify({ ...body, ...nameIn(body.query) }),
      parse: (text) => withoutNull(parseJson(text)),
    },
  });
  return async (query, variables, signal) => {
    try {
      const { data, errors } = await client.rawRequest<unknown>({ query, variables, signal });
      // A list is valid only in response to a batch of documents, and this client sends no batches.
      if (Array.isArray(data)) throw notDatahub(endpoint);
      return { data: isJsonObject(data) ? data : null, errors: [errors ?? []].flat() };
    } catch (error) {
      throw isNoResult(error) ? notDatahub(endpoint) : error;
    }
  };
}

/**
 * Creates the `fetch` function that the library uses. It throws HTTP errors itself, because the library's error contains the
 * request and the response, and either may include the token.
 */
function fetchOver({ endpoint, send }: Connection): typeof fetch {
  return async (_, { headers, body, signal } = {}) => {
    const response = await send(endpoint.graphql, {
      // The library passes a `Headers` object. Creating such an object here would load the undici version that is bundled with
      // Node.js.
      headers: Object.fromEntries(headers as Headers),
      ...(typeof body === "string" && { body }),
      ...(signal && { signal }),
    });
    // The response has every property that the library reads.
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

// Removes `"errors": null`, which the library rejects. Gateways that rewrite responses may add it.
function withoutNull(answer: unknown): unknown {
  if (!isJsonObject(answer)) return answer;
  return Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== null));
}

/**
 * Whether the library rejected a response that is not GraphQL. The error must not be shown, because its message contains the
 * response.
 */
function isNoResult(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("Invalid execution result");
}

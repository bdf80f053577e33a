import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { Connection } from "./connection.ts";
import { httpError, notDatahub } from "./http/failure.ts";
import { parseJson } from "./json-text.ts";

/** What a server answers to a document, as it stands there. */
interface GraphqlResult {
  readonly data: JsonObject | null;
  readonly errors: readonly Json[];
}

/**
 * Sends a document once and reads the answer (GraphQL over HTTP). An answer with errors is none without data. Throws
 * `CatalogError` where it is no answer of a GraphQL server, and `SyntaxError` where its JSON is cut off.
 */
export async function askGraphql(
  { endpoint, send }: Pick<Connection, "endpoint" | "send">,
  query: string,
  variables: JsonObject,
  signal: AbortSignal,
): Promise<GraphqlResult> {
  const headers = {
    accept: "application/graphql-response+json, application/json",
    "content-type": "application/json",
  };
  const body = JSON.stringify({ query, variables, ...nameIn(query) });
  const response = await send(endpoint.graphql, { headers, body, signal });
  const text = await response.text();
  if (!response.ok) throw httpError(response, endpoint);
  const type = response.headers.get("content-type")?.toLowerCase() ?? "";
  const isJson = type.includes("application/json") || type.includes("application/graphql-response+json");
  const result = isJson ? resultIn(parseJson(text)) : undefined;
  if (!result) throw notDatahub(endpoint);
  return result;
}

/** The name of the operation: DataHub writes it into its logs. */
function nameIn(query: string): { readonly operationName?: string } {
  const name = /^(?:query|mutation) (\w+)/.exec(query)?.[1];
  return name === undefined ? {} : { operationName: name };
}

function resultIn(answer: unknown): GraphqlResult | undefined {
  if (!isJsonObject(answer)) return undefined;
  const { data = null, errors = null } = answer;
  if (data !== null && !isJsonObject(data)) return undefined;
  if (errors === null) return { data, errors: [] };
  if (Array.isArray(errors)) return { data, errors };
  return isJsonObject(errors) ? { data, errors: [errors] } : undefined;
}

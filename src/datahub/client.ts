import { getOperationAST, type GraphQLError, OperationTypeNode, parse } from "graphql";
import { ClientError, GraphQLClient } from "graphql-request";
import { CatalogError } from "../model/catalog-error.ts";
import type { JsonObject } from "../model/json.ts";
import type { Endpoint } from "./endpoint.ts";

/** One entry of `errors` in a GraphQL answer; `code` is DataHub's (GQL/exception/*.java), where it gave one. */
interface GraphqlError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly code?: number;
}

/** A GraphQL answer. Part of the data may be there although there are errors. */
export interface Answer {
  readonly data: JsonObject | null;
  readonly errors: readonly GraphqlError[];
}

/** A client that can only read: it refuses to send a document that holds anything but queries. */
export interface Reader {
  readonly endpoint: Endpoint;
  query(document: string, variables: JsonObject): Promise<Answer>;
}

/** A client that can write, too. Only `apply` gets one. */
export interface Writer extends Reader {
  mutate(document: string, variables: JsonObject): Promise<Answer>;
}

/** How a catalog is talked to. `timeout` is in milliseconds, for one request. */
export interface ClientOptions {
  readonly token?: string | undefined;
  readonly timeout?: number;
}

/** Above the 55 s after which DataHub itself gives up (GraphQLController.java), so that its own answer is seen. */
const defaultTimeout = 60_000;

/** A read-only client. Its methods throw `CatalogError` when the server cannot be asked or does not answer as one. */
export function createReader(endpoint: Endpoint, options: ClientOptions): Reader {
  const send = sender(endpoint, options);
  return {
    endpoint,
    query: async (document, variables) => {
      refuseWrites(document);
      return send(document, variables);
    },
  };
}

/** A client that reads and writes. Its methods throw `CatalogError` like those of a reader. */
export function createWriter(endpoint: Endpoint, options: ClientOptions): Writer {
  return { ...createReader(endpoint, options), mutate: sender(endpoint, options) };
}

function refuseWrites(document: string): void {
  const operation = getOperationAST(parse(document))?.operation;
  if (operation !== OperationTypeNode.QUERY)
    throw new TypeError(`a read-only client does not send a ${operation ?? "mixed document"}`);
}

type Send = (document: string, variables: JsonObject) => Promise<Answer>;

function sender(endpoint: Endpoint, { token, timeout = defaultTimeout }: ClientOptions): Send {
  const client = new GraphQLClient(endpoint.graphql, {
    errorPolicy: "all",
    redirect: "manual",
    ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
  });
  return async (query, variables) => {
    try {
      const { data, errors } = await client.rawRequest<JsonObject>({
        query,
        variables,
        signal: AbortSignal.timeout(timeout),
      });
      return { data: data ?? null, errors: (errors ?? []).map(graphqlError) };
    } catch (error) {
      throw catalogError(error, endpoint, timeout);
    }
  };
}

function graphqlError({ message, path, extensions }: GraphQLError): GraphqlError {
  const code: unknown = (extensions as { readonly code?: unknown } | undefined)?.code;
  return { message, ...(path && { path }), ...(typeof code === "number" && { code }) };
}

/**
 * The failure of a request in our words. Never the client library's own message: it holds the whole request and
 * response, in which the token may be echoed.
 */
export function catalogError(error: unknown, endpoint: Endpoint, timeout: number): CatalogError {
  if (error instanceof CatalogError) return error;
  if (error instanceof ClientError) return httpError(error.response.status, endpoint);
  const where = endpoint.address;
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return new CatalogError("timeout", `${where} did not answer within ${timeout / 1000} s`);
  }
  if (error instanceof SyntaxError || (error instanceof Error && error.message.startsWith(notGraphql))) {
    return new CatalogError("not-datahub", `${where} answered, but not as a DataHub does; ${addressAdvice}`);
  }
  return new CatalogError("unreachable", `${where} cannot be reached: ${causeOf(error)}`);
}

// How graphql-request begins when an answer is no GraphQL; what follows is the answer itself.
const notGraphql = "Invalid execution result";

const addressAdvice =
  "check the address: GMS itself is usually http://HOST:8080, the way through the frontend https://HOST/api/gms";

/** The failure that an HTTP status tells. */
export function httpError(status: number, { address }: Endpoint): CatalogError {
  if (status === 401) {
    const message = `${address} refused the token (HTTP 401): set DATAHUB_GMS_TOKEN to a valid access token`;
    return new CatalogError("unauthorized", message, status);
  }
  if (status === 403) {
    return new CatalogError("unauthorized", `${address} forbids this token to ask it (HTTP 403)`, status);
  }
  if (status >= 300 && status < 400) {
    return new CatalogError(
      "not-datahub",
      `${address} redirects elsewhere (HTTP ${status}); ${addressAdvice}`,
      status,
    );
  }
  if (status === 404 || status === 405 || status < 300) {
    return new CatalogError(
      "not-datahub",
      `${address} is no DataHub (HTTP ${status}); ${addressAdvice}`,
      status,
    );
  }
  return new CatalogError("http", `${address} answered HTTP ${status}`, status);
}

// Node's fetch wraps the reason: "fetch failed" alone helps nobody.
function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof AggregateError && cause.errors[0] instanceof Error) return cause.errors[0].message;
  return cause instanceof Error ? cause.message : String(cause);
}

/** Creates GraphQL clients: a reader that refuses to send mutations, and a writer. */

import { getOperationAST, OperationTypeNode, parse } from "graphql";
import { type AspectClient, createAspectClient } from "./aspect-client.ts";
import {
  type AspectBatchReader,
  createAspectBatchReader,
  createVersionReader,
  type VersionReader,
} from "./aspect-batches.ts";
import { CatalogError } from "../model/catalog-error.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { ReadMode } from "../model/live.ts";
import { createAskGraphql } from "./graphql.ts";
import { serverText } from "./http/answer-limits.ts";
import type { BatchSize } from "./http/batch-size.ts";
import { request, type RequestOptions } from "./http/request.ts";
import type { LifeSigns } from "./http/traffic.ts";
import { type Connection, defaultRetryDelay } from "./http/connection.ts";

/**
 * An entry in the `errors` list of a GraphQL response. `code` is DataHub's error code (GQL/exception/*.java), if there is one.
 */
interface GraphqlError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly code?: number;
}

/** A GraphQL response, which can contain both data and errors. */
export interface Answer {
  readonly data: JsonObject | null;
  readonly errors: readonly GraphqlError[];
}

/** How many requests a client sends at the same time. */
export interface Concurrency {
  /** The maximum number of concurrent requests. */
  readonly concurrency: number;
}

/** How long a client waits before a retry. */
export interface RetryDelay {
  /** The wait before the first retry, in milliseconds. */
  readonly retryDelay: number;
}

/** A read-only client, which sends only queries. */
export interface Reader extends Concurrency {
  /**
   * Sends a query. Throws the abort reason of `interrupted` as soon as that signal is aborted, without waiting for the response.
   */
  query(
    document: string,
    variables: JsonObject,
    interrupted?: AbortSignal,
    options?: RequestOptions,
  ): Promise<Answer>;
  /** Limits the number of entities in a request. If absent, there is no limit. */
  readonly batchSize?: BatchSize | undefined;
  /** Receives notes for users about how the catalog was read. */
  readonly onNote?: ((text: string) => void) | undefined;
  /** Reads stored aspects in batches. */
  readonly stored: AspectBatchReader;
  /** Identifies the connection, so that the server's features are determined only once per connection. */
  readonly server?: object;
  /** How to read assets. The default is GraphQL, which is also the fallback if OpenAPI cannot read an asset. */
  readonly reads?: ReadMode | undefined;
}

/** A client that can also write. Only commands that apply plans use it. */
export interface Writer extends Reader, RetryDelay {
  readonly aspects: AspectClient;
  readonly versions: VersionReader;
  readonly traffic: LifeSigns;
  /** Receives a message before each retry. */
  readonly onRetry?: ((text: string) => void) | undefined;
  /**
   * Sends a mutation once and awaits the response. If `interrupted` is already aborted, throws its abort reason and sends
   * nothing.
   */
  mutate(document: string, variables: JsonObject, interrupted?: AbortSignal): Promise<Answer>;
}

/**
 * Creates a read-only client. Its methods throw `CatalogError` if the server does not respond, or does not respond like DataHub.
 */
export function createReader(connection: Connection): Reader {
  const send = sender(connection);
  return {
    concurrency: connection.traffic.ceiling,
    query: async (document, variables, interrupted, options) => {
      refuseWrites(document);
      return send(document, variables, { ...options, interrupted });
    },
    batchSize: connection.traffic.batchSize,
    onNote: connection.onNote,
    stored: createAspectBatchReader(connection),
    server: connection.traffic,
    reads: connection.reads,
  };
}

/** Creates a client that reads and writes. Its methods throw `CatalogError` in the same cases as a reader's methods. */
export function createWriter(connection: Connection): Writer {
  const send = sender(connection);
  const aspects = createAspectClient(connection);
  const versions = createVersionReader(connection);
  const mutate: Writer["mutate"] = (document, variables, interrupted) =>
    send(document, variables, { isWrite: true, interrupted });
  const { retryDelay = defaultRetryDelay, onRetry, traffic } = connection;
  return {
    ...createReader(connection),
    aspects,
    versions,
    mutate,
    traffic,
    retryDelay,
    onRetry,
  };
}

/**
 * GraphQL documents that were already parsed and contain only queries. They are not parsed again, because a few documents are
 * sent many times.
 */
const knownQueries = new Set<string>();
const maxKnownQueries = 100;

function refuseWrites(document: string): void {
  if (knownQueries.has(document)) return;
  const operation = getOperationAST(parse(document))?.operation;
  if (operation !== OperationTypeNode.QUERY)
    throw new TypeError(`a read-only client does not send a ${operation ?? "mixed document"}`);
  if (knownQueries.size < maxKnownQueries) knownQueries.add(document);
}

type Send = (document: string, variables: JsonObject, options?: RequestOptions) => Promise<Answer>;

/** The code of errors caused by a busy database (DataHubGraphQLErrorCode.java). */
const unavailable = 503;

/**
 * GraphQL error codes after which a retry may succeed. DataHub uses 500 for all errors that have no other code, such as the error
 * that occurs when a domain is deleted right after its subdomains. The Terraform provider also retries that error.
 */
export const retryableCodes: ReadonlySet<number> = new Set([500, unavailable]);

function sender(connection: Connection): Send {
  const { endpoint } = connection;
  const askGraphql = createAskGraphql(connection);
  return async (query, variables, options = {}) => {
    let busy: Answer | undefined;
    const ask = async (signal: AbortSignal): Promise<Answer> => {
      const { data, errors } = await askGraphql(query, variables, signal);
      const answer = { data, errors: errors.map((error) => graphqlError(error, connection.token)) };
      const isBusy = !options.isWrite && answer.errors.some(({ code }) => code === unavailable);
      busy = isBusy ? answer : undefined;
      if (!busy) return answer;
      const message = `${endpoint.address} responded: ${busy.errors[0]?.message ?? "unavailable"}`;
      throw new CatalogError("answer", message, { status: unavailable, isTransient: true });
    };
    try {
      return await request(connection, ask, options);
    } catch (error) {
      // If the retries fail too, return the last response, because its errors affect only some of the requested entities.
      if (busy && error instanceof CatalogError && error.details.status === unavailable) return busy;
      throw error;
    }
  };
}

function graphqlError(error: unknown, token: string | undefined): GraphqlError {
  const { message, path, extensions }: JsonObject = isJsonObject(error) ? error : {};
  const code = isJsonObject(extensions) ? extensions["code"] : undefined;
  return {
    message: typeof message === "string" ? serverText(message, token) : "an error without a message",
    ...(isPath(path) && { path }),
    ...(typeof code === "number" && { code }),
  };
}

function isPath(path: unknown): path is readonly (string | number)[] {
  return (
    Array.isArray(path) &&
    typeof path[0] === "string" &&
    path.every((step) => typeof step === "string" || typeof step === "number")
  );
}

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
import type { Reads } from "../model/live.ts";
import { type Connection, defaultRetryDelay } from "./connection.ts";
import { createAskGraphql } from "./graphql.ts";
import { serverText } from "./http/answered.ts";
import type { BatchSize } from "./http/batch-size.ts";
import { request, type RequestOptions } from "./http/request.ts";
import type { Traffic } from "./http/traffic.ts";

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

/** A client that can only read: it refuses to send a document with anything but queries. */
export interface Reader {
  /** The most requests at once. */
  readonly concurrency: number;
  /** It ends with the reason of `interrupted` when that is aborted, without waiting for the answer. */
  query(
    document: string,
    variables: JsonObject,
    interrupted?: AbortSignal,
    options?: Pick<RequestOptions, "isWorthRepeating">,
  ): Promise<Answer>;
  /** How many entities a request asks for; any number where it is not said. */
  readonly batchSize?: BatchSize | undefined;
  /** Receives what whoever reads the result should know of the way it was read. */
  readonly onNote?: ((text: string) => void) | undefined;
  /** Reads stored aspects in their envelopes. */
  readonly stored: AspectBatchReader;
  /** What all readers of one connection have in common: what the server can do is asked once, and kept by it. */
  readonly server?: object;
  /** How assets are read, by GraphQL where it is not said. What OpenAPI does not answer is read by GraphQL as well. */
  readonly reads?: Reads | undefined;
}

/** A client that can write, too. Only `apply` gets one. */
export interface Writer extends Reader {
  readonly aspects: AspectClient;
  readonly versions: VersionReader;
  /** Whether the server still answers what is sent to it. */
  readonly traffic: Pick<Traffic, "isLost" | "isSilent">;
  /** The first wait before something is tried again, in milliseconds. */
  readonly retryDelay: number;
  /** Receives a message when a request fails and is tried again. */
  readonly onRetry?: ((text: string) => void) | undefined;
  /** It is not sent once `interrupted` is aborted, and throws the reason; what was sent is awaited. It is sent once. */
  mutate(document: string, variables: JsonObject, interrupted?: AbortSignal): Promise<Answer>;
}

/** A read-only client. Its methods throw `CatalogError` when the server cannot be asked or does not answer as one. */
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

/** A client that reads and writes. Its methods throw `CatalogError` like those of a reader. */
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

/** Documents known to have only queries: a few texts that are sent many times. */
const knownQueries = new Set<string>();
const maxKnown = 100;

function refuseWrites(document: string): void {
  if (knownQueries.has(document)) return;
  const operation = getOperationAST(parse(document))?.operation;
  if (operation !== OperationTypeNode.QUERY)
    throw new TypeError(`a read-only client does not send a ${operation ?? "mixed document"}`);
  if (knownQueries.size < maxKnown) knownQueries.add(document);
}

type Send = (document: string, variables: JsonObject, options?: RequestOptions) => Promise<Answer>;

/** The code of an error that comes of a busy database (DataHubGraphQLErrorCode.java). */
const unavailable = 503;

/**
 * Codes of errors after which the same may succeed. 500 is every error that DataHub has no other code for, such as that of a
 * domain whose subdomains were deleted just now (the Terraform provider repeats that one).
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
      busy = options.isWrite ? undefined : busyIn(answer);
      if (!busy) return answer;
      const message = `${endpoint.address} answered: ${busy.errors[0]?.message ?? "unavailable"}`;
      throw new CatalogError("answer", message, { status: unavailable, isTransient: true });
    };
    try {
      return await request(connection, ask, options);
    } catch (error) {
      // What else it answered counts, and the error is that of some entities.
      if (busy && error instanceof CatalogError && error.details.status === unavailable) return busy;
      throw error;
    }
  };
}

function busyIn(answer: Answer): Answer | undefined {
  return answer.errors.some(({ code }) => code === unavailable) ? answer : undefined;
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

import { getOperationAST, type GraphQLError, OperationTypeNode, parse } from "graphql";
import { GraphQLClient } from "graphql-request";
import { type AspectClient, createAspectClient } from "./aspect-client.ts";
import { type AspectBatchReader, createAspectBatchReader } from "./aspect-batches.ts";
import { isJsonObject, type JsonObject } from "../../model/json.ts";
import { createVersionReader, type VersionReader } from "./aspect-versions.ts";
import type { Connection } from "./connection.ts";
import { request } from "./request.ts";
import { checkServer, type ServerInfo } from "./server-config.ts";

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
  /** It ends with the reason of `interrupted` when that is aborted, without waiting for the answer. */
  query(document: string, variables: JsonObject, interrupted?: AbortSignal): Promise<Answer>;
  /** Reads what is stored, with what stands around it. */
  readonly stored: AspectBatchReader;
}

/** A client that can write, too. Only `apply` gets one. */
export interface Writer extends Reader {
  readonly aspects: AspectClient;
  readonly versions: VersionReader;
  /** What the server says of itself. */
  server(interrupted?: AbortSignal): Promise<ServerInfo>;
  /** Nothing ends it early. */
  mutate(document: string, variables: JsonObject): Promise<Answer>;
}

/** A read-only client. Its methods throw `CatalogError` when the server cannot be asked or does not answer as one. */
export function createReader(connection: Connection): Reader {
  const send = sender(connection);
  return {
    query: async (document, variables, interrupted) => {
      refuseWrites(document);
      return send(document, variables, interrupted);
    },
    stored: createAspectBatchReader(connection),
  };
}

/** A client that reads and writes. Its methods throw `CatalogError` like those of a reader. */
export function createWriter(connection: Connection): Writer {
  const send = sender(connection);
  const aspects = createAspectClient(connection);
  const versions = createVersionReader(connection);
  const mutate: Writer["mutate"] = (document, variables) => send(document, variables);
  const server: Writer["server"] = (interrupted) => checkServer(connection, interrupted);
  return { ...createReader(connection), aspects, versions, server, mutate };
}

function refuseWrites(document: string): void {
  const operation = getOperationAST(parse(document))?.operation;
  if (operation !== OperationTypeNode.QUERY)
    throw new TypeError(`a read-only client does not send a ${operation ?? "mixed document"}`);
}

type Send = (document: string, variables: JsonObject, interrupted?: AbortSignal) => Promise<Answer>;

function sender(connection: Connection): Send {
  const { endpoint, token } = connection;
  const client = new GraphQLClient(endpoint.graphql, {
    errorPolicy: "all",
    redirect: "manual",
    ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
  });
  return async (query, variables, interrupted) => {
    const ask = (signal: AbortSignal) => client.rawRequest<JsonObject>({ query, variables, signal });
    const { data, errors } = await request(connection, ask, interrupted);
    return { data: data ?? null, errors: (errors ?? []).map(graphqlError) };
  };
}

function graphqlError({ message, path, extensions }: GraphQLError): GraphqlError {
  const code = isJsonObject(extensions) ? extensions["code"] : undefined;
  return { message, ...(path && { path }), ...(typeof code === "number" && { code }) };
}

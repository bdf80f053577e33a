/** Reads and writes individual aspects over DataHub's REST interface. */

import { CatalogError } from "../model/catalog-error.ts";
import { isJsonObject, type Json, type JsonObject } from "../model/json.ts";
import { entityTypeOf, type Urn } from "../model/urn.ts";
import type { Received } from "./http/send.ts";
import type { Endpoint } from "./endpoint.ts";
import { serverText } from "./http/answer-limits.ts";
import { httpError, isTransient, notDatahub } from "./http/failure.ts";
import { bytesJson, keepDigits, parseJson } from "./json-text.ts";
import { request, type RequestOptions } from "./http/request.ts";
import type { Connection } from "./http/connection.ts";

/** A stored aspect. A conditional write compares `version`, which is -1 if the aspect is not stored. */
export interface StoredAspect {
  readonly value: JsonObject | undefined;
  readonly version: string;
  /** The URN of the user who last wrote the aspect. */
  readonly actor: string | undefined;
}

/** A new value for an aspect, or a JSON Patch. With a `version`, the write succeeds only if the aspect still has that version. */
export type AspectWrite = {
  readonly urn: Urn;
  readonly aspect: string;
  readonly version?: string;
} & ({ readonly value: JsonObject } | { readonly patch: Json });

/** The result of a write: the server wrote either all aspects or none. */
type Written =
  | { readonly status: "written" }
  | { readonly status: "refused" | "forbidden"; readonly message: string };

/** A client for the REST interface that DataHub's own emitter uses (metadata-ingestion rest_emitter.py). */
export interface AspectClient {
  read(urn: Urn, aspect: string, interrupted?: AbortSignal): Promise<StoredAspect>;
  /**
   * Writes all aspects in one request. The server rejects the request if any aspect no longer has the expected version. Returns
   * the rejection instead of throwing an error.
   */
  write(writes: readonly [AspectWrite, ...AspectWrite[]], interrupted?: AbortSignal): Promise<Written>;
}

/** Creates a client. Its methods throw `CatalogError` if the server does not respond or rejects the token. */
export function createAspectClient(connection: Connection): AspectClient {
  const { endpoint } = connection;
  const ask = restClient(connection, (text) => parseJson(text, keepDigits));
  return {
    read: async (urn, aspect, interrupted) => {
      const path = `/entitiesV2/${encodeURIComponent(urn)}?aspects=List(${aspect})`;
      const { response, body } = await ask(path, undefined, { interrupted });
      if (response.status === 404) return missingAspect;
      // The server denies access only to this entity, so the command continues with other entities.
      if (response.status === 403) {
        throw new CatalogError("http", `${endpoint.address} denied this token access to ${urn} (HTTP 403)`, {
          status: 403,
          isUndone: true,
        });
      }
      if (!response.ok) throw httpError(response, endpoint);
      return storedIn(envelopesIn(body, urn, endpoint)[aspect], aspect);
    },
    write: async (writes, interrupted) => {
      const [first, ...more] = writes;
      const [action, sent] =
        more.length === 0
          ? ["ingestProposal", { proposal: proposalOf(first) }]
          : ["ingestProposalBatch", { proposals: writes.map(proposalOf) }];
      const { response, body } = await ask(
        `/aspects?action=${action}`,
        { ...sent, async: "false" },
        { isWrite: true, interrupted },
      );
      if (response.ok && isConfirmed(body, writes)) return { status: "written" };
      // The server may have carried out the request despite its unexpected response.
      if (response.ok) throw notDatahub(endpoint, { isTransient: true });
      if (response.status === 401 || response.status >= 500) throw httpError(response, endpoint);
      const status = response.status === 403 ? "forbidden" : "refused";
      const message = messageIn(body, connection.token);
      return { status, message: message ?? `HTTP ${response.status}` };
    },
  };
}

/** Returns a metadata change proposal in the form that Rest.li expects (mxe/MetadataChangeProposal.pdl). */
function proposalOf({ urn, aspect, version, ...written }: AspectWrite): JsonObject {
  const isPatch = "patch" in written;
  return {
    entityType: entityTypeOf(urn),
    entityUrn: urn,
    changeType: isPatch ? "PATCH" : "UPSERT",
    aspectName: aspect,
    aspect: isPatch
      ? { value: bytesJson(written.patch), contentType: "application/json-patch+json" }
      : { value: bytesJson(written.value), contentType: "application/json" },
    ...(version !== undefined && { headers: { "If-Version-Match": version } }),
  };
}

/**
 * Whether a response confirms the proposals: `value` is `success` or, for a single proposal, the entity's URN
 * (AspectResource.java).
 */
function isConfirmed(body: unknown, [{ urn }, ...more]: readonly [AspectWrite, ...AspectWrite[]]): boolean {
  const value = isJsonObject(body) ? body["value"] : undefined;
  return value === "success" || (more.length === 0 && value === urn);
}

/**
 * Returns an entity's aspects in their envelopes, keyed by name. Throws `CatalogError` if the response contains no aspects or is
 * for a different entity.
 */
export function envelopesIn(body: unknown, urn: string, { address }: Endpoint): JsonObject {
  const aspects = isJsonObject(body) && body["urn"] === urn ? body["aspects"] : undefined;
  if (isJsonObject(aspects)) return aspects;
  throw new CatalogError(
    "not-datahub",
    `${address} did not respond like a DataHub server to the request for ${urn}`,
  );
}

/** The result of reading an aspect that is not stored. */
export const missingAspect: StoredAspect = { value: undefined, version: "-1", actor: undefined };

/** Reads an aspect's value and version from its envelope. Throws `CatalogError` if the envelope is malformed. */
export function storedIn(envelope: unknown, aspect: string): StoredAspect {
  if (envelope === undefined || envelope === null) return missingAspect;
  const value = valueIn(envelope, aspect);
  const { systemMetadata: system, created, auditStamp }: JsonObject = isJsonObject(envelope) ? envelope : {};
  const version = isJsonObject(system) ? system["version"] : undefined;
  const stamp = created ?? auditStamp;
  const actor = isJsonObject(stamp) ? stamp["actor"] : undefined;
  return {
    value,
    version: typeof version === "string" || typeof version === "number" ? String(version) : "1",
    actor: typeof actor === "string" ? actor : undefined,
  };
}

/**
 * Reads an aspect's value from its envelope. Throws `CatalogError` if the value is missing or the envelope is for a different
 * aspect.
 */
export function valueIn(envelope: unknown, aspect: string): JsonObject {
  const { name = aspect, value }: JsonObject = isJsonObject(envelope) ? envelope : {};
  if (name === aspect && isJsonObject(value)) return value;
  throw new CatalogError("answer", `the server returned a malformed response: aspect ${aspect} has no value`);
}

interface Answered {
  readonly response: Received;
  readonly body: unknown;
}

type Ask = (path: string, body?: object, options?: RequestOptions) => Promise<Answered>;

/** Creates a function that sends requests to the REST interface. A request without a body is a read. `parse` parses responses. */
export function restClient(
  connection: Connection,
  parse: (text: string) => unknown = (text) => parseJson(text),
): Ask {
  const { endpoint, send } = connection;
  const headers = {
    "content-type": "application/json",
    "x-restli-protocol-version": "2.0.0",
  };
  return (path, body, options) => {
    const sent = body && { body: JSON.stringify(body) };
    const ask = async (signal: AbortSignal): Promise<Answered> => {
      const response = await send(endpoint.address + path, { headers, signal, ...sent });
      const text = await response.text();
      if (isTransient(response.status)) throw httpError(response, endpoint);
      return { response, body: response.ok ? parse(text) : parsed(text, parse) };
    };
    return request(connection, ask, options);
  };
}

// Parses an error response. Returns `undefined` if it is not JSON, because the status is enough to report the error.
function parsed(text: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof CatalogError) throw error;
    return undefined;
  }
}

/** Returns the server's message about a rejected request, if there is one. */
export function messageIn(body: unknown, token: string | undefined): string | undefined {
  if (!isJsonObject(body)) return undefined;
  const message = body["message"] ?? body["error"];
  return typeof message === "string" ? serverText(message, token) : undefined;
}

/** Reads REST requests and sends responses, checks permissions, and converts errors to responses. */

import type { IncomingMessage, ServerResponse } from "node:http";
import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { CatalogState } from "../store/catalog-state.ts";
import { parseJson } from "../json.ts";
import { malformed, messageOf, RequestError } from "../errors.ts";
import { sqliteCode } from "../store/sqlite/connection.ts";

/** A REST request, including its body. */
export interface RestRequest {
  readonly method: string;
  /** The path without the query string, before decoding. */
  readonly path: string;
  readonly query: URLSearchParams;
  /**
   * Parses the body as JSON.
   * @throws RequestError when the JSON is invalid.
   */
  json(): Json;
}

/** The catalog's state, and the user who sends a REST request. */
export interface RestContext extends CatalogState {
  readonly actor: string;
}

/** The response to a REST request. Without `body`, the response is empty. */
export interface RestResponse {
  readonly status: number;
  readonly body?: Json | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Returns a request's body as an object.
 * @throws RequestError when the body is not an object.
 */
export function requestObject(request: RestRequest): JsonObject {
  const body = request.json();
  if (!isJsonObject(body)) throw malformed("The body must be an object");
  return body;
}

/** Creates a REST request from an HTTP request and its body. */
export function restRequestOf(request: IncomingMessage, path: string, body: Buffer): RestRequest {
  const text = body.toString("utf8");
  const [, query = ""] = /\?(.*)$/s.exec(request.url ?? "") ?? [];
  return {
    method: request.method ?? "GET",
    path,
    query: new URLSearchParams(query),
    json: () => parseJson(text, "The body"),
  };
}

/** Sends a REST response to the client. */
export function sendResponse(response: ServerResponse, { status, body, headers }: RestResponse): void {
  const text = body === undefined ? "" : JSON.stringify(body);
  const own =
    body === undefined
      ? {}
      : { "Content-Type": "application/json; charset=utf-8", "Content-Length": Buffer.byteLength(text) };
  response.writeHead(status, { ...own, ...headers });
  response.end(text);
}

/**
 * Returns the values of a list parameter in the query string. Clients can repeat the parameter or separate values with commas.
 */
export function listParameter(query: URLSearchParams, name: string): readonly string[] {
  return query
    .getAll(name)
    .flatMap((text) => text.split(","))
    .filter((text) => text !== "");
}

/**
 * Checks that the user who sends a request may view all of the given entities (AuthUtil.isAPIAuthorizedEntityUrns). `message`
 * creates the error message for the first restricted entity.
 * @throws RequestError when the user may not view an entity.
 */
export function requireView(
  urns: readonly string[],
  { restricted }: RestContext,
  message: (urn: string) => string,
): void {
  const first = urns.find((urn) => restricted.has(urn));
  if (first !== undefined) throw new RequestError("forbidden", message(first));
}

/**
 * Checks that the user who sends a request may edit all of the given entities. REST requires permission to edit an entire entity,
 * which includes permission to view it, so requests to edit restricted entities are refused.
 * @throws RequestError when the user may not edit an entity.
 */
export function requireEdit(urns: readonly string[], context: RestContext): void {
  requireView(
    urns,
    context,
    (urn) => `User ${context.actor} is unauthorized to modify entity: HttpStatus: 403 Urn: ${urn}`,
  );
}

/** Whether a query parameter is `true`. */
export function hasFlag(query: URLSearchParams, name: string): boolean {
  return query.get(name) === "true";
}

/**
 * Decodes a path segment.
 * @throws RequestError when the percent-encoding is invalid.
 */
export function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw malformed(`The path contains invalid percent-encoding: ${part}`);
  }
}

/**
 * Runs `route`, and uses `failed` to convert errors to responses. Returns undefined if the route does not handle the path. If the
 * storage is not writable, the status is 507 instead of 500, because DataHub's clients retry a 500 for half a minute.
 */
export function withErrorResponses(
  route: () => RestResponse | undefined,
  failed: (error: RequestError | { readonly status: 507; readonly message: string }) => RestResponse,
): RestResponse | undefined {
  try {
    return route();
  } catch (error) {
    if (error instanceof RequestError) return failed(error);
    if (!/^SQLITE_(FULL|IOERR|READONLY)/.test(sqliteCode(error) ?? "")) throw error;
    const message = `The catalog cannot write to its storage (${messageOf(error)}). Nothing was written.`;
    return failed({ status: 507, message });
  }
}

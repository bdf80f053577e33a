import type { IncomingMessage, ServerResponse } from "node:http";
import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { AspectStore } from "../store/aspect-store.ts";
import { parseJson } from "../json.ts";
import { malformed } from "../errors.ts";

/** One REST request, its body read. */
export interface RestRequest {
  readonly method: string;
  /** The path as it was sent, without the query, percent-encoded or not. */
  readonly path: string;
  readonly query: URLSearchParams;
  /**
   * The body as JSON.
   * @throws RequestError when it is none.
   */
  json(): Json;
}

/** What the answers to REST requests work with. */
export interface RestContext {
  readonly store: AspectStore;
  /** The time of day in milliseconds. */
  readonly now: () => number;
}

/** The answer to a REST request; without a body it is empty. */
export interface RestAnswer {
  readonly status: number;
  readonly body?: Json | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The body of a request, which is an object.
 * @throws RequestError when it is none.
 */
export function requestObject(request: RestRequest): JsonObject {
  const body = request.json();
  if (!isJsonObject(body)) throw malformed("The body is not an object");
  return body;
}

/** Reads a request to its end. */
export async function receive(request: IncomingMessage, path: string): Promise<RestRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  const [, query = ""] = /\?(.*)$/s.exec(request.url ?? "") ?? [];
  return {
    method: request.method ?? "GET",
    path,
    query: new URLSearchParams(query),
    json: () => parseJson(text, "The body"),
  };
}

/** Sends an answer. */
export function answer(response: ServerResponse, { status, body, headers }: RestAnswer): void {
  if (body === undefined) {
    response.writeHead(status, headers);
    response.end();
    return;
  }
  const text = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": text.length,
    ...headers,
  });
  response.end(text);
}

/**
 * A part of a path, decoded.
 * @throws RequestError when it is not well encoded.
 */
export function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw malformed(`The path is not well encoded: ${part}`);
  }
}

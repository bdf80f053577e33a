/** Checks the host, origin and token of HTTP requests, and routes the requests to GraphQL, Rest.li or OpenAPI. */

import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isPageRequest, graphiqlPage } from "../graphql/graphiql.ts";
import { graphqlPath, type GraphqlEndpoint } from "../graphql/endpoint.ts";
import { answerOpenApi } from "../rest/openapi/endpoint.ts";
import { sendResponse, restRequestOf, type RestResponse } from "../rest/exchange.ts";
import { answerRestli } from "../rest/restli/endpoint.ts";
import type { CatalogState } from "../store/catalog-state.ts";
import { maxBodyBytes, readBody } from "./body.ts";
import { serverConfig } from "./server-config.ts";

/** Answers one HTTP request. */
export type RequestRouter = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Functions that create the responses for paths that DataHub does not have, keyed by path. */
export type ExtraPaths = Readonly<Record<string, () => RestResponse>>;

/**
 * Creates a router that serves the paths of DataHub's GMS, both at the root and under `/api/gms`, where DataHub's frontend serves
 * them. If there is a token, all requests require it, except for `/config`, `/health` and the GraphiQL page.
 */
export function requestRouter(
  graphql: GraphqlEndpoint,
  state: CatalogState,
  token: string | undefined,
  extra: ExtraPaths = {},
): RequestRouter {
  const page = graphiqlPage(token !== undefined);
  return async (request, response) => {
    const path = pathOf(request);
    if (!isLocalHost(request.headers.host))
      return refuse(response, 403, "Only requests from this machine are allowed.");
    if (isForeign(request.headers))
      return refuse(response, 403, "Requests from other websites are not allowed.");
    if (Number(request.headers["content-length"] ?? 0) > maxBodyBytes) return refuseBody(response);
    if (path === "/config") return sendResponse(response, { status: 200, body: serverConfig });
    if (path === "/health") return sendResponse(response, { status: 200, body: { status: "ok" } });
    if (isPageRequest(request, path)) return page(response);
    if (!isAuthorized(request.headers.authorization, token))
      return refuse(response, 401, "Unauthorized to perform this action.");
    const extraAnswer = extra[path]?.();
    if (extraAnswer) return sendResponse(response, extraAnswer);
    if (path === graphqlPath && request.method !== "POST")
      return refuse(response, 500, `Request method '${request.method}' is not supported.`);
    const body = await readBody(request);
    if (!body) return refuseBody(response);
    if (path === graphqlPath) return graphql(request, body, response);
    const received = restRequestOf(request, path, body);
    const context = { ...state, actor: state.actorOf(request) };
    const answered = answerRestli(received, context) ?? answerOpenApi(received, context);
    return answered
      ? sendResponse(response, answered)
      : refuse(response, 404, `Nothing is served at ${path}.`);
  };
}

/** Returns a request's path without the query string, the prefix `/api/gms` or a trailing slash. */
export function pathOf(request: IncomingMessage): string {
  const [path = "/"] = (request.url ?? "/").split("?");
  return path.replace(/^\/api\/gms(?=\/)/, "").replace(/(?<=.)\/$/, "");
}

// A web page can reach this server through the page's domain name if that name resolves to the loopback address (DNS rebinding).
// The `Host` header then contains that name.
function isLocalHost(host: string | undefined): boolean {
  return host === undefined || /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(host);
}

// A web page can send some requests to any server, even if it cannot read the responses. Browsers add the page's origin to such
// requests.
function isForeign({ origin, host }: IncomingMessage["headers"]): boolean {
  return origin !== undefined && origin.toLowerCase() !== `http://${host ?? ""}`.toLowerCase();
}

function isAuthorized(header: string | undefined, token: string | undefined): boolean {
  if (token === undefined) return true;
  const given = /^bearer\s+(.+)$/i.exec(header ?? "")?.[1];
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Refuses a request whose body is too large. Leaves the remaining body unread, so the connection cannot be reused. */
export function refuseBody(response: ServerResponse): void {
  response.setHeader("Connection", "close");
  refuse(response, 413, `The body is larger than ${maxBodyBytes / 1024 / 1024} MB.`);
}

function refuse(response: ServerResponse, status: number, message: string): void {
  sendResponse(response, { status, body: { status, message } });
}

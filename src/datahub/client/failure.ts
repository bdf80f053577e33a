import { ClientError } from "graphql-request";
import { CatalogError } from "../../model/catalog-error.ts";
import type { Endpoint } from "./endpoint.ts";

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
    return new CatalogError("not-datahub", `${where} did not answer like a DataHub server; ${addressAdvice}`);
  }
  return new CatalogError("unreachable", `cannot connect to ${where}: ${causeOf(error)}`);
}

// How graphql-request begins when an answer is no GraphQL; what follows is the answer itself.
const notGraphql = "Invalid execution result";

const addressAdvice =
  "check the address: GMS is usually http://HOST:8080, or https://HOST/api/gms through the frontend";

/** The failure that an HTTP status tells. */
export function httpError(status: number, { address }: Endpoint): CatalogError {
  if (status === 401) {
    const message = `${address} rejected the token, or no token was sent (HTTP 401); set DATAHUB_GMS_TOKEN to a valid access token`;
    return new CatalogError("unauthorized", message, status);
  }
  if (status === 403) {
    return new CatalogError("unauthorized", `${address} denied access to this token (HTTP 403)`, status);
  }
  if (status >= 300 && status < 400) {
    return new CatalogError(
      "not-datahub",
      `${address} redirects to another address (HTTP ${status}); ${addressAdvice}`,
      status,
    );
  }
  if (status === 404 || status === 405 || status < 300) {
    return new CatalogError(
      "not-datahub",
      `${address} is not a DataHub server (HTTP ${status}); ${addressAdvice}`,
      status,
    );
  }
  return new CatalogError("http", `${address} answered HTTP ${status}`, status);
}

// Node's fetch wraps the reason: "fetch failed" alone helps nobody.
function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof AggregateError && cause.errors[0] instanceof Error) return cause.errors[0].message;
  const message = cause instanceof Error ? cause.message : String(cause);
  return /wrong version number/.test(message) ? "the server does not use TLS; try http://" : message;
}

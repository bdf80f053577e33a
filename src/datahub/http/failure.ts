/** Converts network failures and HTTP statuses into `CatalogError` objects that include advice. */

import { CatalogError, type FailureDetails } from "../../model/catalog-error.ts";
import { errorCode } from "../../model/text/error-text.ts";
import type { Endpoint } from "../endpoint.ts";
import { ExcessiveJsonError, TruncatedJsonError } from "../json-text.ts";
import { truncatedAnswer, serverText } from "./answer-limits.ts";
import type { Received } from "./send.ts";

/** Returns the error for a failed request. The original message is not used verbatim, because it may contain the token. */
export function catalogError(
  error: unknown,
  endpoint: Endpoint,
  {
    timeout,
    token,
    hasAnswered = true,
  }: { readonly timeout: number; readonly token: string | undefined; readonly hasAnswered?: boolean },
): CatalogError {
  if (error instanceof ExcessiveJsonError)
    return new CatalogError(
      "answer",
      `${endpoint.address} sent a response that is too large: ${error.message}`,
    );
  if (error instanceof CatalogError) return error;
  const where = endpoint.address;
  if (error instanceof DOMException && error.name === "TimeoutError") {
    const message = `${where} did not respond within ${timeout / 1000} s`;
    return new CatalogError("timeout", message, { isTransient: true, mayBeTooLarge: true });
  }
  if (error instanceof TruncatedJsonError || isTerminated(error)) return truncatedAnswer(where);
  if (error instanceof SyntaxError) return notDatahub(endpoint, { isTransient: true });
  const cause = innermost(error);
  const isPerhapsTls = !hasAnswered && where.startsWith("http://") && errorCode(cause) === "ECONNRESET";
  const advice = isPerhapsTls ? "; if it uses TLS, try https://" : tlsAdvice(errorCode(cause) ?? "");
  const message = `cannot connect to ${where}: ${serverText(causeText(cause), token)}${advice}`;
  return new CatalogError("unreachable", message, detailsOf(errorCode(cause) ?? ""));
}

/** Whether the connection was closed while `fetch` was reading a response (undici, fetch/index.js). */
function isTerminated(error: unknown): boolean {
  return error instanceof TypeError && error.message === "terminated";
}

/** Returns the error for a response that does not come from DataHub. */
export function notDatahub({ address }: Endpoint, details: FailureDetails = {}): CatalogError {
  const message = `${address} did not respond like a DataHub server; ${addressAdvice}`;
  return new CatalogError("not-datahub", message, details);
}

const addressAdvice =
  "check the URL: GMS is usually http://HOST:8080, or https://HOST/api/gms through the frontend";

/** Codes of errors that occur before a request is sent. */
const unsent: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Codes of errors on an established connection. */
const broken: ReadonlySet<string> = new Set([
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "UND_ERR_SOCKET",
]);

function detailsOf(code: string): FailureDetails {
  const isUndone = unsent.has(code);
  return { isUndone, isTransient: isUndone || broken.has(code) };
}

/** HTTP statuses after which a retry may succeed: too many requests, and errors from gateways and busy servers. */
const transient: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** HTTP statuses that can mean that a request or a response is too large for the server or a gateway. */
const perhapsTooLarge: ReadonlySet<number> = new Set([413, 502, 504]);

/** Whether a retry may succeed after an HTTP status. */
export function isTransient(status: number): boolean {
  return transient.has(status);
}

/** Returns the error for an HTTP status. */
export function httpError({ status, headers }: Received, { address }: Endpoint): CatalogError {
  const retryAfter = retryAfterIn(headers);
  const isLong = retryAfter !== undefined && retryAfter > maxWait;
  const isPassing = isTransient(status) && !isLong;
  const details: FailureDetails = {
    status,
    isTransient: isPassing,
    // After a 5xx status from a gateway or a busy server, the server may still be processing the request
    // (GraphQLController.java).
    isUndone: status < 500,
    ...(perhapsTooLarge.has(status) && !isLong && { mayBeTooLarge: true }),
    ...(retryAfter !== undefined && isPassing && { retryAfter }),
  };
  if (status === 401) {
    const message = `${address} rejected the token, or no token was sent (HTTP 401); set DATAHUB_GMS_TOKEN to a valid access token, or DATAHUB_GMS_TOKEN_FILE to a file that contains one`;
    return new CatalogError("unauthorized", message, details);
  }
  if (status === 403) {
    return new CatalogError("unauthorized", `${address} denied access to this token (HTTP 403)`, details);
  }
  if (status >= 300 && status < 400) {
    const message = `${address} redirects to a different URL (HTTP ${status}); ${addressAdvice}`;
    return new CatalogError("not-datahub", message, details);
  }
  if (status === 404 || status === 405 || status < 300) {
    const message = `${address} is not a DataHub server (HTTP ${status}); ${addressAdvice}`;
    return new CatalogError("not-datahub", message, details);
  }
  const wait = isLong
    ? `; the server asked for a wait of ${Math.ceil(retryAfter / 1000)} s, but this tool waits at most ${maxWait / 1000} s`
    : "";
  return new CatalogError("http", `${address} responded with HTTP ${status}${wait}`, details);
}

/** The longest wait that a server may request, in milliseconds. */
const maxWait = 60_000;

/**
 * Returns the wait that a server requests, in milliseconds. The header contains a number of seconds or a date (RFC 9110, 10.2.3).
 */
function retryAfterIn(headers: Received["headers"]): number | undefined {
  const text = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

// Returns the innermost cause of an error. In Node.js, `fetch` wraps each network error in an unhelpful "fetch failed" error.
function innermost(error: unknown): unknown {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return innermost(error.errors[0]);
  return error instanceof Error && error.cause instanceof Error ? innermost(error.cause) : error;
}

/** Codes of errors about a certificate that is not signed by a trusted authority. */
const unknownAuthority: ReadonlySet<string> = new Set([
  "CERT_UNTRUSTED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

function tlsAdvice(code: string): string {
  if (unknownAuthority.has(code))
    return "; set NODE_EXTRA_CA_CERTS to the PEM file of its certificate authority";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return "; use the host name in its certificate";
  if (code === "CERT_HAS_EXPIRED") return "; the server needs a new certificate";
  return "";
}

function causeText(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  return /wrong version number/.test(message) ? "the server does not use TLS; try http://" : message;
}

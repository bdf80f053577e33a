/** Validates, normalizes and compares URLs of DataHub servers, and derives the URLs for requests. */

import { withoutSecrets } from "../model/text/address.ts";

/** A server's URLs. Plans and messages show `address`, the normalized server URL. */
export interface Endpoint {
  readonly address: string;
  readonly graphql: string;
  readonly config: string;
}

/** A message that explains why a string is not a valid server URL. */
export interface AddressFault {
  readonly fault: string;
}

const frontendSuffix = "/api/gms";

/**
 * Returns the URLs for a server, or the reason why the server URL is invalid. A URL that ends in `/api/gms` belongs to the
 * frontend, which serves GraphQL under a different path. Any other URL belongs to GMS itself (datahub-frontend/conf/routes).
 */
export function endpointOf(text: string): Endpoint | AddressFault {
  if (text.trim() === "") return { fault: "the server URL is empty; is DATAHUB_GMS_URL set?" };
  if (!URL.canParse(text) || !/^[a-z]+:\/\//i.test(text)) {
    return {
      fault: `the server URL ${JSON.stringify(withoutSecrets(text))} is not valid; use a URL that starts with http:// or https://`,
    };
  }
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return { fault: `the server URL ${withoutSecrets(text)} must start with http:// or https://` };
  }
  // If the URL has too few or too many slashes after the scheme, credentials in it are parsed as part of the path.
  if (url.username !== "" || url.password !== "" || url.pathname.includes("@")) {
    return {
      fault: "the server URL contains a user name or password; use DATAHUB_GMS_TOKEN for the token instead",
    };
  }
  if (url.search !== "" || url.hash !== "") {
    return { fault: `the server URL ${withoutSecrets(text)} has a query or fragment; remove it` };
  }
  const address = addressOf(url);
  const base = address.endsWith(frontendSuffix) ? address.slice(0, -frontendSuffix.length) : address;
  return { address, graphql: `${base}/api/graphql`, config: `${address}/config` };
}

/** Whether two URLs have the same scheme, host (ignoring case), port, and path (ignoring trailing slashes). */
export function isSameAddress(a: string, b: string): boolean {
  if (!URL.canParse(a) || !URL.canParse(b)) return a === b;
  return addressOf(new URL(a)) === addressOf(new URL(b));
}

function addressOf(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, "")}`;
}

/** Where a DataHub is asked. `address` is the normal form that plans and messages show. */
export interface Endpoint {
  readonly address: string;
  readonly graphql: string;
  readonly config: string;
}

/** Why a text is no address of a server. */
export interface AddressFault {
  readonly fault: string;
}

const frontendSuffix = "/api/gms";

/**
 * The endpoint of an address. One that ends in `/api/gms` is the frontend's, whose GraphQL stands beside it;
 * any other is GMS itself (datahub-frontend/conf/routes).
 */
export function endpointOf(text: string): Endpoint | AddressFault {
  if (!URL.canParse(text) || !/^[a-z]+:\/\//i.test(text)) {
    return {
      fault: `the address ${JSON.stringify(withoutSecrets(text))} is not a URL; start it with http:// or https://`,
    };
  }
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return { fault: `the address ${withoutSecrets(text)} must start with http:// or https://` };
  }
  if (url.username !== "" || url.password !== "") {
    return {
      fault: "the address contains a user name or password; use DATAHUB_GMS_TOKEN for the token instead",
    };
  }
  if (url.search !== "" || url.hash !== "") {
    return { fault: `the address of ${url.host} has a query or fragment; remove it` };
  }
  const address = addressOf(url);
  const base = address.endsWith(frontendSuffix) ? address.slice(0, -frontendSuffix.length) : address;
  return { address, graphql: `${base}/api/graphql`, config: `${address}/config` };
}

/** Whether two addresses are the same server: scheme, host in lower case, port, path without a trailing slash. */
export function isSameAddress(a: string, b: string): boolean {
  if (!URL.canParse(a) || !URL.canParse(b)) return a === b;
  return addressOf(new URL(a)) === addressOf(new URL(b));
}

function addressOf(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, "")}`;
}

// A password can hold a slash, and what is no URL has no parts: all before the last @ may be user info.
function withoutSecrets(text: string): string {
  const [address = ""] = text.split(/[?#]/);
  return address.replace(/^([a-z][a-z+.-]*:\/\/)?.*@/is, "$1");
}

import { expect, test } from "vitest";
import { endpointOf, isSameAddress } from "../../src/datahub/endpoint.ts";

test.each([
  [
    "http://localhost:8080",
    "http://localhost:8080",
    "http://localhost:8080/api/graphql",
    "http://localhost:8080/config",
  ],
  [
    "http://localhost:8080/",
    "http://localhost:8080",
    "http://localhost:8080/api/graphql",
    "http://localhost:8080/config",
  ],
  [
    "https://Acme.COM/api/gms",
    "https://acme.com/api/gms",
    "https://acme.com/api/graphql",
    "https://acme.com/api/gms/config",
  ],
  [
    "https://acme.com/datahub/api/gms/",
    "https://acme.com/datahub/api/gms",
    "https://acme.com/datahub/api/graphql",
    "https://acme.com/datahub/api/gms/config",
  ],
  [
    "https://acme.com:443/gms",
    "https://acme.com/gms",
    "https://acme.com/gms/api/graphql",
    "https://acme.com/gms/config",
  ],
])("%s is asked at the right places", (text, address, graphql, config) => {
  expect(endpointOf(text)).toEqual({ address, graphql, config });
});

test.each([
  ["localhost:8080", /http:\/\//],
  ["datahub.acme.com", /http:\/\//],
  ["", /is DATAHUB_GMS_URL set/],
  ["ftp://acme.com", /must start with http/],
  ["https://user:secret@acme.com", /DATAHUB_GMS_TOKEN/],
  ["user:secret@acme.com", /http:\/\//],
  ["https://acme.com/?x=1", /query/],
  ["https://acme.com/?token=secret", /acme\.com\/ has a query/],
  ["https://acme.com/#secret", /query/],
  ["localhost:8080/?token=secret", /http:\/\//],
  ["ftp://acme.com/?token=secret", /must start with http/],
  ["http://user:a/secret@acme.com", /http:\/\//],
  ["http://user:a@secret@:acme.com", /http:\/\//],
])("%s is refused", (text, reason) => {
  const result = endpointOf(text);
  expect("fault" in result && result.fault).toMatch(reason);
  expect(JSON.stringify(result)).not.toContain("secret");
});

test.each([
  ["https://ACME.com/api/gms/", "https://acme.com:443/api/gms", true],
  ["http://acme.com", "https://acme.com", false],
  ["https://acme.com:8443", "https://acme.com", false],
  ["https://acme.com/a", "https://acme.com/A", false],
])("%s and %s are the same server: %s", (a, b, same) => {
  expect(isSameAddress(a, b)).toBe(same);
});

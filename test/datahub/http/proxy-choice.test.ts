import { describe, expect, test } from "vitest";
import { proxyChoice } from "../../../src/datahub/http/proxy-choice.ts";

const proxyOf = (env: Readonly<Record<string, string>>, address: string): string | undefined =>
  proxyChoice(env).proxyFor(new URL(address));

const [plain, tls] = ["http://datahub.acme.com:8080", "https://datahub.acme.com"];

test.each<readonly [Readonly<Record<string, string>>, string | undefined, string | undefined]>([
  [{}, undefined, undefined],
  [{ HTTP_PROXY: "http://p:1" }, "http://p:1", undefined],
  [{ HTTPS_PROXY: "http://p:1" }, undefined, "http://p:1"],
  [{ ALL_PROXY: "http://p:1" }, "http://p:1", "http://p:1"],
  [{ ALL_PROXY: "http://p:1", HTTPS_PROXY: "http://q:2" }, "http://p:1", "http://q:2"],
  [{ ALL_PROXY: "p:1", http_proxy: "q:2" }, "http://q:2", "http://p:1"],
  [{ HTTP_PROXY: "http://p:1", http_proxy: "" }, undefined, undefined],
  [{ ALL_PROXY: "http://p:1", NO_PROXY: "*" }, undefined, undefined],
  [{ ALL_PROXY: "http://p:1", no_proxy: "acme.com" }, undefined, undefined],
])("%j has the proxy %s for what is not encrypted, and %s for the rest", (env, ofPlain, ofTls) => {
  expect([proxyOf(env, plain), proxyOf(env, tls)]).toEqual([ofPlain, ofTls]);
});

describe("NO_PROXY", () => {
  test.each<readonly [string, string, boolean]>([
    ["127.0.0.0/8", "127.1.2.3", true],
    ["127.0.0.0/8", "128.0.0.1", false],
    ["10.0.0.0/8 192.168.1.0/24", "192.168.1.77", true],
    ["10.0.0.0/8, 192.168.1.0/24", "192.168.2.77", false],
    ["10.1.2.3", "10.1.2.3", true],
    ["10.1.2.3/32", "10.1.2.4", false],
    ["0.0.0.0/0", "8.8.8.8", true],
    ["10.0.0.0/33", "10.0.0.1", false],
    ["10.0.0.0/x", "10.0.0.1", false],
    ["fd00::/8", "[fd12::1]", true],
    ["fd00::/8", "[fe80::1]", false],
    ["[::1]", "[::1]", true],
    ["::1", "[::1]", true],
    ["10.0.0.0/8", "ten.acme.com", false],
    ["acme.com", "datahub.acme.com", true],
    [".acme.com", "datahub.acme.com", true],
    ["*.acme.com", "datahub.acme.com", true],
    ["ACME.com", "acme.com", true],
    ["acme.com", "notacme.com", false],
    ["acme.com:8080", "acme.com:8080", true],
    ["acme.com:8080", "acme.com:9090", false],
    ["acme.com:80", "acme.com", true],
  ])("%s has http://%s: %s", (list, host, isThere) => {
    const proxy = proxyOf({ ALL_PROXY: "http://p:1", NO_PROXY: list }, `http://${host}`);
    expect(proxy === undefined).toBe(isThere);
  });
});

test("ALL_PROXY is not looked at where each scheme has a proxy of its own", () => {
  const both = { HTTP_PROXY: "a:1", HTTPS_PROXY: "b:1", ALL_PROXY: "socks5://c:1" };
  expect(proxyChoice(both).named.map(([name]) => name)).toEqual(["HTTP_PROXY", "HTTPS_PROXY"]);
});

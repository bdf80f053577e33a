import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { catalogWith } from "../support.ts";

const json = { "Content-Type": "application/json" };
const me = JSON.stringify({ query: "{ me { corpUser { urn } } }" });

test.each(["/config", "/config/", "/api/gms/config"])(
  "%s needs no token and holds what clients require",
  async (path) => {
    const { url } = await catalogWith([], { auth: true });
    const response = await fetch(url + path);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      noCode: "true",
      versions: {
        "acryldata/datahub": {
          version: expect.stringMatching(/^v?\d+\.\d+\.\d+$/),
          commit: expect.any(String),
        },
      },
      patchCapable: true,
      statefulIngestionCapable: true,
      telemetry: { enabledCli: false, enabledIngestion: false },
      datahub: { serverEnv: "core" },
      models: {},
    });
  },
);

test.each(["/health", "/api/gms/health"])("%s is 200 without a token", async (path) => {
  const { url } = await catalogWith([], { auth: true });
  expect((await fetch(url + path)).status).toBe(200);
});

test.each(["/api/graphql", "/api/graphql/", "/api/gms/api/graphql", "/api/graphql?x=1"])(
  "%s takes GraphQL",
  async (path) => {
    const { url } = await catalogWith();
    const response = await fetch(url + path, { method: "POST", headers: json, body: me });
    expect(response.headers.get("Content-Type")).toContain("application/json");
    expect(await response.json()).toEqual({
      data: { me: { corpUser: { urn: "urn:li:corpuser:datahub" } } },
      extensions: {},
    });
  },
);

describe("the bearer token", () => {
  test.each([
    ["none", undefined, 401],
    ["a wrong one", "Bearer nonsense", 401],
    ["another scheme", "Basic secret", 401],
    ["no more than its beginning", "Bearer sec", 401],
    ["the right one", "Bearer secret", 200],
  ])("%s", async (_name, authorization, status) => {
    const { url } = await catalogWith([], { auth: true, token: "secret" });
    const headers = { ...json, ...(authorization === undefined ? {} : { authorization }) };
    const response = await fetch(`${url}/api/graphql`, { method: "POST", headers, body: me });
    expect(response.status).toBe(status);
    const text = await response.text();
    expect(text).not.toContain("secret");
  });
});

test.each([
  ["invalid JSON", "{ me"],
  ["nothing", ""],
  ["no query", "{}"],
  ["a list of requests", `[${me}]`],
])("a body with %s is 400, without a body", async (_name, body) => {
  const { url } = await catalogWith();
  const response = await fetch(`${url}/api/graphql`, { method: "POST", headers: json, body });
  expect([response.status, await response.text()]).toEqual([400, ""]);
});

test.each([
  ["parse", "{ me"],
  ["validate", "{ you }"],
])("a document that does not %s is 200, with an error and null as data", async (_name, query) => {
  const { url } = await catalogWith();
  const body = JSON.stringify({ query });
  const response = await fetch(`${url}/api/graphql`, { method: "POST", headers: json, body });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ data: null, errors: [{ message: expect.any(String) }] });
});

test("request and response are JSON, whatever the content type", async () => {
  const { url } = await catalogWith();
  const headers = { "Content-Type": "text/plain", Accept: "text/html" };
  const response = await fetch(`${url}/api/graphql`, { method: "POST", headers, body: me });
  expect(await response.json()).toHaveProperty("data.me");
});

test.each(["GET", "PUT", "DELETE"])("%s on the GraphQL endpoint is 500", async (method) => {
  const { url } = await catalogWith();
  const response = await fetch(`${url}/api/graphql?query={me{corpUser{urn}}}`, { method });
  expect(response.status).toBe(500);
});

test("other paths are 404", async () => {
  const { url } = await catalogWith();
  expect((await fetch(`${url}/api/gms`)).status).toBe(404);
});

test.each([
  ["another name that resolves to this machine", "evil.example:8080", 403],
  ["localhost", "localhost:8080", 200],
])("a request to %s", async (_name, host, status) => {
  const { url } = await catalogWith();
  const answered = await new Promise((resolve, reject) => {
    request(`${url}/config`, { headers: { host } }, (response) => resolve(response.resume().statusCode))
      .on("error", reject)
      .end();
  });
  expect(answered).toBe(status);
});

test("no response can be read by a page from another origin", async () => {
  const { url } = await catalogWith();
  const headers = { ...json, Origin: "https://evil.example" };
  const response = await fetch(`${url}/api/graphql`, { method: "POST", headers, body: me });
  expect(response.headers.get("Access-Control-Allow-Origin")).toBeNull();
});

test("a request in flight is answered before the catalog closes, and later ones are not", async () => {
  const catalog = await catalogWith();
  const sent = request(`${catalog.url}/api/graphql`, {
    method: "POST",
    headers: { ...json, "Content-Length": me.length, Expect: "100-continue" },
  });
  sent.flushHeaders();
  await once(sent, "continue");
  const closing = catalog.close();
  sent.end(me);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  response.resume();
  await closing;
  await expect(fetch(`${catalog.url}/health`)).rejects.toThrow("fetch failed");
});

test("closing twice has the effect of closing once", async () => {
  const catalog = await catalogWith();
  await Promise.all([catalog.close(), catalog.close()]);
});

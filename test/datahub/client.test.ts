import nock from "nock";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createReader, createWriter } from "../../src/datahub/client.ts";
import { connectionTo } from "../../src/datahub/connection.ts";
import { askServer, checkServer } from "../../src/datahub/server-config.ts";
import { CatalogError } from "../../src/model/catalog-error.ts";

const server = "https://datahub.acme.com";
const token = "s3cr3t-t0ken";
const connection = connectionTo(server, { token, retryDelay: 1 });
const query = "query { me { corpUser { urn } } }";

beforeAll(() => {
  if (!nock.isActive()) nock.activate();
  nock.disableNetConnect();
});
afterEach(() => {
  nock.cleanAll();
});
afterAll(() => {
  nock.enableNetConnect();
  nock.restore();
});

async function failureOf(promise: Promise<unknown>): Promise<CatalogError> {
  try {
    await promise;
  } catch (error) {
    expect(error).toBeInstanceOf(CatalogError);
    return error as CatalogError;
  }
  throw new Error("nothing was thrown");
}

test.each([
  [401, "unauthorized", /DATAHUB_GMS_TOKEN/],
  [403, "unauthorized", /denied access/],
  [404, "not-datahub", /is not a DataHub/],
  [302, "not-datahub", /redirects/],
  [429, "http", /429/],
  [500, "http", /500/],
  [503, "http", /503/],
])(
  "HTTP %i is the failure %s, with the server's address and without the token",
  async (status, failure, text) => {
    nock(server)
      .post("/api/graphql")
      .times(5)
      .reply(status, `echo ${token}`, { "content-type": "text/plain" });
    const error = await failureOf(createReader(connection).query(query, {}));
    expect(error.failure).toBe(failure);
    expect(error.message).toMatch(text);
    expect(error.message).toContain(server);
    expect(`${error.message}${error.stack}${JSON.stringify(error)}`).not.toContain(token);
  },
);

test("HTML where JSON belongs is no DataHub", async () => {
  nock(server).post("/api/graphql").reply(200, "<html>sign in</html>", { "content-type": "text/html" });
  const error = await failureOf(createReader(connection).query(query, {}));
  expect(error.failure).toBe("not-datahub");
});

test("a broken connection is unreachable, and the reason is told", async () => {
  nock(server).post("/api/graphql").replyWithError("socket hang up");
  const error = await failureOf(createReader(connection).query(query, {}));
  expect(error).toMatchObject({ failure: "unreachable", message: expect.stringContaining("socket hang up") });
});

test("data and errors of a partial answer both arrive", async () => {
  const errors = [{ message: "no", path: ["b"], extensions: { code: 400, type: "BAD_REQUEST" } }];
  nock(server)
    .post("/api/graphql")
    .reply(200, { data: { a: true, b: null }, errors });
  const answer = await createReader(connection).query(query, {});
  expect(answer).toEqual({ data: { a: true, b: null }, errors: [{ message: "no", path: ["b"], code: 400 }] });
});

test.each([
  ["errors and extensions that are null", { data: { a: true }, errors: null, extensions: null }],
  ["nothing but data", { data: { a: true } }],
])("an answer with %s has no errors", async (_, body) => {
  nock(server).post("/api/graphql").reply(200, body);
  expect(await createReader(connection).query(query, {})).toEqual({ data: { a: true }, errors: [] });
});

test.each([
  ["a list of answers", [{ data: { a: token } }]],
  ["a text", JSON.stringify(token)],
  ["data that is a list", { data: [token] }],
  ["errors that are a text", { data: null, errors: token }],
])("%s is no answer of DataHub, and is not repeated", async (_, body) => {
  nock(server).post("/api/graphql").reply(200, body, { "content-type": "application/json" });
  const error = await failureOf(createReader(connection).query(query, {}));
  expect(error.failure).toBe("not-datahub");
  expect(`${error.message}${error.stack}${JSON.stringify(error)}`).not.toContain(token);
});

test("a request carries the document, its variables and the name of its operation", async () => {
  const document = "query readThem($urns: [String!]!) { entities(urns: $urns) { urn } }";
  const body = { query: document, variables: { urns: ["a"] }, operationName: "readThem" };
  const scope = nock(server).post("/api/graphql", body).reply(200, { data: {} });
  await createReader(connection).query(document, { urns: ["a"] });
  expect(scope.isDone()).toBe(true);
});

test("the token travels as bearer and only in that header", async () => {
  const scope = nock(server, { reqheaders: { authorization: `Bearer ${token}` } })
    .post("/api/graphql", (body) => !JSON.stringify(body).includes(token))
    .reply(200, { data: {} });
  await createReader(connection).query(query, {});
  expect(scope.isDone()).toBe(true);
});

test.each([
  ["a mutation", 'mutation { unsetDomain(entityUrn: "urn:li:dataset:x") }'],
  [
    "a mutation beside a query",
    'query A { me { corpUser { urn } } } mutation B { unsetDomain(entityUrn: "x") }',
  ],
  ["a subscription", "subscription { x }"],
])("a read-only client does not send %s", async (_, document) => {
  const scope = nock(server).post("/api/graphql").reply(200, { data: {} });
  await expect(createReader(connection).query(document, {})).rejects.toThrow(/read-only/);
  expect(scope.isDone()).toBe(false);
});

test("a reader has no way to mutate, not even at run time", () => {
  expect(createReader(connectionTo(server))).not.toHaveProperty("mutate");
  expect(createWriter(connectionTo(server))).toHaveProperty("mutate");
});

test("a server whose config says noCode is a DataHub", async () => {
  nock(server).get("/config").reply(200, { noCode: "true" });
  await expect(checkServer(connection)).resolves.toBeUndefined();
});

test.each([
  ["v0.13.1", "0.13.1"],
  ["1.7.0.1", "1.7.0.1"],
  ["v0.0.0-unknown", "0.0.0"],
  [null, undefined],
])("a server of the release %s is shown as %s", async (version, shown) => {
  nock(server)
    .get("/config")
    .reply(200, { noCode: "true", versions: { "acryldata/datahub": { version } } });
  expect((await askServer(connectionTo(server))).version).toBe(shown);
});

test.each([
  ["JSON of something else", 200, { hello: "world" }, /api\/gms/],
  ["HTML", 200, "<html></html>", /check the URL/],
  ["a redirect", 301, "", /redirects/],
  ["not found", 404, "", /is not a DataHub/],
  ["a refused token", 401, "", /DATAHUB_GMS_TOKEN/],
])("%s at /config is not taken for a DataHub", async (_, status, body, text) => {
  nock(server).get("/config").reply(status, body);
  expect((await failureOf(checkServer(connection))).message).toMatch(text);
});

import { connect } from "node:net";
import { once } from "node:events";
import { expect, test } from "vitest";
import { call, change, ingest } from "../rest.ts";
import { catalogWith, orders, pii, shop } from "../support.ts";

const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;

test.each([
  ["/aspects?action=ingestProposal", deep],
  ["/aspects?action=ingestProposalBatch", `{"proposals": ${deep}}`],
  ["/openapi/v3/entity/tag?async=false", deep],
  ["/entities?action=delete", `{"urn": ${deep}}`],
])("a body that is nested too deeply is 400: %s", async (path, body) => {
  const answer = await call(await catalogWith(), "POST", path, body);
  expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining("nested deeper") } });
});

test("a value that is nested too deeply is 400, and brackets in strings do not count", async () => {
  const catalog = await catalogWith();
  const value = { contentType: "application/json", value: deep };
  const tooDeep = await ingest(catalog, { ...change(pii, "tagProperties", {}), aspect: value });
  expect(tooDeep).toMatchObject({ status: 400, body: { message: expect.stringContaining("nested deeper") } });
  const name = `${"[".repeat(2_000)}"\\"${"{".repeat(2_000)}`;
  expect((await ingest(catalog, change(pii, "tagProperties", { name }))).status).toBe(200);
  expect(catalog.stored(pii, "tagProperties")).toEqual({ name });
});

test("names of JavaScript object properties are ordinary keys", async () => {
  const catalog = await catalogWith();
  const value =
    '{"name": "x", "customProperties": {"__proto__": "a", "constructor": "b", "hasOwnProperty": "c"}}';
  const aspect = { contentType: "application/json", value };
  const answer = await ingest(catalog, { ...change(orders, "datasetProperties", {}), aspect });
  expect(answer.status).toBe(200);
  expect(JSON.stringify(catalog.stored(orders, "datasetProperties"))).toBe(JSON.stringify(JSON.parse(value)));
});

test("strings of any kind are returned as they were sent", async () => {
  const catalog = await catalogWith();
  const name = 'a\0b\u2028\uD83D\uDE00 "quoted" \\ \u001F % ?';
  await ingest(catalog, change(pii, "tagProperties", { name }));
  const { body } = await call(catalog, "GET", `/aspects/${pii}?aspect=tagProperties`);
  expect(body.aspect).toEqual({ "com.linkedin.tag.TagProperties": { name } });
});

test.each([
  ["GET", "/aspects/urn%3Ali%3Atag%3Aa%00b?aspect=status"],
  ["GET", "/entitiesV2/urn%3Ali%3Atag%3Aa%00b"],
  ["GET", "/openapi/v3/entity/tag/urn%3Ali%3Atag%3Aa%00b"],
  ["DELETE", "/openapi/v3/entity/tag/urn%3Ali%3Atag%3Aa%00b"],
  ["GET", `/openapi/v3/entity/tag/${pii}/a%00b`],
  ["GET", `/aspects/${pii}?aspect=a%00b`],
  ["GET", "/openapi/relationships/v1/?urn=urn%3Ali%3Atag%3Aa%00b&direction=INCOMING"],
  ["GET", `/aspects/urn:li:tag:${"x".repeat(600)}?aspect=status`],
])("%s %s is 4xx", async (method, path) => {
  const { status } = await call(await catalogWith(shop), method, path);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
});

test("a client that disconnects during its request leaves nothing behind, and the server keeps running", async () => {
  const catalog = await catalogWith();
  const { port } = new URL(catalog.url);
  const socket = connect(Number(port), "127.0.0.1");
  await once(socket, "connect");
  socket.write(
    'POST /aspects?action=ingestProposal HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999\r\n\r\n{"proposal":',
  );
  await new Promise((resolve) => setTimeout(resolve, 50));
  socket.destroy();
  expect((await fetch(`${catalog.url}/health`)).status).toBe(200);
  expect(catalog.stored(pii, "tagKey")).toBeUndefined();
});

const many = `[${"[],".repeat(5_000_001)}[]]`;

test.each([
  ["/openapi/v3/entity/tag/batchGet", many],
  ["/aspects?action=ingestProposalBatch", `{"proposals": ${many}}`],
  ["/api/graphql", many],
])("a body of more values than are read is 400, and the server answers others: %s", async (path, body) => {
  const catalog = await catalogWith();
  expect((await call(catalog, "POST", path, body)).status).toBe(400);
  expect((await call(catalog, "GET", "/config")).status).toBe(200);
});

test("a batch has 1,000 entities at most", async () => {
  const catalog = await catalogWith(shop);
  const urns = (count: number): object[] =>
    Array.from({ length: count }, (_, index) => ({ urn: `urn:li:tag:${index}` }));
  expect((await call(catalog, "POST", "/openapi/v3/entity/tag/batchGet", urns(1_000))).status).toBe(200);
  expect(await call(catalog, "POST", "/openapi/v3/entity/tag/batchGet", urns(1_001))).toMatchObject({
    status: 400,
    body: { message: "The body contains more than 1000 entities" },
  });
});

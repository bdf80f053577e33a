import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { createWriter, type Writer } from "../../src/datahub/client.ts";
import { connectionTo } from "../../src/datahub/connection.ts";
import { checkServer } from "../../src/datahub/server-config.ts";
import { readStoredAspects } from "../../src/datahub/stored-aspects.ts";
import { CatalogError } from "../../src/model/catalog-error.ts";
import { urn } from "../support/states.ts";
import { startStub } from "../support/stub-server.ts";
import type { Connection } from "../../src/datahub/http/connection.ts";

const token = "s3cr3t-t0ken";
const pii = urn("urn:li:tag:pii");
const query = "query { me { corpUser { urn } } }";

/** A connection to a server that answers everything so. */
async function answering(answer: Parameters<typeof startStub>[0]): Promise<Connection> {
  const server = await startStub(answer);
  onTestFinished(() => server.close());
  return connectionTo(server.url, { token, retryDelay: 1 });
}

async function writerTo(answer: Parameters<typeof startStub>[0]): Promise<Writer> {
  return createWriter(await answering(answer));
}

async function failureOf(promise: Promise<unknown>): Promise<CatalogError> {
  const error: unknown = await promise.then(
    () => new Error("nothing was thrown"),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(CatalogError);
  return error as CatalogError;
}

const aspectsOf = (entity: unknown, value: unknown = { name: "x" }): object => ({
  urn: entity,
  aspects: { tagProperties: { name: "tagProperties", value, systemMetadata: { version: "3" } } },
});

test.each([["urn:li:tag:other"], [7], [undefined]])(
  "stored aspects of %j are not taken for those of the URN that was asked for",
  async (other) => {
    const connection = await answering(() => aspectsOf(other));
    const readings = [
      () => createWriter(connection).aspects.read(pii, "tagProperties"),
      () => readStoredAspects(connection, pii),
    ];
    for (const read of readings) {
      expect((await failureOf(read())).message).toMatch(/did not respond .* for urn:li:tag:pii/);
    }
  },
);

test.each([["a text"], [[]], [7], [null]])(
  "a stored aspect whose value is %j is malformed",
  async (value) => {
    const connection = await answering(() => aspectsOf(pii, value));
    const readings = [
      () => createWriter(connection).aspects.read(pii, "tagProperties"),
      () => readStoredAspects(connection, pii),
    ];
    for (const read of readings) expect((await failureOf(read())).message).toMatch(/tagProperties/);
  },
);

test("an aspect that stands in for another one is malformed", async () => {
  const body = { urn: pii, aspects: { tagProperties: { name: "ownership", value: {} } } };
  const { aspects } = await writerTo(() => body);
  expect((await failureOf(aspects.read(pii, "tagProperties"))).message).toMatch(/tagProperties/);
});

test.each([[7], [null], [{ a: 1 }], [["x"]], [undefined]])(
  "a GraphQL error whose message is %j has a message all the same",
  async (message) => {
    const writer = await writerTo(() => ({ data: null, errors: [{ message, path: ["a"] }] }));
    const { errors } = await writer.query(query, {});
    expect(errors).toEqual([{ message: "an error without a message", path: ["a"] }]);
  },
);

test.each([[{}], ["text"], [[null]], [[7]], [[[]]], [{ message: "boom" }]])(
  "GraphQL errors that are %j are no answer without errors",
  async (errors) => {
    const writer = await writerTo(() => ({ data: { me: null }, errors }));
    const answer = await writer.query(query, {}).catch((error: unknown) => error);
    if (!(answer instanceof CatalogError)) expect(answer).toMatchObject({ errors: [{}] });
  },
);

test.each([[7], ["a"], [{}], [[{}]], [[null, "a"]]])(
  "a path of a GraphQL error that is %j is none",
  async (path) => {
    const writer = await writerTo(() => ({ data: null, errors: [{ message: "no", path }] }));
    expect((await writer.query(query, {})).errors).toEqual([{ message: "no" }]);
  },
);

test("a token that the server repeats is in no message", async () => {
  const echo = `denied for ${token}, Authorization: bearer abc.def, ${encodeURIComponent("s3cr3t-t0ken")}`;
  const told: string[] = [];
  const refuse = (status: number) => (_: unknown, response: ServerResponse) => {
    response.statusCode = status;
    return { message: echo, errors: [{ message: echo, path: ["me"], extensions: { code: 400 } }] };
  };
  for (const status of [200, 400, 422, 500]) {
    const connection = await answering(refuse(status));
    const { aspects, ...writer } = createWriter({ ...connection, onRetry: (text) => told.push(text) });
    const answers = await Promise.allSettled([
      writer.query(query, {}),
      writer.mutate("mutation { a }", {}),
      aspects.write([{ urn: pii, aspect: "tagProperties", value: { name: "x" }, version: "1" }]),
      aspects.read(pii, "tagProperties"),
      readStoredAspects(connection, pii),
      checkServer(connection),
    ]);
    const text = JSON.stringify(
      answers.map((answer) => (answer.status === "rejected" ? String(answer.reason) : answer.value)),
    );
    expect(text + told.join("")).not.toMatch(/s3cr3t|abc\.def/);
  }
});

test("a long message is cut, and holds nothing that steers a terminal", async () => {
  const message = `\u001b[2J\u202e::error::\r\n${"x".repeat(200_000)}`;
  const writer = await writerTo(() => ({ data: null, errors: [{ message }] }));
  const [error] = (await writer.query(query, {})).errors;
  expect(error?.message).toMatch(/^\[2J ::error:: x+… \(cut\)$/);
  expect(error?.message.length).toBeLessThan(2_100);
});

/** Sends a body that does not end before the client has had enough. */
function endless(_: unknown, response: ServerResponse): undefined {
  response.writeHead(200, { "content-type": "application/json" });
  const chunk = Buffer.alloc(1024 * 1024, " ");
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", more);
  more();
}

test("a body beyond 64 MB is not read to its end", async () => {
  const connection = await answering(endless);
  const { aspects, ...writer } = createWriter(connection);
  const failures = [
    await failureOf(writer.query(query, {})),
    await failureOf(aspects.read(pii, "tagProperties")),
  ];
  for (const { message } of failures) expect(message).toMatch(/^http.* sent a response of more than 64 MB/);
});

test("a compressed body counts as what it holds, whatever length it has", async () => {
  // A file of gzip may have several members.
  const member = gzipSync(Buffer.alloc(1024 * 1024, " "));
  const body = Buffer.concat(Array.from({ length: 65 }, () => member));
  const connection = await answering((_, response) => {
    response.writeHead(200, { "content-encoding": "gzip", "content-length": body.length }).end(body);
  });
  const { message } = await failureOf(createWriter(connection).mutate("mutation { a }", {}));
  expect(message).toMatch(/^http.* sent a response of more than 64 MB/);
});

test.each(["[", '{"a":'])("an answer of 20,000 times %j is malformed, and no crash", async (open) => {
  const close = open === "[" ? "]" : "}";
  const deep = `${open.repeat(20_000)}1${close.repeat(20_000)}`;
  const connection = await answering((_, response, { url }) => {
    response.setHeader("content-type", "application/json");
    const body = url.startsWith("/api/graphql")
      ? `{"data":{"me":${deep}}}`
      : `{"urn":"${pii}","aspects":${deep}}`;
    response.end(body);
    return undefined;
  });
  const { aspects, ...writer } = createWriter(connection);
  const readings = [
    () => writer.query(query, {}),
    () => aspects.read(pii, "tagProperties"),
    () => readStoredAspects(connection, pii),
  ];
  for (const read of readings) expect((await failureOf(read())).message).toMatch(/^http.*nested deeper/);
});

test("a batch that holds an entity twice and differently tells nothing, and others are not asked for", async () => {
  const other = urn("urn:li:tag:other");
  const entity = (name: string, more = {}): object => ({
    urn: pii,
    tagProperties: { value: { name } },
    ...more,
  });
  const wanted = [pii, other].map((each) => ({ urn: each, aspects: ["tagProperties"] }));
  const twice = await writerTo(() => [entity("a"), entity("b")]);
  expect([...(await twice.versions.read(wanted))]).toEqual([]);
  const stranger = await writerTo(() => [entity("a"), entity("c", { urn: "urn:li:tag:x" })]);
  const found = await stranger.versions.read(wanted);
  expect(found.get(pii)?.get("tagProperties")).toMatchObject({ value: { name: "a" } });
  expect(found.get(other)?.get("tagProperties")).toMatchObject({ version: "-1" });
});

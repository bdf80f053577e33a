import nock from "nock";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { createReader, createWriter } from "../../../src/datahub/client.ts";
import { connectionTo } from "../../../src/datahub/connection.ts";
import { checkServer } from "../../../src/datahub/server-config.ts";
import { urn } from "../../support/states.ts";
import type { Connection } from "../../../src/datahub/http/connection.ts";

const server = "https://datahub.acme.com";
const query = "query { me { corpUser { urn } } }";
const mutation = 'mutation { unsetDomain(entityUrn: "x") }';
const answer = { data: { ok: true } };

beforeAll(() => {
  if (!nock.isActive()) nock.activate();
  nock.disableNetConnect();
});
afterEach(() => {
  nock.abortPendingRequests();
  nock.cleanAll();
});
afterAll(() => {
  nock.enableNetConnect();
  nock.restore();
});

// What is answered takes longer than this only where the machine stands still.
const inTime = 60_000;

/** How long an answer is waited for where none comes, in milliseconds. */
const impatient = 5;

const silence = (): nock.Scope => graphql().delay(inTime).reply(200, answer);

/**
 * A connection on which an answer is waited for as long as that takes, and where there is none, not long: the first requests are
 * answered as `answered` says, and all others are.
 */
function connected(told: string[] = [], answered: readonly boolean[] = []): Connection {
  const isAnswered = answered.values();
  const made = connectionTo(server, { token: "s3cr3t", retryDelay: 1, onRetry: (text) => told.push(text) });
  return Object.defineProperty(made, "timeout", {
    get: () => (isAnswered.next().value === false ? impatient : inTime),
  });
}

const graphql = () => nock(server).post("/api/graphql");
const networkError = (code: string): Error => Object.assign(new Error(`it says ${code}`), { code });

const passing: readonly (readonly [string, () => nock.Scope])[] = [
  ["HTTP 429", () => graphql().reply(429)],
  ["HTTP 502", () => graphql().reply(502)],
  ["HTTP 503", () => graphql().reply(503)],
  ["HTTP 504", () => graphql().reply(504)],
  ["ECONNRESET", () => graphql().replyWithError(networkError("ECONNRESET"))],
  ["a text that is cut off", () => graphql().reply(200, '{"data":', { "content-type": "application/json" })],
  ["no answer in time", silence],
  [
    "the code 503 in an answer",
    () => graphql().reply(200, { data: null, errors: [{ message: "deadlock", extensions: { code: 503 } }] }),
  ],
];

test.each(passing)("a read that is answered with %s is sent again, and that is told", async (_, fail) => {
  const told: string[] = [];
  const connection = connected(told, fail === silence ? [false, false] : []);
  fail();
  fail();
  graphql().reply(200, answer);

  expect((await createReader(connection).query(query, {})).data).toEqual({ ok: true });

  expect(told).toEqual([expect.stringMatching(/attempt 2 of 5/), expect.stringMatching(/attempt 3 of 5/)]);
  expect(told.join()).not.toContain("s3cr3t");
  expect(connection.traffic.counts()).toEqual({ requests: 3, retries: 2 });
});

test("five tries are the most, and the error says that there were five", async () => {
  const scope = graphql().times(9).reply(503);
  const connection = connected();

  await expect(createReader(connection).query(query, {})).rejects.toThrow(/HTTP 503 \(tried 5 times\)$/);

  expect(connection.traffic.counts().requests).toBe(5);
  expect(scope.isDone()).toBe(false);
});

test("what is busy to the end is an error of its entities, and the rest of the answer counts", async () => {
  const errors = [{ message: "deadlock", path: ["entities", 1], extensions: { code: 503 } }];
  graphql()
    .times(5)
    .reply(200, { data: { entities: [{ urn: "a" }, null] }, errors });

  const { data, errors: left } = await createReader(connected()).query(query, {});

  expect(data).toEqual({ entities: [{ urn: "a" }, null] });
  expect(left).toMatchObject([{ message: "deadlock" }]);
});

test.each([
  ["HTTP 400", () => graphql().reply(400)],
  ["HTTP 401", () => graphql().reply(401)],
  ["HTTP 403", () => graphql().reply(403)],
  ["HTTP 500", () => graphql().reply(500)],
  ["a page of another server", () => graphql().reply(200, "<html></html>", { "content-type": "text/html" })],
  [
    "a certificate that is not trusted",
    () => graphql().replyWithError(networkError("SELF_SIGNED_CERT_IN_CHAIN")),
  ],
  ["ECONNREFUSED, before it has ever answered", () => graphql().replyWithError(networkError("ECONNREFUSED"))],
])("a read that is answered with %s is not sent again", async (_, fail) => {
  const connection = connected();
  fail();
  await expect(createReader(connection).query(query, {})).rejects.toThrow(server);
  expect(connection.traffic.counts()).toEqual({ requests: 1, retries: 0 });
});

test("a server that has answered and is restarted is waited for", async () => {
  const connection = connected();
  nock(server).get("/config").reply(200, { noCode: "true" });
  await checkServer(connection);
  graphql().replyWithError(networkError("ECONNREFUSED"));
  graphql().reply(200, answer);

  expect((await createReader(connection).query(query, {})).data).toEqual({ ok: true });
});

test.each(passing.slice(0, 7))(
  "a write that is answered with %s is not sent again: the catalog must be looked at first",
  async (_, fail) => {
    const connection = connected([], fail === silence ? [false] : []);
    fail();
    await expect(createWriter(connection).mutate(mutation, {})).rejects.toThrow(server);
    expect(connection.traffic.counts().requests).toBe(1);
  },
);

test("`Retry-After` in seconds is honoured", async () => {
  graphql().reply(429, "", { "retry-after": "0" });
  graphql().reply(200, answer);

  expect((await createReader(connected()).query(query, {})).data).toEqual({ ok: true });
});

const outages: readonly (readonly [string, () => nock.Scope])[] = [
  ["refuses connections", () => graphql().replyWithError(networkError("ECONNREFUSED"))],
  ["answers nothing in time", silence],
  ["is replaced by a gateway's HTTP 502", () => graphql().reply(502)],
];

test.each(outages)(
  "while a server %s after all tries of a request, others are sent once, and again once it answers",
  async (_, fail) => {
    const failing = (times: number): readonly boolean[] =>
      Array.from({ length: times }, () => fail !== silence);
    const connection = connected([], [true, ...failing(7), true, ...failing(5)]);
    const reader = createReader(connection);
    graphql().reply(200, answer);
    await reader.query(query, {});
    const sent = async (): Promise<number> => {
      const before = connection.traffic.counts().requests;
      await expect(reader.query(query, {})).rejects.toThrow(server);
      return connection.traffic.counts().requests - before;
    };

    for (let tries = 0; tries < 7; tries += 1) fail();
    expect([await sent(), await sent(), await sent()]).toEqual([5, 1, 1]);

    graphql().reply(200, answer);
    await reader.query(query, {});
    for (let tries = 0; tries < 5; tries += 1) fail();
    expect(await sent()).toBe(5);
  },
);

test("a request that is given up while another one is answered holds back no others", async () => {
  const connection = connected();
  const reader = createReader(connection);
  nock(server).get("/config").reply(200, { noCode: "true" });
  graphql().times(2).reply(502);
  graphql().reply(async () => {
    await checkServer(connection);
    return [502];
  });
  graphql().times(7).reply(502);

  await expect(reader.query(query, {})).rejects.toThrow("tried 5 times");
  await expect(reader.query(query, {})).rejects.toThrow("tried 5 times");
});

test.each([
  ["seconds", "3600"],
  ["a date", new Date(1_700_003_600_000).toUTCString()],
])("a wait of more than a minute, in %s, fails at once, and names the wait", async (_, asked) => {
  vi.useFakeTimers({ toFake: ["Date"], now: 1_700_000_000_000 });
  onTestFinished(() => void vi.useRealTimers());
  graphql().reply(429, "", { "retry-after": asked });
  await expect(createReader(connected()).query(query, {})).rejects.toThrow(
    /HTTP 429; the server asked for a wait of 3600 s, but this tool waits at most 60 s$/,
  );
});

test("an interruption ends the waiting between two tries", async () => {
  const interruption = new AbortController();
  const connection = connectionTo(server, {
    retryDelay: 600_000,
    onRetry: () => interruption.abort(new Error("stop")),
  });
  graphql().reply(503);
  await expect(createReader(connection).query(query, {}, interruption.signal)).rejects.toThrow("stop");
});

test.each([
  ["without a body", ""],
  ["about something else", { value: "urn:li:corpuser:other" }],
  ["of another server", "<html></html>"],
])("a proposal is not taken for written by an answer %s", async (_, body) => {
  nock(server).post("/aspects?action=ingestProposal").reply(200, body);
  const written = createWriter(connected()).aspects.write([
    { urn: urn("urn:li:corpuser:a"), aspect: "corpUserInfo", value: {}, version: "1" },
  ]);
  await expect(written).rejects.toThrow("did not respond like a DataHub server");
});

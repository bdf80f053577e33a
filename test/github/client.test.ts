import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createGithubClient, type GithubClient } from "../../src/github/client.ts";
import { fetchOver } from "../../src/datahub/connection.ts";
import { maxBytes } from "../../src/datahub/http/answer-limits.ts";
import { bot, type FakeGithub, githubToken, startGithub } from "../support/github.ts";

const json = { "content-type": "application/json" };
const asked = { what: "read it", needs: "issues: write" };
const repository = { owner: "acme", repo: "data" };

/** Asks for the issues. */
function issues(client: GithubClient) {
  return client.send(asked, "GET /repos/{owner}/{repo}/issues", {});
}

function pages(client: GithubClient) {
  return client.entries(asked, "GET /repos/{owner}/{repo}/issues", {}, (data) => data);
}

interface Watched {
  readonly client: GithubClient;
  readonly retries: readonly string[];
}

function clientOf(
  { url }: Pick<FakeGithub, "url">,
  signal?: AbortSignal,
  retryDelay = 1,
  fetch = globalThis.fetch,
): Watched {
  const retries: string[] = [];
  const onRetry = (text: string): void => {
    retries.push(text);
  };
  const client = createGithubClient({
    repository,
    api: url,
    token: githubToken,
    fetch,
    signal,
    retryDelay,
    onRetry,
  });
  return { client, retries };
}

/** A server that answers everything with a text. */
async function answering(
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ url: string }> {
  return { url: await serving((response) => response.writeHead(200, headers).end(text)) };
}

async function serving(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_, response) => answer(response));
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each([
  [401, "unauthorized", /set GITHUB_TOKEN/],
  [403, "denied", /`issues: write`/],
  [404, "not-found", /`issues: write`/],
  [422, "http", /HTTP 422/],
])("HTTP %i is %s, and not asked again", async (status, failure, message) => {
  const github = await startGithub();
  const echo = `no ${githubToken}`;
  github.failures.push({ method: "GET", path: /issues/, status, message: echo });
  const answer = issues(clientOf(github).client);
  await expect(answer).rejects.toMatchObject({ failure, message: expect.stringMatching(message) });
  await answer.catch(({ message: text }: Error) => expect(text).not.toContain(githubToken));
  expect(github.requests).toHaveLength(1);
});

test("what is tried again is told, without the token", async () => {
  const github = await startGithub();
  for (const status of [500, 502, 503])
    github.failures.push({ method: "GET", path: /issues/, status, message: githubToken });
  const { client, retries } = clientOf(github);
  await issues(client);
  expect(retries).toHaveLength(3);
  expect(retries.join()).not.toContain(githubToken);
});

test("an answer that is no JSON, or no list, is an error", async () => {
  const { client } = clientOf(await answering("<html>"));
  await expect(issues(client)).rejects.toThrow("cannot read it: GitHub's response is not JSON");
  const { client: other } = clientOf(await answering("17", json));
  await expect(pages(other).next()).rejects.toThrow("is not a list");
});

test("what answers nothing that GitHub answers does not say whose token it is", async () => {
  for (const text of ["17", "[]", '{"data":null}', '{"data":{"viewer":{}}}']) {
    const at = await answering(text, json);
    await expect(clientOf(at).client.login()).rejects.toMatchObject({ failure: "answer" });
  }
  const github = await startGithub();
  expect(await clientOf(github).client.login()).toBe(bot);
  expect(github.requests.map(({ path }) => path)).toEqual(["/graphql"]);
});

test("an answer that breaks off is asked for again, and not taken for the end of a list", async () => {
  let requests = 0;
  const url = await serving((response) => {
    requests += 1;
    response.writeHead(200, { ...json, "content-length": "10" });
    if (requests === 1) response.write("[1,", () => response.destroy());
    else response.end("[1,2,3,45]");
  });
  const { client, retries } = clientOf({ url });
  const entries: unknown[] = [];
  for await (const entry of pages(client)) entries.push(entry);
  expect(entries).toEqual([1, 2, 3, 45]);
  expect(retries).toEqual([expect.stringMatching(/^cannot reach GitHub to read it: /)]);
});

test("a server of one's own is asked for the login beside its REST API, and what it refuses is told", async () => {
  const github = await startGithub();
  const own = clientOf({ url: `${github.url}/api/v3` }).client;
  await expect(own.login()).rejects.toMatchObject({ failure: "not-found" });
  expect(github.requests.map(({ path }) => path)).toEqual(["/api/graphql"]);
  const at = await answering('{"data":null,"errors":[{"message":"not today"}]}', json);
  await expect(clientOf(at).client.login()).rejects.toThrow(
    /^cannot determine the owner of the token: GitHub responded with an error \(.*not today\)$/,
  );
});

test("no more of an answer is read than a connection allows, and it is not asked for again", async () => {
  const { url } = await answering("x".repeat(maxBytes + 1), { "content-type": "application/zip" });
  const archive = "GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}";
  const bounded = fetchOver({ endpoint: { address: "GitHub" } });
  const { client, retries } = clientOf({ url }, undefined, 1, bounded);
  await expect(
    client.download(asked, archive, { artifact_id: 1, archive_format: "zip" }),
  ).rejects.toMatchObject({
    failure: "answer",
    message: "cannot read it: GitHub sent a response of more than 64 MB",
  });
  expect(retries).toEqual([]);
});

test("an interruption ends a request, and the wait before the next try", async () => {
  const github = await startGithub();
  const stopped = clientOf(github, AbortSignal.abort(new Error("stop"))).client;
  await expect(issues(stopped)).rejects.toThrow("stop");
  expect(github.requests).toEqual([]);

  const interruption = new AbortController();
  github.failures.push({ method: "GET", path: /issues/, status: 429, headers: { "retry-after": "60" } });
  const client = createGithubClient({
    repository,
    api: github.url,
    token: githubToken,
    fetch,
    signal: interruption.signal,
    onRetry: () => interruption.abort(new Error("stop")),
  });
  await expect(issues(client)).rejects.toThrow("stop");
  expect(github.requests).toHaveLength(1);
});

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startCatalog } from "../../src/local-catalog/server.ts";
import { temporaryDirectory } from "../support/catalog.ts";
import { type Ran, runCli } from "../support/command-line.ts";

const tls = join(import.meta.dirname, "../support/tls");
const token = "s3cr3t-t0ken";

async function listening(server: Server): Promise<number> {
  await new Promise<void>((started) => server.listen(0, "127.0.0.1", started));
  onTestFinished(() => {
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function serve(answer: RequestListener): Promise<string> {
  const server = createHttpServer({ keepAlive: false }, answer);
  return `http://127.0.0.1:${await listening(server)}`;
}

/** Answers `/config` as a DataHub does, and all else by `graphql`. */
async function serveDatahub(graphql: RequestListener): Promise<string> {
  return serve((request, response) => {
    if (request.url === "/config") response.end('{"noCode":"true"}');
    else graphql(request, response);
  });
}

async function plan(server: string, env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const cwd = temporaryDirectory();
  mkdirSync(join(cwd, "catalog"));
  writeFileSync(join(cwd, "catalog/a.yaml"), "kind: Dataset\nplatform: hive\nname: a\ntags: []\n");
  return runCli(["plan", "--server", server], {
    cwd,
    env: { DATAHUB_GMS_TOKEN: token, ...env },
    columns: 60,
  });
}

function expectError({ code, stdout, stderr }: Ran, message: RegExp): void {
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain(token);
  expect(stderr).not.toMatch(/\n\s+at /);
}

const html: RequestListener = (_, response) => {
  response.setHeader("content-type", "text/html").end(`<html>Sign in ${token}</html>`);
};

test.each<readonly [string, RequestListener, RegExp]>([
  ["answers HTML", html, /did not respond like a DataHub server; check the URL/],
  ["is something else that speaks JSON", (_, response) => response.end('{"status":"ok"}'), /\/api\/gms/],
  ["is empty", (_, response) => response.end(), /did not respond like a DataHub server/],
  [
    "redirects",
    (_, response) => response.writeHead(302, { location: "https://sso.acme.com" }).end(),
    /redirects to a different URL/,
  ],
  ["does not know the path", (_, response) => response.writeHead(404).end(), /is not a DataHub server/],
  ["is broken", (_, response) => response.writeHead(500).end(token), /HTTP 500/],
  ["hangs up", (request) => request.destroy(), /cannot connect/],
])("a server that %s is told from a DataHub", async (_, answer, message) => {
  expectError(await plan(await serve(answer)), message);
});

test.each<readonly [string, RequestListener, RegExp]>([
  [
    "refuses the token",
    (_, response) => response.writeHead(401).end(token),
    /rejected the token.*DATAHUB_GMS_TOKEN/,
  ],
  ["forbids the token", (_, response) => response.writeHead(403).end(token), /denied access to this token/],
  ["answers a read with HTML", html, /did not respond like a DataHub server/],
  ["is out of order", (_, response) => response.writeHead(503).end(), /HTTP 503/],
])("a DataHub that %s is an error", async (_, answer, message) => {
  expectError(await plan(await serveDatahub(answer)), message);
});

test("a certificate that nobody vouches for is refused, and the reason is told", async () => {
  const key = readFileSync(join(tls, "key.pem"));
  const cert = readFileSync(join(tls, "certificate.pem"));
  const server = createHttpsServer({ key, cert }, (_, response) => response.end('{"noCode":"true"}'));
  expectError(await plan(`https://localhost:${await listening(server)}`), /self-signed certificate/);
});

test("http where https belongs is refused, and the reason is told", async () => {
  const server = await serveDatahub((_, response) => response.end("{}"));
  expectError(await plan(server.replace("http:", "https:")), /cannot connect/);
});

test("the local catalog refuses a wrong token", async () => {
  const catalog = await startCatalog({ dataDir: temporaryDirectory(), port: 0, auth: true });
  onTestFinished(() => catalog.close());
  expectError(await plan(catalog.url), /rejected the token/);
});

test("a host that does not exist is named", async () => {
  expectError(await plan("http://no-such-host.invalid:8080"), /no-such-host\.invalid/);
});

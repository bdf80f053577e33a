import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import {
  createServer as createHttpServer,
  type IncomingMessage,
  request as httpRequest,
  type ServerResponse,
} from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, connect, type Server } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import { startTestCatalog, temporaryDirectory } from "../support/catalog.ts";
import { planOf } from "../report/plans.ts";
import { runCli } from "../support/command-line.ts";
import { cli as program } from "../support/dist.ts";
import { startGithub } from "../support/github.ts";
import { planFile } from "../support/plan-file.ts";
import { siteWith } from "../support/site.ts";
import { forward } from "../support/stub-server.ts";

const tls = join(import.meta.dirname, "../support/tls");
const [keyFile, certificateFile] = [join(tls, "key.pem"), join(tls, "certificate.pem")];

async function listening(server: Server): Promise<number> {
  await new Promise<void>((started) => server.listen(0, "127.0.0.1", started));
  onTestFinished(() => {
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A proxy, and what it was asked for: requests without a tunnel, and tunnels. Every host is this machine to it. */
async function startProxy(): Promise<{ readonly url: string; readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const server = createHttpServer((incoming: IncomingMessage, outgoing: ServerResponse) => {
    const url = new URL(incoming.url ?? "");
    asked.push(`${incoming.method} ${url.host}`);
    const { port, pathname, search } = url;
    // The catalog answers only where it is asked by an address of this machine.
    const headers = { ...incoming.headers, host: `127.0.0.1:${port}` };
    const onward = httpRequest(
      { port, path: pathname + search, method: incoming.method, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    incoming.pipe(onward);
  });
  server.on("connect", (incoming, socket) => {
    asked.push(`CONNECT ${incoming.url}`);
    const upstream = connect(Number(incoming.url?.split(":").at(-1)), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      upstream.pipe(socket).pipe(upstream);
    });
    for (const end of [upstream, socket]) end.on("error", () => upstream.destroy());
  });
  return { url: `http://127.0.0.1:${await listening(server)}`, asked };
}

/** A server that speaks TLS in front of another one, and wants a certificate of its clients. */
async function startTls(target: string): Promise<number> {
  const options = { key: readFileSync(keyFile), cert: readFileSync(certificateFile) };
  const clients = { requestCert: true, rejectUnauthorized: true, ca: options.cert };
  const server = createHttpsServer({ ...options, ...clients }, (incoming, outgoing) => {
    const parts: Buffer[] = [];
    incoming.on("data", (part: Buffer) => parts.push(part));
    incoming.on("end", () => void forward(incoming, Buffer.concat(parts), target, outgoing));
  });
  server.on("tlsClientError", () => {});
  return await listening(server);
}

const get = (server: string): readonly string[] => [
  "get",
  "--urn",
  "urn:li:corpuser:datahub",
  "--server",
  server,
];

test.each([
  ["HTTP_PROXY", "http_proxy"],
  ["http_proxy", "HTTP_PROXY"],
])("requests go through the proxy of %s", async (name) => {
  const catalog = await startTestCatalog();
  const { url, asked } = await startProxy();
  const { port } = new URL(catalog.url);
  const env = { [name]: url };

  const ran = await runCli(get(`http://catalog.acme.com:${port}`), { cwd: temporaryDirectory(), env });

  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("corpUserKey") });
  expect([...new Set(asked)]).toEqual([`GET catalog.acme.com:${port}`]);
});

test.each(["HTTP_PROXY", "ALL_PROXY"])("%s may be a host and a port", async (name) => {
  const catalog = await startTestCatalog();
  const { url, asked } = await startProxy();
  const env = { [name]: new URL(url).host };
  const server = `http://catalog.acme.com:${new URL(catalog.url).port}`;
  expect(await runCli(get(server), { cwd: temporaryDirectory(), env })).toMatchObject({ code: 0 });
  expect(asked).not.toEqual([]);
});

test("an address in a range of NO_PROXY is asked without the proxy", async () => {
  const catalog = await startTestCatalog();
  const { url, asked } = await startProxy();
  const env = { HTTP_PROXY: url, NO_PROXY: "127.0.0.0/8" };
  expect(await runCli(get(catalog.url), { cwd: temporaryDirectory(), env })).toMatchObject({ code: 0 });
  expect(asked).toEqual([]);
});

test.each(["http", "https"])(
  "a proxy that wants a password is named, without the one that was given, for %s",
  async (scheme) => {
    const server = createHttpServer((_, response) => void response.writeHead(407).end());
    server.on("connect", (_, socket) => socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"));
    const port = await listening(server);
    const env = { ALL_PROXY: `http://me:s3cr3t@127.0.0.1:${port}` };
    const { code, stderr } = await runCli(get(`${scheme}://catalog.acme.com`), {
      cwd: temporaryDirectory(),
      env,
    });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(
        `the proxy 127.0.0.1:${port} requires a valid user name and password (HTTP 407)`,
      ),
    ]);
    expect(stderr).not.toContain("s3cr3t");
  },
);

test("a proxy that refuses a tunnel is named", async () => {
  const server = createHttpServer();
  server.on("connect", (_, socket) => socket.end("HTTP/1.1 403 Forbidden\r\n\r\n"));
  const port = await listening(server);
  const env = { HTTPS_PROXY: `127.0.0.1:${port}` };
  const { stderr } = await runCli(get("https://catalog.acme.com"), { cwd: temporaryDirectory(), env });
  expect(stderr).toContain(
    `the proxy 127.0.0.1:${port} refused to connect to https://catalog.acme.com (HTTP 403)`,
  );
});

test("http to a server with TLS says so", async () => {
  const catalog = await startTestCatalog();
  const port = await startTls(catalog.url);
  const { code, stderr } = await runCli(get(`http://127.0.0.1:${port}`), { cwd: temporaryDirectory() });
  expect([code, stderr]).toEqual([1, expect.stringContaining("if it uses TLS, try https://")]);
});

test("doctor says what a certificate of an unknown authority needs", async () => {
  const catalog = await startTestCatalog();
  const server = `https://localhost:${await startTls(catalog.url)}`;
  const { stdout } = await runCli(["doctor", "--server", server], { cwd: temporaryDirectory() });
  expect(stdout).toContain("To do: set NODE_EXTRA_CA_CERTS");
});

test("what NO_PROXY names is asked without the proxy", async () => {
  const catalog = await startTestCatalog();
  const { url, asked } = await startProxy();
  const env = { HTTP_PROXY: url, NO_PROXY: "acme.com,127.0.0.1" };

  expect((await runCli(get(catalog.url), { cwd: temporaryDirectory(), env })).code).toBe(0);

  expect(asked).toEqual([]);
});

test("the local catalog is never asked through a proxy", async () => {
  const { url, asked } = await startProxy();
  const options = { cwd: temporaryDirectory(), env: { HTTP_PROXY: url } };

  expect((await runCli(["get", "--urn", "urn:li:corpuser:datahub", "--local"], options)).code).toBe(0);

  expect(asked).toEqual([]);
});

test.each([
  [{ HTTPS_PROXY: "proxy.acme.com:3128 s3cr3t" }, /HTTPS_PROXY is not a proxy URL/],
  [{ HTTP_PROXY: "socks5://me:s3cr3t@proxy" }, /HTTP_PROXY is set to a SOCKS proxy, which is not supported/],
  [{ ALL_PROXY: "socks5h://me:s3cr3t@proxy" }, /ALL_PROXY is set to a SOCKS proxy, which is not supported/],
  [
    { DATAHUB_CLIENT_CERT_PATH: "/nowhere/s.pem" },
    /needs both DATAHUB_CLIENT_CERT_PATH and DATAHUB_CLIENT_KEY/,
  ],
])("an environment with %j is wrong usage, and no password is shown", async (env, message) => {
  const ran = await runCli(get("https://catalog.acme.com"), { cwd: temporaryDirectory(), env });
  expect(ran).toMatchObject({ code: 64, stdout: "", stderr: expect.stringMatching(message) });
  expect(ran.stderr).not.toContain("s3cr3t");
});

test("a client certificate that cannot be read is an error that names the file", async () => {
  const env = { DATAHUB_CLIENT_CERT_PATH: "/nowhere/c.pem", DATAHUB_CLIENT_KEY_PATH: keyFile };
  const ran = await runCli(get("https://catalog.acme.com"), { cwd: temporaryDirectory(), env });
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("/nowhere/c.pem") });
});

test("a proxy that does not answer is an error, not a way around it", async () => {
  const catalog = await startTestCatalog();
  const env = { HTTP_PROXY: "http://me:s3cr3t@127.0.0.1:1" };
  const ran = await runCli(get(catalog.url), { cwd: temporaryDirectory(), env });
  expect(ran).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("cannot connect") });
  expect(ran.stderr).not.toContain("s3cr3t");
  expect(catalog.requests).toEqual([]);
});

test("GitHub is asked through the proxy, too", async () => {
  const github = await startGithub();
  const { url, asked } = await startProxy();
  const host = `api.github.example:${new URL(github.url).port}`;
  const env = { ...github.env, GITHUB_API_URL: `http://${host}`, HTTP_PROXY: url };
  const argv = ["github", "drift-issue", "drift.json"];
  const ran = await runCli(argv, { cwd: planFile(planOf(), "drift.json"), env });
  expect(ran).toMatchObject({ code: 0, stderr: "No drift, and no open issue\n" });
  expect(asked).toEqual([`POST ${host}`, `GET ${host}`]);
});

test("a server that is not on this machine and does not encrypt is warned of once", async () => {
  const catalog = await startTestCatalog();
  const { url } = await startProxy();
  const server = `http://catalog.acme.com:${new URL(catalog.url).port}`;
  const options = { cwd: temporaryDirectory(), env: { HTTP_PROXY: url, DATAHUB_GMS_TOKEN: "s3cr3t" } };

  const { stderr } = await runCli(get(server), options);

  expect(stderr).toBe(`warning: the connection to ${server} is not encrypted; use https\n`);
  expect((await runCli(get(catalog.url), { ...options, env: {} })).stderr).toBe("");
});

test("doctor warns of a host whose name only begins like this machine's", async () => {
  const catalog = await startTestCatalog();
  const { url } = await startProxy();
  const server = `http://localhost.acme.com:${new URL(catalog.url).port}`;
  const { root } = await siteWith({ "tags.yaml": "kind: Tag\nid: pii\n" });

  const { stdout } = await runCli(["doctor", "--server", server], { cwd: root, env: { HTTP_PROXY: url } });

  expect(stdout).toContain(`the connection to ${server} is not encrypted`);
});

/** Runs the program as a process of its own: Node reads `NODE_EXTRA_CA_CERTS` when it starts. */
async function spawned(server: string, env: Readonly<Record<string, string>>) {
  const run = promisify(execFile)(process.execPath, [program, ...get(server)], {
    cwd: temporaryDirectory(),
    env: { PATH: process.env["PATH"], HOME: "/nonexistent", ...env },
  });
  return await run.then(
    ({ stdout }) => ({ code: 0, stdout, stderr: "" }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

test("a server whose authority NODE_EXTRA_CA_CERTS names gets DataHub's certificate through a tunnel of HTTPS_PROXY, and another one is not asked", async () => {
  const catalog = await startTestCatalog();
  const port = await startTls(catalog.url);
  const { url, asked } = await startProxy();
  const server = `https://localhost:${port}`;
  const own = { DATAHUB_CLIENT_CERT_PATH: certificateFile, DATAHUB_CLIENT_KEY_PATH: keyFile };

  const unknown = await runCli(get(server), { cwd: temporaryDirectory(), env: own });
  const tunnelled = await spawned(server, {
    ...own,
    NODE_EXTRA_CA_CERTS: certificateFile,
    HTTPS_PROXY: url,
  });
  // A process would wait between its tries.
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  const codes = [{}, own].map(async (env) => {
    const { code } = await runCli(get(server), { cwd: temporaryDirectory(), env });
    return code;
  });

  expect(await Promise.all(codes)).toEqual([1, 0]);
  expect(unknown).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/cannot connect.*self-signed.*; set NODE_EXTRA_CA_CERTS/),
  });
  expect(tunnelled).toMatchObject({ code: 0, stdout: expect.stringContaining("corpUserKey") });
  expect([...new Set(asked)]).toEqual([`CONNECT localhost:${port}`]);
});

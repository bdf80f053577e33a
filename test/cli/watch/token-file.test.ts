import { rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../../support/catalog.ts";
import { runCli } from "../../support/command-line.ts";
import { tag } from "../../support/history.ts";
import { forward } from "../../support/stub-server.ts";
import { type Site, siteWith } from "../../support/site.ts";
import { startWatch } from "../../support/watching.ts";

/** A server that takes one token, which changes, and the file of the token that a client has. */
async function rotating(site: Site): Promise<{
  readonly server: string;
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
  readonly seen: readonly (string | undefined)[];
  readonly take: (token: string) => void;
  /** Has each request told of before it is judged. */
  readonly onRequest: (listener: (path: string) => void) => void;
}> {
  const file = join(temporaryDirectory(), "token");
  writeFileSync(file, "t0ken-1\n");
  let taken = "t0ken-1";
  const seen: (string | undefined)[] = [];
  let listener = (_: string): void => {};
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      listener(incoming.url ?? "");
      const given = incoming.headers.authorization;
      seen.push(given);
      if (given !== `Bearer ${taken}`) outgoing.writeHead(401).end("{}");
      else void forward(incoming, Buffer.concat(chunks), site.catalog.url, outgoing);
    });
  });
  await new Promise<void>((listens) => server.listen(0, "127.0.0.1", listens));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    server: url,
    file,
    env: { DATAHUB_GMS_TOKEN_FILE: file },
    seen,
    take: (token) => void (taken = token),
    onRequest: (next) => void (listener = next),
  };
}

const made = (): Promise<Site> => siteWith({ "a.yaml": tag("a", "one") });

test("a token that is replaced in the middle of an apply is read again after HTTP 401, and nothing is lost", async () => {
  const site = await made();
  const rotation = await rotating(site);
  const rotate = (): void => {
    rotation.take("t0ken-2");
    writeFileSync(rotation.file, "t0ken-2\n");
  };
  let isRotated = false;
  rotation.onRequest((path) => {
    if (isRotated || !path.includes("ingestProposal")) return;
    isRotated = true;
    rotate();
  });
  const { code, stdout } = await runCli(["apply", "--auto-approve", "--server", rotation.server], {
    cwd: site.root,
    env: rotation.env,
  });
  expect([code, stdout]).toEqual([0, expect.stringContaining(" 0 failed, 0 skipped.")]);
  expect(new Set(rotation.seen)).toEqual(new Set(["Bearer t0ken-1", "Bearer t0ken-2"]));
});

test("a token that is refused is sent again only where the file has another one, and the message names the file", async () => {
  const site = await made();
  const { server, env, seen, take } = await rotating(site);
  take("t0ken-2");
  const { code, stderr } = await runCli(["plan", "--server", server], { cwd: site.root, env });
  expect([code, stderr]).toEqual([1, expect.stringContaining("DATAHUB_GMS_TOKEN_FILE")]);
  expect(new Set(seen)).toEqual(new Set(["Bearer t0ken-1"]));
});

test("each round of a watch reads the token anew, and two rounds with a refused one end its health", async () => {
  const site = await made();
  const { server, file, env, take } = await rotating(site);
  const { round, get } = await startWatch(site, [], { server, env });
  expect(await round()).toMatchObject({ exitCode: 2 });
  take("t0ken-2");
  expect(await round()).toMatchObject({ exitCode: 1 });
  expect((await get("/healthz")).status).toBe(200);
  expect(await round()).toMatchObject({ exitCode: 1 });
  expect(await get("/healthz")).toEqual({
    status: 503,
    text: "the server rejected the token in two rounds\n",
  });
  writeFileSync(file, "t0ken-2");
  expect(await round()).toMatchObject({ exitCode: 2 });
  expect((await get("/healthz")).status).toBe(200);
});

test("a file that is missing or empty is an error that names it, and DATAHUB_GMS_TOKEN goes first", async () => {
  const site = await made();
  const { server, file, env } = await rotating(site);
  const plan = (more: object = {}): ReturnType<typeof runCli> =>
    runCli(["plan", "--server", server], { cwd: site.root, env: { ...env, ...more } });
  writeFileSync(file, "\n");
  expect(await plan()).toMatchObject({
    stderr: expect.stringContaining(`${file} (set in DATAHUB_GMS_TOKEN_FILE): it is empty`),
  });
  rmSync(file);
  const missing = await plan();
  expect(missing.code).not.toBe(0);
  expect(missing.stderr).toContain(`cannot read the token file ${file}`);
  expect(await plan({ DATAHUB_GMS_TOKEN: "t0ken-1" })).toMatchObject({ code: 0 });
});

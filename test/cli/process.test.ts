import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../support/catalog.ts";
import { cli } from "../support/dist.ts";
import { startStub } from "../support/stub-server.ts";
import { capture, runCli } from "../support/command-line.ts";

const run = promisify(execFile);

// It takes all domains away.
const applying = [cli, "apply", "--auto-approve", "--max-removals", "500", "--max-removals", "100%"];

function repositoryOf(datasets: number): string {
  const cwd = temporaryDirectory();
  mkdirSync(join(cwd, "catalog"));
  for (let index = 0; index < datasets; index += 1) {
    const text = `kind: Dataset\nplatform: snowflake\nname: d${index}\ndomain: none\n`;
    writeFileSync(join(cwd, "catalog", `d${index}.yaml`), text);
  }
  return cwd;
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function ended(child: ChildProcess): Promise<Ended> {
  const texts = { stdout: "", stderr: "" };
  child.stdout?.on("data", (chunk: Buffer) => (texts.stdout += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (texts.stderr += chunk.toString()));
  return new Promise((resolve) => {
    child.on("close", (code) => resolve({ code, ...texts }));
  });
}

// Has a process write to stderr when it gets a SIGINT, just before it deals with it.
const telling = ["--import", `data:text/javascript,process.on("SIGINT",()=>process.stderr.write("SIGINT"))`];

/** Interrupts a process that is `telling`, and waits until it has got the signal. */
async function interrupted(child: ChildProcess): Promise<void> {
  const told = new Promise<void>((resolve) => {
    child.stderr?.on("data", (chunk: Buffer) => {
      if (chunk.includes("SIGINT")) resolve();
    });
  });
  child.kill("SIGINT");
  await told;
}

/** A DataHub in which every dataset is in a domain, and whose writes wait until they are let go. */
async function startSlowWriter(): Promise<{
  readonly url: string;
  readonly writing: Promise<void>;
  letGo(): void;
}> {
  let started = (): void => {};
  let letGo = (): void => {};
  const writing = new Promise<void>((resolve) => (started = resolve));
  const released = new Promise<void>((resolve) => (letGo = resolve));
  const server = await startStub(async ({ query, variables }) => {
    // Who put a value there is asked without GraphQL.
    if (query === "") return [];
    if (query.startsWith("query")) {
      const urns = variables["urns"] as readonly string[];
      const payload = JSON.stringify({ domains: ["urn:li:domain:d"] });
      const aspects = [{ aspectName: "domains", payload }];
      return {
        data: { entities: urns.map((urn) => ({ urn, __typename: "Dataset", exists: true, aspects })) },
      };
    }
    started();
    await released;
    return { data: Object.fromEntries(Object.keys(variables).map((name) => [name.split("_")[0], true])) };
  });
  onTestFinished(() => server.close());
  return { url: server.url, writing, letGo };
}

test("at the first Ctrl-C an apply awaits what is in flight, sends nothing new, and reports: 130", async () => {
  const server = await startSlowWriter();
  const argv = [...applying, "--format", "json", "--concurrency", "2", "--server", server.url];
  const child = spawn(process.execPath, [...telling, ...argv], { cwd: repositoryOf(120) });
  const result = ended(child);
  await server.writing;
  await interrupted(child);
  server.letGo();
  const { code, stdout } = await result;
  expect(code).toBe(130);
  const report = JSON.parse(stdout) as {
    readonly summary: Readonly<Record<string, number>>;
    readonly outcomes: readonly { readonly status: string; readonly because?: string }[];
  };
  expect(report.summary).toEqual({ applied: 100, failed: 0, skipped: 20, stale: 0 });
  expect(report.outcomes.at(-1)).toMatchObject({ status: "skipped", because: "interrupted" });
});

test("the second Ctrl-C ends at once", async () => {
  const server = await startSlowWriter();
  const argv = [...applying, "--server", server.url];
  const child = spawn(process.execPath, [...telling, ...argv], { cwd: repositoryOf(1) });
  const result = ended(child);
  await server.writing;
  await interrupted(child);
  child.kill("SIGINT");
  expect((await result).code).toBe(130);
});

test("a reader that has seen enough is no error", async () => {
  const script = `"$0" "$1" schema | head -n 1; echo "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = await run("bash", ["-c", script, process.execPath, cli]);
  expect({ stdout, stderr }).toEqual({ stdout: "{\n0\n", stderr: "" });
});

test("serve names its address first and the token's file next, never the token, and ends with 0 when asked to", async () => {
  const cwd = temporaryDirectory();
  const child = spawn(process.execPath, [cli, "serve", "--port", "0"], { cwd });
  const result = ended(child);
  await new Promise<void>((resolve) => child.stdout.on("data", () => resolve()));
  child.kill("SIGTERM");
  const { code, stdout, stderr } = await result;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(
    /^Catalog listening on http:\/\/127\.0\.0\.1:\d+\nexport DATAHUB_GMS_TOKEN="\$\(cat \.datahub-gitops\/catalog\/token\)"\n$/,
  );
});

test("serve with the token of the environment names no file, because it makes none", async () => {
  const listening = new AbortController();
  const kept = capture(80);
  const write = (text: string): void => {
    kept.write(text);
    listening.abort();
  };
  await runCli(["serve", "--port", "0"], {
    cwd: temporaryDirectory(),
    env: { DATAHUB_GMS_TOKEN: "s3cr3t-t0ken" },
    stdout: { ...kept, write },
    interrupted: listening.signal,
  });
  expect(kept.text()).toMatch(/^Catalog listening on \S+\nThe token is the value of DATAHUB_GMS_TOKEN\n$/);
});

test("without a terminal apply ends at once instead of waiting for an answer", async () => {
  const child = spawn(process.execPath, [cli, "apply", "--server", "http://127.0.0.1:1"], {
    cwd: repositoryOf(1),
    stdio: ["ignore", "pipe", "pipe"],
  });
  expect(await ended(child)).toMatchObject({ code: 64, stderr: expect.stringContaining("--auto-approve") });
});

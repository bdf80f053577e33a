import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { metadataFile, startTestCatalog, temporaryDirectory, type TestCatalog } from "../support/catalog.ts";

const root = join(import.meta.dirname, "../..");

/** A catalog of somebody else. */
async function catalogOfOthers(): Promise<TestCatalog> {
  const catalog = await startTestCatalog({ lag: 1 });
  const dataset = "urn:li:dataset:(urn:li:dataPlatform:file,gitops-acceptance-notes,PROD)";
  await catalog.load(
    metadataFile(temporaryDirectory(), [
      ["urn:li:tag:pii", "tagProperties", { name: "PII" }],
      [dataset, "globalTags", { tags: [{ tag: "urn:li:tag:pii" }] }],
      [dataset, "status", { removed: false }],
    ]),
  );
  return catalog;
}

/** Starts the acceptance against a catalog; without one it starts its own. */
function started(url: string | undefined, ...args: readonly string[]): ChildProcess {
  const { DATAHUB_GMS_URL: _, DATAHUB_GMS_TOKEN: _token, ...env } = process.env;
  const child = spawn(process.execPath, ["test/acceptance/run.mjs", ...args], {
    cwd: root,
    env: { ...env, ...(url !== undefined && { DATAHUB_GMS_URL: url }) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function endOf(child: ChildProcess): Promise<Ended> {
  const [stdout, stderr] = [textOf(child, "stdout"), textOf(child, "stderr")];
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout: stdout(), stderr: stderr() };
}

function textOf(child: ChildProcess, stream: "stdout" | "stderr"): () => string {
  let text = "";
  child[stream]?.on("data", (part: Buffer) => (text += part.toString()));
  return () => text;
}

/** Waits until the acceptance has made definitions. */
async function untilMade(catalog: TestCatalog): Promise<void> {
  while (!catalog.aspects().some(({ urn }) => urn.includes(".definitions.main"))) {
    await new Promise((later) => setTimeout(later, 50));
  }
}

test("everything passes against the local catalog that the acceptance starts", async () => {
  const { code, stdout, stderr } = await endOf(started(undefined));
  expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
  expect(stdout).toMatch(/\n\d{2,} passed, 0 failed\n$/);
});

test("everything passes after a run that was killed, what that left is gone, and others' is as it was", async () => {
  const catalog = await catalogOfOthers();
  const before = catalog.aspects();
  const killed = started(catalog.url);
  const ended = once(killed, "close");
  await untilMade(catalog);
  killed.kill("SIGKILL");
  await ended;
  expect(catalog.aspects().length).toBeGreaterThan(before.length);
  for (const isFirst of [true, false]) {
    const { code, stdout, stderr } = await endOf(started(catalog.url));
    expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
    expect(stderr.includes("that earlier runs left")).toBe(isFirst);
    expect(catalog.aspects()).toEqual(before);
  }
});

test("Ctrl-C ends the acceptance, which takes away what it made", async () => {
  const catalog = await catalogOfOthers();
  const before = catalog.aspects();
  const running = started(catalog.url);
  const ended = endOf(running);
  await untilMade(catalog);
  running.kill("SIGINT");
  expect(await ended).toMatchObject({ code: 130 });
  expect(catalog.aspects()).toEqual(before);
});

import { expect, test } from "vitest";
import type { Output } from "../../src/cli/io.ts";
import { type MadeAspect, metadataFile, startTestCatalog, temporaryDirectory } from "../support/catalog.ts";
import { capture, type Ran, runCli } from "../support/command-line.ts";
import { datasetNamed } from "../support/states.ts";

/** What a progress line said, one after the other: how much was done, of how much. */
function saidIn(stderr: string, label: string): readonly (readonly [number, number])[] {
  const lines = stderr.matchAll(new RegExp(`${label} [█░]+ (\\d+)/(\\d+)`, "g"));
  return [...lines].map(([, done, total]) => [Number(done), Number(total)]);
}

/** A terminal that tells what was written to it so far. */
function terminal(onWrite: (text: string) => void = () => {}): Output & { text(): string } {
  const kept = capture(80);
  const write = (text: string): void => {
    kept.write(text);
    onWrite(kept.text());
  };
  return { ...kept, write, isTTY: true };
}

/** More than is loaded at once. */
const loaded = 1010;

/** More than is read at once. */
const many = 110;

function worldFile(datasets = many): string {
  return metadataFile(temporaryDirectory(), [
    ["urn:li:tag:pii", "tagProperties", { name: "pii" }],
    ["urn:li:chart:(looker,1)", "status", { removed: false }],
    ["urn:li:corpGroup:fin", "corpGroupInfo", { admins: [], members: [], groups: [] }],
    ...Array.from({ length: datasets }, (_, index): MadeAspect => {
      return [datasetNamed(`d${index}`), "globalTags", { tags: [{ tag: "urn:li:tag:pii" }] }];
    }),
  ]);
}

test("export shows on a terminal how much of all is read, from the first page on, and clears it", async () => {
  const catalog = await startTestCatalog();
  await catalog.load(worldFile());
  const stderr = terminal();
  const cwd = temporaryDirectory();
  const { code } = await runCli(["export", "--server", catalog.url], { cwd, stderr });
  expect(code).toBe(0);
  const said = saidIn(stderr.text(), "Exporting");
  const totals = new Set(said.map(([, total]) => total));
  expect(totals.size).toBe(1);
  expect(said.length).toBeGreaterThan(2);
  expect(said.at(-1)).toEqual([...totals, ...totals]);
  expect(said.map(([done]) => done)).toEqual(said.map(([done]) => done).toSorted((a, b) => a - b));
  expect(stderr.text().split(`${"█".repeat(20)} `)[1]).toContain("\r\u001B[K");
});

test("list shows the same, before what it lists, and coverage", async () => {
  const catalog = await startTestCatalog();
  await catalog.load(worldFile());
  for (const command of ["list", "coverage"]) {
    const [stdout, stderr] = [capture(80), terminal()];
    const cwd = temporaryDirectory();
    const argv = [command, "--format", "csv", "--server", catalog.url];
    const { code } = await runCli(argv, { cwd, stdout: { ...stdout, isTTY: true }, stderr });
    expect(code).toBe(0);
    const said = saidIn(stderr.text(), "Reading");
    expect(said.length).toBeGreaterThan(1);
    const [done, total] = said.at(-1) ?? [];
    expect(done).toBe(total);
    expect(stderr.text().endsWith("\r\u001B[K")).toBe(true);
  }
});

test("a pipe gets no progress, and the index is not asked how much there is", async () => {
  const catalog = await startTestCatalog();
  await catalog.load(worldFile(3));
  const piped = await runCli(["export", "--server", catalog.url], { cwd: temporaryDirectory() });
  expect(piped.stderr).not.toContain("Exporting");
  expect(JSON.stringify(catalog.requests)).not.toContain('"count":1,');
});

/** Loads a file into a local catalog that ends as soon as it listens. */
async function loading(isTerminal: boolean, datasets: number): Promise<Ran> {
  const listening = new AbortController();
  const [stdout, stderr] = [
    capture(80),
    terminal((text) => {
      if (text.includes("Loaded ")) listening.abort();
    }),
  ];
  const options = {
    cwd: temporaryDirectory(),
    stdout,
    stderr: { ...stderr, isTTY: isTerminal },
    interrupted: listening.signal,
  };
  const argv = ["serve", "--port", "0", "--no-auth", "--load", worldFile(datasets)];
  const { code } = await runCli(argv, options);
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

test("serve --load shows on a terminal how much of a file is loaded, and nothing in a pipe", async () => {
  const { stderr } = await loading(true, loaded);
  const total = loaded + 3;
  expect(saidIn(stderr, "Loading")).toEqual([
    [0, total],
    [1000, total],
  ]);
  expect((await loading(false, 3)).stderr).toMatch(/^Loaded \S+: \d+ aspects written/);
});

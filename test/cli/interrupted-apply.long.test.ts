import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cli } from "../support/dist.ts";
import type { Site } from "../support/site.ts";
import { type Point, startInterruptingProxy } from "../support/interrupting-proxy.ts";
import { type ReportJson, valuesAfter, valuesIn } from "../support/stored-values.ts";
import { siteToChange, toRemove } from "../support/site-to-change.ts";
import { runsOf } from "../support/runs.ts";

const points = runsOf(1);
const numbered = Array.from({ length: points }, (_, index) => index);

/** What an apply does that nobody interrupts. */
interface ExpandedState {
  readonly requests: number;
  /** What is there then. */
  readonly desired: readonly string[];
}

async function applyWhole(): Promise<ExpandedState> {
  const site = await siteToChange(30);
  const before = valuesIn(site.catalog.aspects());
  const { code, stdout } = await site.apply(...toRemove, "--format", "json");
  expect(code).toBe(0);
  const requests = site.catalog.requests.length;
  const desired = valuesIn(site.catalog.aspects());
  expect(valuesAfter(before, JSON.parse(stdout) as ReportJson)).toEqual(desired);
  return { requests, desired };
}

let whole: Promise<ExpandedState> | undefined;

/** What is the same for all tests: it is found out once. */
function uninterrupted(): Promise<ExpandedState> {
  whole ??= applyWhole();
  return whole;
}

/** One of the points, which lie evenly before and after all the requests. */
function pointAt(index: number, { requests }: ExpandedState): Point {
  const place = Math.floor(((index + 0.5) / points) * requests * 2);
  return { request: Math.floor(place / 2), isAnswered: place % 2 === 1 };
}

interface Interrupted {
  readonly code: number | null;
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** The report that it left, or why there is none. */
  readonly report: ReportJson | { readonly error: unknown } | undefined;
}

// Writes to stderr when the process gets the signal, just before it deals with it.
const telling = ["--import", `data:text/javascript,process.on("SIGINT",()=>process.stderr.write("SIGINT"))`];

/** Applies in a process of its own, and sends it a signal at one of the points. */
async function interruptedAt(index: number, signal: "SIGINT" | "SIGKILL", site: Site): Promise<Interrupted> {
  const point = pointAt(index, await uninterrupted());
  const before = valuesIn(site.catalog.aspects());
  let child: ChildProcess | undefined = undefined;
  const server = await startInterruptingProxy(site.catalog.url, point, () => signalled(child, signal));
  const argv = [
    ...telling,
    cli,
    "apply",
    "--auto-approve",
    ...toRemove,
    "--report",
    "r.json",
    "--server",
    server,
  ];
  child = spawn(process.execPath, argv, { cwd: site.root, stdio: ["ignore", "ignore", "pipe"] });
  const code = await new Promise<number | null>((ended) => child?.on("close", ended));
  const file = join(site.root, "r.json");
  const report = existsSync(file)
    ? (JSON.parse(readFileSync(file, "utf8")) as Interrupted["report"])
    : undefined;
  return { code, before, after: valuesIn(site.catalog.aspects()), report };
}

/** Sends a signal, and waits until it has come. Answers whether the process goes on. */
async function signalled(child: ChildProcess | undefined, signal: "SIGINT" | "SIGKILL"): Promise<boolean> {
  const come = new Promise<void>((done) => {
    if (signal === "SIGKILL") child?.on("exit", () => done());
    else
      child?.stderr?.on("data", (chunk: Buffer) => {
        if (chunk.includes("SIGINT")) done();
      });
  });
  child?.kill(signal);
  await come;
  return signal !== "SIGKILL";
}

/** A second apply makes everything as it is declared, and the ref names what was applied. */
async function expectToConverge(site: Site): Promise<void> {
  expect(await site.apply(...toRemove)).toMatchObject({ code: 0 });
  const { desired } = await uninterrupted();
  expect(valuesIn(site.catalog.aspects())).toEqual(desired);
  expect(site.at()).toBe(site.git("rev-parse", "HEAD"));
}

describe(`an apply that is interrupted at ${points} points`, () => {
  test.each(numbered)("by Ctrl-C tells the truth, and the next one does the rest (%i)", async (index) => {
    const site = await siteToChange(30);
    const { code, before, after, report } = await interruptedAt(index, "SIGINT", site);

    expect(code).toBe(130);
    if (report && "outcomes" in report) {
      expect(report.run.exitCode).toBe(130);
      expect(report.outcomes.map(({ status }) => status)).not.toContain("failed");
      expect(after).toEqual(valuesAfter(before, report));
    } else {
      expect(report).toMatchObject({ error: { code: "interrupted" } });
      expect(after).toEqual(before);
    }
    expect(site.at()).toBeUndefined();
    await expectToConverge(site);
  });

  test.each(numbered)("by kill -9 leaves no report, and the next one does the rest (%i)", async (index) => {
    const site = await siteToChange(30);
    const { code, report } = await interruptedAt(index, "SIGKILL", site);

    expect({ code, report }).toEqual({ code: null, report: undefined });
    expect(site.at()).toBeUndefined();
    await expectToConverge(site);
  });
});

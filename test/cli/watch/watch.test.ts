import { createTally } from "../../../src/cli/watch/tally.ts";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type AddressInfo, connect, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { metadataFile, temporaryDirectory } from "../../support/catalog.ts";
import { runCli } from "../../support/command-line.ts";
import { tag } from "../../support/history.ts";
import { inFrontOf } from "../../support/in-front-of.ts";
import {
  appliedRef,
  runNote,
  settingsWith,
  type Site,
  siteOnce,
  siteWith,
  writesIn,
} from "../../support/site.ts";
import { roundsIn, samplesIn, startWatch } from "../../support/watching.ts";

async function makeSiteInSync(): Promise<Site> {
  const site = await siteWith({ "a.yaml": tag("a", "one"), "b.yaml": tag("b", "two") });
  const live = Object.entries({ a: "one", b: "two" }).map(
    ([id, description]) => [`urn:li:tag:${id}`, "tagProperties", { name: id, description }] as const,
  );
  await site.catalog.load(metadataFile(temporaryDirectory(), live));
  site.git("update-ref", appliedRef, "HEAD");
  return site;
}

/** A site in sync with its manifests. */
const siteInSync = siteOnce(makeSiteInSync);

const describe = (site: Site, id: string, text: string): Promise<void> =>
  site.edit(`updateDescription(input: { resourceUrn: "urn:li:tag:${id}", description: "${text}" })`);

const idle = { at: "1970-01-01T00:00:00.000Z", exitCode: 0, differs: 0, applied: 0, held: 0 };

test("rounds see what others change and change back, write nothing, and are all in the metrics", async () => {
  const site = await siteInSync();
  const { round, get, stop } = await startWatch(site);
  const edits = [
    ["a", "theirs"],
    ["a", "one"],
  ] as const;
  const rounds = [await round()];
  for (const [id, text] of edits) {
    await describe(site, id, text);
    rounds.push(await round());
  }

  expect(rounds.map(({ round: number }) => number)).toEqual([1, 2, 3]);
  expect(rounds.map(({ differs }) => differs)).toEqual([0, 1, 0]);
  expect(rounds.map(({ exitCode }) => exitCode)).toEqual([0, 2, 0]);
  expect(roundsIn((await get("/metrics")).text)).toEqual({ "0": 2, "2": 1 });
  expect(writesIn(site.catalog)).toEqual(
    edits.map(() => expect.stringContaining("updateDescription") as string),
  );
  expect(await stop()).toMatchObject({
    code: 130,
    stderr: expect.stringMatching(/^Interrupted\.$/m) as string,
  });
});

test("rounds that correct write what differs as apply does, and name the run that is kept of them", async () => {
  const site = await siteInSync();
  const { round, get } = await startWatch(site, ["--mode", "correct"]);
  expect(await round()).toEqual({ formatVersion: "1", round: 1, ...idle });

  await describe(site, "a", "theirs");
  const corrected = await round();
  const commit = site.commit({ "catalog/c.yaml": tag("c") });
  const declared = await round();

  const newest = site.git("rev-parse", "--short", "refs/datahub-gitops/runs");
  expect(corrected).toMatchObject({ exitCode: 0, differs: 1, applied: 1, held: 0 });
  expect(declared).toMatchObject({ exitCode: 0, applied: 1, run: newest });
  expect(site.aspect("urn:li:tag:a", "tagProperties")).toMatchObject({ description: "one" });
  expect(site.aspect("urn:li:tag:c", "tagProperties")).toMatchObject({ name: "c" });
  expect(site.at()).toBe(commit);
  const { stdout } = await runCli(["runs", "list", "--format", "json"], { cwd: site.root });
  const { runs } = JSON.parse(stdout) as { runs: readonly { id: string }[] };
  expect(runs.slice(0, 2).map(({ id }) => id)).toEqual([declared.run, corrected.run]);
  expect(samplesIn((await get("/metrics")).text)).toMatchObject({
    datahub_gitops_watch_applied_total: 2,
    'datahub_gitops_watch_rounds_total{exit_code="0"}': 3,
  });
});

test("a round that corrects counts what it holds back, and ends as apply does", async () => {
  const site = await siteWith({ "a.yaml": tag("a", "one") }, settingsWith("manage: { description: merge }"));
  const theirs = [["urn:li:tag:a", "tagProperties", { name: "a", description: "theirs" }]] as const;
  await site.catalog.load(metadataFile(temporaryDirectory(), theirs));
  site.git("update-ref", appliedRef, "HEAD");
  site.commit({ "catalog/a.yaml": tag("a", "ours") });
  const { round } = await startWatch(site, ["--mode", "correct"]);

  expect(await round()).toMatchObject({ exitCode: 6, differs: 1, applied: 0, held: 1 });
});

test("of a plan that a guard blocks all is held back", async () => {
  const site = await siteInSync();
  site.commit({ "catalog/datahub-gitops.yaml": settingsWith("guards: { removals: { max_count: 0 } }") });
  site.commit({ "catalog/a.yaml": "kind: Tag\nid: a\ndescription: none\n" });
  const { round } = await startWatch(site, ["--mode", "correct"]);

  const { exitCode, differs, held } = await round();

  expect({ exitCode, differs, held }).toEqual({ exitCode: 5, differs: 1, held: 1 });
});

test("as text each round is a line, and --verbose prints to stderr what the command prints", async () => {
  const site = await siteInSync();
  await describe(site, "a", "theirs");
  const argv = ["watch", "--mode", "correct", "--every", "0s", "--rounds", "2", "--no-listen"];

  const { code, stdout, stderr } = await site.run([...argv, "--verbose"]);

  const [, id = ""] = /as run (\w+);/.exec(runNote(site)) ?? [];
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout:
      `round 1  1970-01-01T00:00:00.000Z  exit 0  1 differs, 1 applied  run ${id}\n` +
      "round 2  1970-01-01T00:00:00.000Z  exit 0  0 differ\n",
  });
  expect(stderr).toContain("~ Tag urn:li:tag:a\n");
  expect(stderr).toContain("Applied 1 operation, 0 failed, 0 skipped.\n");
});

test("a round that fails is told, and followed by the next; the exit code is the worst that was not drift", async () => {
  const site = await siteInSync();
  await describe(site, "a", "theirs");
  let asked = 0;
  const server = await inFrontOf(site.catalog.url, (_, response) => {
    asked += 1;
    if (asked !== 1) return undefined;
    response.statusCode = 401;
    return {};
  });
  const argv = ["watch", "--every", "0s", "--rounds", "2", "--no-listen", "--server", server];

  const { code, stdout, stderr } = await runCli(argv, { cwd: site.root });

  expect(code).toBe(1);
  const [failed, next] = stdout.split("\n");
  expect(failed).toMatch(/^round 1 {2}\S+ {2}exit 1 {2}.*token/);
  expect(next).toMatch(/^round 2 {2}\S+ {2}exit 2 {2}1 differs$/);
  expect(stderr).toMatch(/^error: .*token/);
});

test("a round whose plan is refused says why, and one without a plan has no numbers in the metrics", async () => {
  const site = await siteInSync();
  site.write({ "catalog/d.yaml": "kind: Dataset\nplatform: snowflake\nname: none\ntags: [a]\n" });
  const argv = ["watch", "--format", "json", "--rounds", "1", "--no-listen", "--server", site.catalog.url];
  const { stdout } = await site.run(argv);
  expect(JSON.parse(stdout)).toMatchObject({
    exitCode: 3,
    error: { code: "problems", message: expect.stringMatching(/^catalog\/d\.yaml:3: .*does not exist/) },
  });

  const tally = createTally(0);
  const round = { round: 1, at: "", exitCode: 1, differs: 0, applied: 0, held: 0 } as const;
  const measured = { command: "drift", exitCode: 1, seconds: 0, endedAt: new Date(0) } as const;
  tally.note({ round, measured, isServerDown: true });
  expect(tally.metrics()).toContain("datahub_gitops_watch_rounds_total");
  expect(tally.metrics()).not.toContain("datahub_gitops_watch_differs");
});

test("invalid manifests fail a round, and end no watch", async () => {
  const site = await siteInSync();
  site.write({ "catalog/a.yaml": "kind: Tag\nid: a\ncolour: red\n" });
  const argv = ["watch", "--every", "0s", "--rounds", "2", "--no-listen", "--format", "json"];

  const { code, stdout } = await site.run(argv);

  expect(code).toBe(3);
  const error = {
    code: "problems",
    message: expect.stringMatching(/^catalog\/a\.yaml:3: .*colour/) as string,
  };
  expect(
    stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([1, 2].map((round) => ({ formatVersion: "1", round, ...idle, exitCode: 3, error })));
});

test("it is ready from a good round on until two intervals have passed, and alive all the time", async () => {
  const site = await siteInSync();
  let seconds = 0;
  const now = (): Date => new Date(seconds * 1000);
  let letGo = (): void => {};
  const asked = new Promise<void>((resolve) => (letGo = resolve));
  const server = await inFrontOf(site.catalog.url, async () => await asked);
  const { round, get } = await startWatch(site, [], { now, server });
  const ready = async (): Promise<number> => (await get("/readyz")).status;

  expect(await ready()).toBe(503);
  letGo();
  await round();
  expect(await ready()).toBe(200);
  seconds = 60;
  expect(await ready()).toBe(200);
  seconds = 61;
  expect(await ready()).toBe(503);
  await round();
  expect(await ready()).toBe(200);
  expect(await get("/healthz")).toEqual({ status: 200, text: "ok\n" });
  expect(await get("/")).toMatchObject({ status: 404 });
});

test("there are metrics before the first round has ended", async () => {
  const site = await siteInSync();
  let letGo = (): void => {};
  const asked = new Promise<void>((resolve) => (letGo = resolve));
  const server = await inFrontOf(site.catalog.url, async () => await asked);
  const { round, get } = await startWatch(site, [], { server });
  const { text } = await get("/metrics");
  expect(roundsIn(text)).toEqual({ "0": 0 });
  expect(text).toContain("datahub_gitops_watch_applied_total 0\n");
  letGo();
  await round();
});

test("of more than 64 connections the others are closed, and rounds go on", async () => {
  const site = await siteInSync();
  const { round, address } = await startWatch(site);
  const { port } = new URL(await address);
  const sockets = Array.from({ length: 80 }, () => connect(Number(port), "127.0.0.1"));
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  let closed = 0;
  await new Promise<void>((all) => {
    for (const socket of sockets) {
      socket.on("error", () => {});
      socket.write("GET /healthz HTTP/1.1\r\n");
      socket.once("close", () => {
        closed += 1;
        if (closed === 16) all();
      });
    }
  });
  expect(await round()).toMatchObject({ exitCode: 0 });
});

test("a port in use is an error that names it", async () => {
  const site = await siteInSync();
  const other = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await new Promise((listens) => other.once("listening", listens));
  const address = `127.0.0.1:${(other.address() as AddressInfo).port}`;

  const { code, stdout, stderr } = await site.run(["watch", "--listen", address]);

  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: "",
    stderr: `error: cannot listen on ${address}: the address is in use; choose a different address with --listen, or use --no-listen\n`,
  });
});

test.each([
  ["an interval without a unit", ["--every", "15"]],
  ["an interval that is longer than a week", ["--every", "169h"]],
  ["no round", ["--rounds", "0"]],
  ["another mode", ["--mode", "merge"]],
  ["an address without a port", ["--listen", "127.0.0.1"]],
  ["a port that is none", ["--listen", "127.0.0.1:65536"]],
  ["no server", ["--no-listen"]],
  ["an environment that the settings do not have", ["--env", "prod", "--no-listen"]],
])("%s is refused at the start", async (_, argv) => {
  const cwd = temporaryDirectory();
  mkdirSync(join(cwd, "catalog"));
  expect(await runCli(["watch", ...argv], { cwd })).toMatchObject({ code: 64, stdout: "" });
});

test("an interruption ends a round that reads, which is told", async () => {
  const site = await siteInSync();
  const interruption = new AbortController();
  const server = await inFrontOf(site.catalog.url, () => {
    interruption.abort(new Error("interrupted"));
    return undefined;
  });
  const argv = ["watch", "--no-listen", "--server", server];

  const ran = await runCli(argv, { cwd: site.root, interrupted: interruption.signal });

  expect(ran).toEqual({
    code: 130,
    stdout: "round 1  1970-01-01T00:00:00.000Z  exit 130  interrupted\n",
    stderr: "Interrupted.\n",
  });
});

test("an interruption in the middle of an apply awaits the write, which is told and kept as a run", async () => {
  const site = await siteInSync();
  site.commit({ "catalog/a.yaml": tag("a", "three"), "catalog/b.yaml": tag("b", "three") });
  const interruption = new AbortController();
  const server = await inFrontOf(site.catalog.url, ({ query }, _, { url }) => {
    if (!query.startsWith("query") && !url.includes("batchGet")) interruption.abort(new Error("interrupted"));
    return undefined;
  });
  const argv = ["watch", "--mode", "correct", "--no-listen", "--concurrency", "1", "--server", server];

  const { code, stdout, stderr } = await runCli(argv, {
    cwd: site.root,
    interrupted: interruption.signal,
  });

  expect({ code, stdout }).toEqual({
    code: 130,
    stdout: expect.stringMatching(
      /^round 1 {2}\S+ {2}exit 130 {2}2 differ, .*applied.* {2}run \w+\n$/,
    ) as string,
  });
  expect(stderr).toContain("did not move");
});

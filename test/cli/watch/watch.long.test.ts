import { type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { dumpAspects } from "../../../src/local-catalog/server.ts";
import type { Round } from "../../../src/model/round.ts";
import { temporaryDirectory } from "../../support/catalog.ts";
import { runCli } from "../../support/command-line.ts";
import { gitIn, testRepository, type TestRepository } from "../../support/git-repository.ts";
import { tag } from "../../support/history.ts";
import { inFrontOf } from "../../support/in-front-of.ts";
import { type KillableServer, printed, startKillable, startProcess } from "../../support/killable-server.ts";
import { appliedRef, inCatalog, settingsWith, siteWith } from "../../support/site.ts";
import { datasetNamed } from "../../support/states.ts";
import { roundsIn } from "../../support/watching.ts";

const rounds = Number(process.env["WATCH_ROUNDS"] ?? 500);
const orders = datasetNamed("orders");
const correct = ["watch", "--mode", "correct", "--format", "json"];

const everywhere = ["/api/graphql", "/aspects", "/openapi"];
const faults = [
  { fault: "status", status: 503, rate: 0.01, only: everywhere },
  { fault: "status", status: 500, when: "after", rate: 0.01, only: everywhere },
  { fault: "reset", when: "after", rate: 0.01, only: everywhere },
  { fault: "truncated_body", rate: 0.005, only: everywhere },
  { fault: "graphql_errors", rate: 0.01 },
  { fault: "failed_alias", rate: 0.02 },
] as const;

function upstreamAndClone(): Readonly<Record<"upstream" | "clone", TestRepository>> {
  const upstream = testRepository();
  const many = Array.from({ length: 60 }, (_, index) => [`t${index}.yaml`, tag(`t${index}`)]);
  upstream.commit(
    inCatalog({
      "datahub-gitops.yaml": settingsWith("manage: { tags: merge }"),
      "a.yaml": tag("a", "ours"),
      "b.yaml": tag("b", "edition 0"),
      "orders.yaml": "kind: Dataset\nplatform: snowflake\nname: orders\ntags: [a]\n",
      ...(Object.fromEntries(many) as Readonly<Record<string, string>>),
    }),
  );
  const root = join(temporaryDirectory(), "clone");
  gitIn(upstream.root, "clone", "--quiet", ".", root);
  return { upstream, clone: testRepository(root) };
}

/** The rounds that a process has told of, and a way to wait for one of them. */
function roundsOf(child: ChildProcess): {
  readonly told: readonly Round[];
  readonly until: (number: number) => Promise<void>;
} {
  const told: Round[] = [];
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  lines.on("line", (line) => told.push(JSON.parse(line) as Round));
  return {
    told,
    until: async (number) => {
      while (told.length < number) await once(lines, "line");
    },
  };
}

// It collects garbage when it gets a signal, and prints what is left.
const telling = `data:text/javascript,process.on("SIGUSR2",()=>{for(let i=0;i<3;i+=1)gc();const{heapUsed,rss}=process.memoryUsage();process.stderr.write("memory "+heapUsed+" "+rss+"\\n")})`;

/** The heap after a collection of garbage, and what is resident, in MB. */
async function memoryOf(child: ChildProcess): Promise<{ readonly heap: number; readonly resident: number }> {
  const told = printed(child, /memory (\d+ \d+)\n/);
  child.kill("SIGUSR2");
  const [heap = 0, resident = 0] = (await told)
    .split(" ")
    .map((bytes) => Math.round(Number(bytes) / 1e5) / 10);
  return { heap, resident };
}

interface World {
  readonly server: KillableServer;
  readonly upstream: TestRepository;
  readonly clone: TestRepository;
}

/** What others do: edits in the UI, commits, and worse. Each is called with the number of a round. */
function others({ server, upstream, clone }: World) {
  const kept: string[] = [];
  let committed = "edition 0";
  let rewritten: string | undefined;
  const at = (share: number): number => Math.round((rounds * share) / 5) * 5;
  const worse = new Map<number, () => unknown>([
    [at(0.3), () => server.killFor(3_000)],
    [
      at(0.4),
      async () => {
        rewritten = upstream.git("rev-parse", "HEAD");
        // What the clone does not have is nothing to diverge from.
        while (clone.git("rev-parse", "HEAD") !== rewritten) await wait(50);
        upstream.git("commit", "--quiet", "--allow-empty", "--amend", "--message", "rewritten");
      },
    ],
    [
      at(0.5),
      () => {
        upstream.git("reset", "--quiet", "--hard", rewritten ?? "");
        rewritten = undefined;
      },
    ],
    [
      at(0.6),
      () => clone.git("update-ref", appliedRef, clone.git("commit-tree", "-m", "other", "HEAD^{tree}")),
    ],
    [at(0.7), () => clone.git("update-ref", "-d", appliedRef)],
    [at(0.8), () => server.killFor(1_000)],
  ]);
  return {
    /** The tags that somebody has added, and no manifest declares. */
    kept,
    /** The description that was committed last. */
    committed: () => committed,
    happens: async (number: number): Promise<void> => {
      const id = `ui-${number}`;
      await server.edit(`addTag(input: { tagUrn: "urn:li:tag:t${number % 60}", resourceUrn: "${orders}" })`);
      kept.push(`urn:li:tag:t${number % 60}`);
      if (number % 3 === 0)
        await server.edit(`updateDescription(input: { resourceUrn: "urn:li:tag:a", description: "${id}" })`);
      if (number % 4 === 0 && rewritten === undefined) {
        committed = `edition ${number}`;
        upstream.commit({ "catalog/b.yaml": tag("b", committed) });
      }
      await worse.get(number)?.();
    },
  };
}

test(`${rounds} rounds with faults, a killed server, a diverged upstream and a rewritten ref lose nothing`, async () => {
  const server = await startKillable(
    [
      [orders, "status", { removed: false }],
      [orders, "globalTags", { tags: [] }],
    ],
    faults,
  );
  const { upstream, clone } = upstreamAndClone();
  const argv = [...correct, "--pull", "--every", "0s", "--listen", "127.0.0.1:0", "--server", server.url];
  const child = startProcess(argv, clone.root, ["--expose-gc", "--import", telling]);
  const ended = once(child, "exit");
  const listening = printed(child, /Listening on (\S+):/);
  const { told, until } = roundsOf(child);
  const { happens, kept, committed } = others({ server, upstream, clone });
  const memory: object[] = [];
  for (let number = 5; number <= rounds; number += 5) {
    await until(number);
    if ([50, 250, rounds].includes(number)) memory.push({ round: number, ...(await memoryOf(child)) });
    if (number < rounds) await happens(number);
  }
  const metrics = await (await fetch(`${await listening}/metrics`)).text();
  child.kill("SIGTERM");

  expect(await ended).toEqual([130, null]);
  const counted = roundsIn(metrics);
  const all = Object.values(counted).reduce((sum, each) => sum + each, 0);
  const expected: Record<string, number> = {};
  for (const { exitCode } of told.slice(0, all)) expected[exitCode] = (expected[exitCode] ?? 0) + 1;
  expect(counted).toEqual(expected);
  expect(told.map(({ round }) => round)).toEqual(told.map((_, index) => index + 1));
  const errors: Record<string, number> = {};
  for (const { error } of told) if (error) errors[error.code] = (errors[error.code] ?? 0) + 1;
  const { stdout } = await runCli(["runs", "list", "--format", "json"], { cwd: clone.root });
  const { runs } = JSON.parse(stdout) as { runs: readonly { id: string; applied: number }[] };
  const ofRounds = told.flatMap(({ run, applied }) => (run === undefined ? [] : [{ id: run, applied }]));
  expect(runs.map(({ id, applied }) => ({ id, applied })).toReversed()).toEqual(ofRounds);

  const last = ["--pull", "--every", "0s", "--rounds", "9", "--no-listen", "--server", server.url];
  await runCli([...correct, ...last], { cwd: clone.root });
  const stored = dumpAspects(server.dataDir).filter(({ version }) => version === 0);
  const aspect = (urn: string, name: string): unknown =>
    stored.find((row) => row.urn === urn && row.aspect === name)?.value;
  expect(aspect("urn:li:tag:a", "tagProperties")).toMatchObject({ description: "ours" });
  expect(aspect("urn:li:tag:b", "tagProperties")).toMatchObject({ description: committed() });
  const { tags } = aspect(orders, "globalTags") as { readonly tags: readonly { readonly tag: string }[] };
  expect(new Set(tags.map((each) => each.tag))).toEqual(new Set([...kept, "urn:li:tag:a"]));
  console.log({
    rounds: told.length,
    exitCodes: expected,
    errors,
    runs: runs.length,
    added: kept.length,
    memory,
  });
});

const phases = ["fetches", "reads", "writes", "waits"] as const;

test.each(phases)("SIGTERM while it %s ends it with 130, and the next one does the rest", async (phase) => {
  const site = await siteWith({ "a.yaml": tag("a", "one"), "b.yaml": tag("b", "two") });
  const root = join(temporaryDirectory(), "clone");
  gitIn(site.root, "clone", "--quiet", ".", root);
  let reach = (): void => {};
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const server = await inFrontOf(site.catalog.url, ({ query }, _, { url }) => {
    const isRead = query.startsWith("query") || url.includes("batchGet");
    if (phase === (isRead ? "reads" : "writes")) reach();
    return undefined;
  });
  if (phase === "fetches") {
    const script = join(root, "upload-pack.sh");
    testRepository(root).write({ "upload-pack.sh": `#!/bin/sh\ntouch '${root}/fetching'\ncat\n` });
    chmodSync(script, 0o755);
    gitIn(root, "config", "remote.origin.uploadpack", script);
  }
  const argv = [...correct, "--pull", "--every", "24h", "--no-listen", "--server", server];
  const child = startProcess(argv, root);
  const ended = once(child, "exit");
  const { told, until } = roundsOf(child);
  if (phase === "waits") await until(1);
  else if (phase === "fetches") while (!existsSync(join(root, "fetching"))) await wait(20);
  else await reached;
  child.kill("SIGTERM");

  expect(await ended).toEqual([130, null]);
  const applied = told.reduce((sum, each) => sum + each.applied, 0);
  const { stdout } = await runCli(["runs", "list", "--format", "json"], { cwd: root });
  const { runs } = JSON.parse(stdout) as { runs: readonly { applied: number }[] };
  expect(runs.reduce((sum, each) => sum + each.applied, 0)).toBe(applied);
  expect(applied > 0).toBe(phase === "writes" || phase === "waits");

  if (phase === "fetches") gitIn(root, "config", "--unset", "remote.origin.uploadpack");
  const again = [...correct, "--pull", "--rounds", "1", "--no-listen", "--server", site.catalog.url];
  const next = await runCli(again, { cwd: root });
  expect(next.code, next.stderr).toBe(0);
  expect(applied + (JSON.parse(next.stdout) as { applied: number }).applied).toBe(2);
  const names = site.catalog.aspects().flatMap((row) => (row.aspect === "tagProperties" ? [row.urn] : []));
  expect(names).toEqual(["urn:li:tag:a", "urn:li:tag:b"]);
});

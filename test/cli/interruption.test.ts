import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { metadataFile, startTestCatalog, temporaryDirectory } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { capture, type Ran, runCli } from "../support/command-line.ts";
import { testRepository } from "../support/git-repository.ts";
import { tag } from "../support/history.ts";
import { appliedRef, settingsWith, type Site, siteWith, writesIn } from "../support/site.ts";
import { forward } from "../support/stub-server.ts";

const orders = "urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)";

/** A site in which a plan reads all that plans can read: things above, members, names, and what removals are told with. */
async function siteToRead(): Promise<Site> {
  const site = await siteWith(
    {
      "old.yaml": tag("old"),
      "finance.yaml": "kind: Domain\nid: finance\nparent_domain: corporate\n",
      "corporate.yaml": "kind: Domain\nid: corporate\n",
      "team.yaml": "kind: Group\nid: team\nmembers: [{ id: alice }]\n",
      "orders.yaml": `kind: Dataset\nurn: ${orders}\ncolumns: { id: { tags: [kept] } }\ntags: [kept]\n`,
    },
    settingsWith("guards: { deletes: { max_count: 9 } }"),
  );
  const file = metadataFile(temporaryDirectory(), [
    [orders, "status", { removed: false }],
    [orders, "schemaMetadata", schemaWith("id")],
    [orders, "globalTags", { tags: [{ tag: "urn:li:tag:old" }, { tag: "urn:li:tag:kept" }] }],
    ["urn:li:tag:kept", "tagProperties", { name: "Kept" }],
    ["urn:li:tag:old", "tagProperties", { name: "old" }],
    ["urn:li:domain:corporate", "domainProperties", { name: "corporate" }],
    [
      "urn:li:domain:finance",
      "domainProperties",
      { name: "finance", parentDomain: "urn:li:domain:corporate" },
    ],
    ["urn:li:corpGroup:team", "origin", { type: "NATIVE" }],
    ["urn:li:corpGroup:team", "corpGroupInfo", { admins: [], members: [], groups: [] }],
    ["urn:li:corpuser:alice", "corpUserInfo", { active: true }],
    ["urn:li:corpuser:alice", "nativeGroupMembership", { nativeGroups: ["urn:li:corpGroup:team"] }],
  ]);
  await site.catalog.load(file);
  site.git("update-ref", appliedRef, "HEAD");
  site.commit({ "catalog/old.yaml": undefined, "catalog/corporate.yaml": undefined });
  return site;
}

/** The address of a server that passes requests on, but for those that it holds and never answers. Ends with the test. */
async function inBetween(
  { catalog }: Pick<Site, "catalog">,
  isHeld: (body: string, path: string) => boolean,
): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const received: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => received.push(chunk));
    incoming.on("end", () => {
      const body = Buffer.concat(received);
      if (!isHeld(body.toString("utf8"), `${incoming.url}`))
        void forward(incoming, body, catalog.url, outgoing);
    });
  });
  await new Promise<void>((started) => server.listen(0, "127.0.0.1", started));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Runs a command against a server that passes some requests on, and then interrupts it instead of answering the next. */
async function interruptedAfter(
  passed: number,
  site: Pick<Site, "root" | "catalog">,
  argv: readonly string[],
): Promise<Ran & { readonly isInterrupted: boolean; readonly next: string }> {
  const interruption = new AbortController();
  let requests = 0;
  let next = "";
  const url = await inBetween(site, (body, path) => {
    requests += 1;
    if (requests <= passed) return false;
    next = /query (\w+)/.exec(body)?.[1] ?? path;
    interruption.abort(new Error("interrupted"));
    return true;
  });
  const ran = await runCli([...argv, "--server", url], { cwd: site.root, interrupted: interruption.signal });
  return { ...ran, isInterrupted: interruption.signal.aborted, next };
}

/** Interrupts a command at its first request, at its second, and so on, and answers with what it was interrupted at. */
async function interruptedAtEach(
  site: Pick<Site, "root" | "catalog">,
  argv: readonly string[],
): Promise<readonly string[]> {
  const interrupted: string[] = [];
  for (let passed = 0; ; passed += 1) {
    const { code, stderr, isInterrupted, next } = await interruptedAfter(passed, site, argv);
    if (!isInterrupted) return interrupted;
    expect({ code, stderr, next }).toEqual({ code: 130, stderr: "Interrupted.\n", next });
    interrupted.push(next);
  }
}

/** The name of the query, or the path, of a request. */
const nameOf = (body: string, path: string): string => /query (\w+)/.exec(body)?.[1] ?? path;

/** Interrupts a command at the first request of a name instead of answering it. */
async function interruptedAt(name: string, site: Site, argv: readonly string[]): Promise<Ran> {
  const interruption = new AbortController();
  const url = await inBetween(site, (body, path) => {
    const isHeld = nameOf(body, path) === name;
    if (isHeld) interruption.abort(new Error("interrupted"));
    return isHeld;
  });
  return await runCli([...argv, "--server", url], { cwd: site.root, interrupted: interruption.signal });
}

test("an interruption ends a plan or an apply that reads at a request of any kind, without waiting for the answer", async () => {
  const site = await siteToRead();
  await site.plan("--prune");
  const asked = site.catalog.requests.map(({ body, path }) => nameOf(JSON.stringify(body ?? ""), path));
  const kinds = [
    "/config",
    "ReadExistence",
    "ReadDefinitions",
    "ReadAssets",
    "ReadMembers",
    "ReadMemberships",
    "ReadReferring",
    "ProbeType",
    "ReadShells",
    "Search",
    "/openapi/v3/entity/dataset/batchGet?systemMetadata=true",
    "ReadNames",
  ];

  expect(new Set(asked)).toEqual(new Set(kinds));
  for (const kind of kinds) {
    const { code, stderr } = await interruptedAt(kind, site, ["plan", "--prune"]);
    expect({ kind, code, stderr }).toEqual({ kind, code: 130, stderr: "Interrupted.\n" });
  }
  const { code } = await interruptedAt("ReadNames", site, ["apply", "--prune", "--auto-approve"]);
  expect(code).toBe(130);
  expect(writesIn(site.catalog)).toEqual([]);
});

test("an apply that is interrupted before its first write shows no progress, and says what to do", async () => {
  const site = await siteWith({ "a.yaml": tag("a"), "b.yaml": tag("b") });
  const interruption = new AbortController();
  const [stdout, stderr] = [capture(80), { ...capture(80), isTTY: true }];
  const url = await inBetween(site, () => {
    const isShown = stdout.text().includes("Plan: ");
    if (isShown) interruption.abort(new Error("interrupted"));
    return isShown;
  });
  const options = { cwd: site.root, interrupted: interruption.signal, stdout, stderr };
  const { code } = await runCli(["apply", "--auto-approve", "--server", url], options);

  expect(code).toBe(130);
  expect(stdout.text()).toContain("Applied 0 operations, 0 failed, 2 skipped.");
  expect(stderr.text()).not.toContain("Applying ");
  expect(stderr.text()).toMatch(
    /Interrupted: run apply again; the base \(refs\/datahub-gitops\/applied\) did not move\.\n$/,
  );
  expect(writesIn(site.catalog)).toEqual([]);
});

test("an interruption ends the apply of a saved plan at its first request, and nothing is written", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  const interruption = new AbortController();
  let isLate = false;
  const url = await inBetween(site, () => {
    if (isLate) interruption.abort(new Error("interrupted"));
    return isLate;
  });
  const run = (...argv: readonly string[]): Promise<Ran> =>
    runCli([...argv, "--server", url], { cwd: site.root, interrupted: interruption.signal });
  expect(await run("plan", "--out", "plan.json")).toMatchObject({ code: 0 });
  isLate = true;

  expect(await run("apply", "plan.json")).toEqual({ code: 130, stdout: "", stderr: "Interrupted.\n" });
  expect(writesIn(site.catalog)).toEqual([]);
});

test("an interruption ends an upsert that still reads", async () => {
  const site = { root: temporaryDirectory(), catalog: await startTestCatalog() };
  writeFileSync(join(site.root, "users.yaml"), "id: alice\ngroups: [team]\n");
  const argv = ["user", "upsert", "-f", "users.yaml", "--dry-run"];

  expect(await interruptedAfter(1, site, argv)).toMatchObject({ code: 130, stderr: "Interrupted.\n" });
});

test("an interruption ends the reading of an aspect at any of its requests", async () => {
  const site = { root: temporaryDirectory(), catalog: await startTestCatalog() };
  const argv = ["get", "--urn", "urn:li:corpuser:datahub", "-a", "tagProperties"];

  expect(await interruptedAtEach(site, argv)).toHaveLength(3);
});

test("an interruption ends the reading of manifests between two of them", async () => {
  const { root: cwd, write } = testRepository();
  for (let index = 0; index < 200; index += 1) write({ [`catalog/${index}.yaml`]: tag(`tag-${index}`) });
  const interruption = new AbortController();
  const validated = runCli(["validate"], { cwd, interrupted: interruption.signal });
  setImmediate(() => interruption.abort(new Error("interrupted")));

  expect(await validated).toEqual({ code: 130, stdout: "", stderr: "Interrupted.\n" });
});

test("an interruption ends serve before it says that it listens", async () => {
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, "metadata.json"), "[]");
  const argv = ["serve", "--port", "0", "--load", "metadata.json"];
  const interrupted = AbortSignal.abort(new Error("interrupted"));

  expect(await runCli(argv, { cwd, interrupted })).toEqual({
    code: 130,
    stdout: "",
    stderr: "Interrupted.\n",
  });
});

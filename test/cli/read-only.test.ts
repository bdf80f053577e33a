import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runRefs } from "../../src/model/settings.ts";
import { runCli } from "../support/command-line.ts";
import { startGithub } from "../support/github.ts";
import type { Recorded } from "../support/recorder.ts";
import { settingsWith, type Site, siteOnce, siteWith } from "../support/site.ts";
import { zipOf } from "../support/zip.ts";

const tagA = "urn:li:tag:a";
const server = "SERVER";
const newestRun = "RUN";

/** Each command, run where there is something to create, to change, to delete and to skip; and whether it may write. */
const commands: readonly (readonly [argv: readonly string[], writes: boolean])[] = [
  [["validate"], false],
  [["plan", "--prune", "--force-conflicts", "--out", "other.json", "--server", server], false],
  [["plan", "--changed-since", "HEAD~1", "--server", server], false],
  [["plan", "--shard", "1/2", "--server", server], false],
  [["merge-plans", "shard.json"], false],
  [["drift", "--prune", "--report", "drift.json", "--server", server], false],
  [["watch", "--rounds", "1", "--no-listen", "--server", server], false],
  [["pull", "--server", server], false],
  [["export", "exported", "--server", server], false],
  [["import", "glossary.yml", "--out", "imported"], false],
  [["init", "fresh", "--server", server, "--yes"], false],
  [["fmt"], false],
  [["completion", "bash"], false],
  [["apply", "--dry-run", "--prune", "--max-deletes", "1", "--server", server], false],
  [["apply", "plan.json", "--dry-run", "--server", server], false],
  [["export", "--snapshot", "live.json", "--server", server], false],
  [["plan", "--snapshot", "taken.json"], false],
  [["explain", tagA, "--server", server], false],
  [["explain", tagA, "--snapshot", "taken.json"], false],
  [["list", "--format", "csv", "--owner", "me", "--server", server], false],
  [["list", "--snapshot", "taken.json"], false],
  [["coverage", "--by", "container", "--server", server], false],
  [["coverage", "--snapshot", "taken.json"], false],
  [["check", "--server", server], false],
  [["check", "--snapshot", "taken.json"], false],
  [["show", "plan.json"], false],
  [["runs", "show", newestRun], false],
  [["runs", "push", "."], false],
  [["rollback", "applied.json", "--prune", "--out", "back.json", "--server", server], false],
  [["doctor", "--server", server], false],
  [["get", "--urn", tagA, "--server", server], false],
  [["schema", "plan"], false],
  [["schema", "manifest", "--from-catalog", "--server", server], false],
  [["github", "comment", "plan.json", "--pull-request", "12"], false],
  [["github", "drift-issue", "drifted.json"], false],
  [["github", "reviewed-plan", "plan.json"], false],
  [["github", "snapshot", "--out", "fetched.json"], false],
  [["github", "approvers"], false],
  [["serve", "--port", "0", "--data", "served"], false],
  [["user", "upsert", "-f", "users.yaml", "--dry-run", "--server", server], false],
  [["group", "upsert", "-f", "groups.yaml", "--dry-run", "--server", server], false],
  [["apply", "plan.json", "--server", server], true],
  [["apply", "plan.json", "--shard", "1/2", "--server", server], true],
  [["rollback", "applied.json", "--prune", "--auto-approve", "--server", server], true],
  [["user", "upsert", "-f", "users.yaml", "--server", server], true],
  [["group", "upsert", "-f", "groups.yaml", "--server", server], true],
  [["watch", "--mode", "correct", "--rounds", "1", "--no-listen", "--server", server], true],
  [["apply", "--auto-approve", "--prune", "--max-deletes", "1", "--server", server], true],
];

/** What runs on a catalog of its own. */
const apart = ["demo"];

async function makeSiteInNeed(): Promise<Site> {
  const tag = (id: string, description: string): string =>
    `kind: Tag\nid: ${id}\ndescription: ${description}\n`;
  const files = {
    "a.yaml": tag("a", "one"),
    "b.yaml": tag("b", "two"),
    "policies.yaml":
      "{ kind: Policy, id: described, severity: warning, match: { kind: Tag }, require: { description: true } }\n",
  };
  const site = await siteWith(files, settingsWith("manage: { description: merge }"));
  expect(await site.apply()).toMatchObject({ code: 0 });
  await site.edit(`updateDescription(input: { resourceUrn: "${tagA}", description: "theirs" })`);
  site.commit({
    "catalog/a.yaml": tag("a", "ours"),
    "catalog/b.yaml": undefined,
    "catalog/c.yaml":
      "- { kind: Tag, id: c }\n- { kind: Group, id: g, members: [u] }\n- { kind: User, id: u }\n",
  });
  writeFileSync(
    join(site.root, "glossary.yml"),
    "version: 1\nowners: {}\nterms: [{ name: Revenue, description: What comes in. }]\n",
  );
  writeFileSync(join(site.root, "users.yaml"), "id: alice\ntitle: Steward\n");
  writeFileSync(join(site.root, "groups.yaml"), "id: team\ndisplay_name: Team\nmembers: []\n");
  return site;
}

/** A catalog to which the manifests want to add, of which they want to take away, and that others changed. */
const siteInNeed = siteOnce(makeSiteInNeed);

/** Writes the files that commands read: the report of an apply, plans, a report of drift, a snapshot. */
async function saveResults(site: Site): Promise<void> {
  const group = ["--target", "urn:li:corpGroup:g", "--report", "applied.json"];
  expect(await site.apply(...group)).toMatchObject({ code: 0 });
  expect(await site.plan("--out", "plan.json")).toMatchObject({ code: 6 });
  expect(await site.plan("--shard", "1/1", "--out", "shard.json")).toMatchObject({ code: 6 });
  expect(await site.run(["drift", "--report", "drifted.json"])).toMatchObject({ code: 2 });
  const snapshot = ["export", "--snapshot", "taken.json", "--server", site.catalog.url];
  expect(await runCli(snapshot, { cwd: site.root })).toMatchObject({ code: 0 });
}

/** Whether a request may change something: all but GETs, GraphQL queries, and the read of several aspects. */
function isWrite({ method, path, body }: Recorded): boolean {
  if (method === "GET" || method === "HEAD") return false;
  if (path === "/api/graphql") {
    const { query } = body as { readonly query?: unknown };
    return typeof query !== "string" || /\b(?:mutation|subscription)\b/.test(query);
  }
  return !/^\/openapi\/v3\/entity\/\w+\/batchGet\?/.test(path);
}

/** A GitHub that has a snapshot, as the environment of a workflow names it. */
async function githubEnv(): Promise<Readonly<Record<string, string>>> {
  const github = await startGithub();
  const archive = zipOf({ "snapshot.json": "{}" });
  github.artifacts.push({
    name: "datahub-gitops-snapshot",
    sha: "c0ffee",
    branch: "main",
    archive,
    run: { event: "schedule" },
  });
  return { ...github.env, GITHUB_SHA: "c0ffee" };
}

/** Runs a command, which ends well, and answers with the requests that it sent. */
async function requestsOf(site: Site, argv: readonly string[]): Promise<readonly Recorded[]> {
  const sent = site.catalog.requests.length;
  const options = {
    cwd: site.root,
    env: { DATAHUB_GMS_URL: site.catalog.url, ...(argv[0] === "github" && (await githubEnv())) },
    ...(argv[0] === "serve" && { interrupted: AbortSignal.abort() }),
  };
  const words = new Map([
    [server, site.catalog.url],
    [newestRun, site.at(runRefs.newest) ?? ""],
  ]);
  const { code, stderr } = await runCli(
    argv.map((word) => words.get(word) ?? word),
    options,
  );
  expect(argv[0] === "serve" ? [130] : [0, 2, 5, 6], `${argv.join(" ")}\n${stderr}`).toContain(code);
  return site.catalog.requests.slice(sent);
}

// They share a catalog, because none of them changes it.
test("what is not to write sends no write, and asks the server only where one is named", async () => {
  const site = await siteInNeed();
  await saveResults(site);
  const before = site.catalog.aspects();
  for (const [argv, writes] of commands) {
    if (writes) continue;
    const requests = await requestsOf(site, argv);
    expect({ argv, isAsked: requests.length > 0, writes: requests.filter(isWrite) }).toEqual({
      argv,
      isAsked: argv.includes(server),
      writes: [],
    });
    expect(site.catalog.aspects()).toEqual(before);
  }
});

test.each(commands.filter(([, writes]) => writes))("%j sends writes, and is seen to", async (argv) => {
  const site = await siteInNeed();
  if (argv.some((word) => word.endsWith(".json"))) await saveResults(site);
  const requests = await requestsOf(site, argv);
  expect(requests.some(isWrite)).toBe(true);
});

test("every command is in the table, has a catalog of its own, or runs without arguments and a server", async () => {
  const listed = async (...path: readonly string[]): Promise<readonly string[]> => {
    const { stdout } = await runCli([...path, "--help"], { cwd: "/" });
    const [, list = ""] = stdout.split("\nCommands:\n");
    const names = [...list.matchAll(/^ {2}([\w-]+)/gm)].map(([, name = ""]) => name);
    return names.filter((name) => name !== "help");
  };
  const paths: string[] = [];
  for (const name of await listed()) {
    const below = await listed(name);
    paths.push(...(below.length === 0 ? [name] : below.map((sub) => `${name} ${sub}`)));
  }
  const inTable = commands.map(([[name = "", sub = ""]]) => (paths.includes(name) ? name : `${name} ${sub}`));
  const known = new Set([...inTable, ...apart]);
  expect([...known].filter((path) => !paths.includes(path))).toEqual([]);
  const site = await siteInNeed();
  for (const path of paths.filter((each) => !known.has(each)))
    expect({ path, requests: await requestsOf(site, path.split(" ")) }).toEqual({ path, requests: [] });
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runRefs } from "../../src/model/settings.ts";
import { metadataFile } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { startGithub } from "../support/github.ts";
import { helps } from "../support/helps.ts";
import type { Recorded } from "../support/recorder.ts";
import { appliedRef, settingsWith, type Site, siteWith } from "../support/site.ts";
import { zipOf } from "../support/zip.ts";

const tagA = "urn:li:tag:a";
const server = "SERVER";
const newestRun = "RUN";

/** Each command, run where there is something to create, to change, to delete and to skip. Some read what others have written. */
const commands: readonly (readonly string[])[] = [
  ["validate"],
  ["plan", "--prune", "--force-conflicts", "--server", server],
  ["plan", "--out", "plan.json", "--server", server],
  ["plan", "--shard", "1/1", "--out", "shard.json", "--server", server],
  ["merge-plans", "shard.json"],
  ["drift", "--prune", "--report", "drifted.json", "--server", server],
  ["watch", "--rounds", "1", "--no-listen", "--server", server],
  ["pull", "--server", server],
  ["export", "exported", "--server", server],
  ["export", "--snapshot", "taken.json", "--server", server],
  ["import", "glossary.yml", "--out", "imported"],
  ["init", "fresh", "--server", server, "--yes", "--no-export"],
  ["fmt"],
  ["completion", "bash"],
  ["apply", "--dry-run", "--prune", "--max-deletes", "1", "--server", server],
  ["apply", "plan.json", "--dry-run", "--server", server],
  ["explain", tagA, "--server", server],
  ["list", "--format", "csv", "--owner", "me", "--server", server],
  ["list", "--snapshot", "taken.json"],
  ["coverage", "--by", "container", "--server", server],
  ["coverage", "--snapshot", "taken.json"],
  ["check", "--server", server],
  ["show", "plan.json"],
  ["runs", "show", newestRun],
  ["runs", "push", "."],
  ["rollback", "applied.json", "--prune", "--out", "back.json", "--server", server],
  ["doctor", "--server", server],
  ["get", "--urn", tagA, "--server", server],
  ["schema", "plan"],
  ["schema", "manifest", "--from-catalog", "--server", server],
  ["github", "comment", "plan.json", "--pull-request", "12"],
  ["github", "drift-issue", "drifted.json"],
  ["github", "reviewed-plan", "plan.json"],
  ["github", "snapshot", "--out", "fetched.json"],
  ["github", "approvers"],
  ["serve", "--port", "0", "--data", "served"],
  ["user", "upsert", "-f", "users.yaml", "--dry-run", "--server", server],
  ["group", "upsert", "-f", "groups.yaml", "--dry-run", "--server", server],
];

/** Commands that write, in each way that there is: mutations of GraphQL, and proposals. */
const writing: readonly (readonly string[])[] = [
  ["user", "upsert", "-f", "users.yaml", "--server", server],
  ["apply", "--auto-approve", "--prune", "--max-deletes", "1", "--server", server],
];

/** What runs on a catalog of its own. */
const apart = ["demo"];

/** A catalog to which the manifests want to add, of which they want to take away, and that others changed. */
async function siteInNeed(): Promise<Site> {
  const tag = (id: string, description: string): string =>
    `kind: Tag\nid: ${id}\ndescription: ${description}\n`;
  const files = {
    "a.yaml": tag("a", "one"),
    "b.yaml": tag("b", "two"),
    "policies.yaml":
      "{ kind: Policy, id: described, severity: warning, match: { kind: Tag }, require: { description: true } }\n",
  };
  const site = await siteWith(files, settingsWith("manage: { description: merge }"));
  await site.catalog.load(
    metadataFile(site.root, [
      [tagA, "tagProperties", { name: "a", description: "theirs" }],
      ["urn:li:tag:b", "tagProperties", { name: "b", description: "two" }],
    ]),
  );
  site.git("update-ref", appliedRef, "HEAD");
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

test("what is not to write sends no write, and asks the server only where one is named", async () => {
  const site = await siteInNeed();
  const group = ["--target", "urn:li:corpGroup:g", "--report", "applied.json"];
  expect(await site.apply(...group)).toMatchObject({ code: 0 });
  const before = site.catalog.aspects();
  for (const argv of commands) {
    const requests = await requestsOf(site, argv);
    expect({ argv, isAsked: requests.length > 0, writes: requests.filter(isWrite) }).toEqual({
      argv,
      isAsked: argv.includes(server),
      writes: [],
    });
  }
  expect(site.catalog.aspects()).toEqual(before);
  for (const argv of writing) expect((await requestsOf(site, argv)).some(isWrite)).toBe(true);
});

test("every command is in the table, has a catalog of its own, or runs without arguments and a server", async () => {
  const leaves = (await helps()).filter(({ words, below }) => words.length > 0 && below.length === 0);
  const paths = leaves.map(({ words }) => words.join(" "));
  const inTable = commands.map(([name = "", sub = ""]) => (paths.includes(name) ? name : `${name} ${sub}`));
  const known = new Set([...inTable, ...apart]);
  expect([...known].filter((path) => !paths.includes(path))).toEqual([]);
  const site = await siteInNeed();
  for (const path of paths.filter((each) => !known.has(each)))
    expect({ path, requests: await requestsOf(site, path.split(" ")) }).toEqual({ path, requests: [] });
});

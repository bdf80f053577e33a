import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { keptRuns } from "../../src/git/read-runs.ts";
import { sealed } from "../../src/plan/base/hash.ts";
import { tag } from "../support/history.ts";
import { inCatalog, settingsWith, type Site, siteWith } from "../support/site.ts";

/** How many applies: with 35040, one each 15 minutes, it is a year, as docs/internals/ownership.md says. */
const applies = Number(process.env["KEPT_RUNS"] ?? 1500);
const runs = "refs/datahub-gitops/runs";
const keep = 500;
const quarter = 900;

/** Writes an object as git does, without a process for each. */
function write(root: string, type: string, content: Buffer): string {
  const object = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
  const id = createHash("sha1").update(object).digest("hex");
  const dir = join(root, ".git/objects", id.slice(0, 2));
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, id.slice(2)), deflateSync(object, { level: 1 }));
  return id;
}

/** The report of an apply at another time, with its seals. */
function reportAt(report: string, seconds: number): string {
  const time = new Date(seconds * 1000).toISOString();
  const changed = JSON.parse(report, (key, value: unknown) =>
    ["createdAt", "startedAt", "endedAt"].includes(key) ? time : value,
  ) as object;
  return JSON.stringify(resealed(changed as Record<string, unknown>));
}

function resealed({ plan, seal: _, ...report }: Record<string, unknown>): object {
  const { seal: _seal, ...own } = plan as Record<string, unknown>;
  return sealed({ ...report, plan: sealed(own) });
}

function printSize(root: string, when: string): void {
  const files = readdirSync(join(root, ".git"), { recursive: true, withFileTypes: true });
  const blocks = files.map((file) => statSync(join(file.parentPath, file.name)).blocks);
  const size = blocks.reduce((sum, each) => sum + each, 0) / 2048;
  console.log(`${when}: ${size.toFixed(1)} MB`);
}

/** A site after an apply that changes twelve descriptions. */
async function changedSite(): Promise<Site> {
  const filesOf = (text: string): Record<string, string> =>
    Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`t${index}.yaml`, tag(`t${index}`, text)]));
  const site = await siteWith(filesOf("Before."));
  const env = { SOURCE_DATE_EPOCH: "0" };
  await site.run(["apply", "--auto-approve"], { env });
  site.commit(inCatalog(filesOf("After.")));
  expect((await site.run(["apply", "--auto-approve"], { env })).code).toBe(0);
  return site;
}

/** Replaces the runs of a site by many that are like its last one. Returns the second of the last. */
function keepMany({ root, git }: Site): number {
  const report = git("show", `${runs}:report.json`);
  const message = git("log", "-1", "--format=%B", runs);
  let [newest, before, length] = ["", "", 0];
  for (let run = 1; run <= applies; run += 1) {
    const seconds = run * quarter;
    const blob = write(root, "blob", Buffer.from(reportAt(report, seconds)));
    const entry = [Buffer.from("100644 report.json\0"), Buffer.from(blob, "hex")];
    const tree = write(root, "tree", Buffer.concat(entry));
    if (length === keep) [before, newest, length] = [newest, "", 0];
    const parent = newest === "" ? "" : `parent ${newest}\n`;
    const person = `datahub-gitops <datahub-gitops@localhost> ${seconds} +0000`;
    const words = message.replace(/^At: .*$/m, `At: ${new Date(seconds * 1000).toISOString()}`);
    const text = `tree ${tree}\n${parent}author ${person}\ncommitter ${person}\n\n${words}\n`;
    newest = write(root, "commit", Buffer.from(text));
    length += 1;
  }
  git("update-ref", runs, newest);
  if (before !== "") git("update-ref", `${runs}-before`, before);
  return applies * quarter;
}

test("after many applies a plan reads the runs of the last days, and a repository has the newest only", async () => {
  const site = await changedSite();
  const last = keepMany(site);
  await site.edit('updateDescription(input: { resourceUrn: "urn:li:tag:t0", description: "Theirs." })');
  printSize(site.root, `${applies} applies of 12 changes, without git gc`);

  for (const setting of ["runs: false", "runs: { keep: 500 }"]) {
    site.commit({ "catalog/datahub-gitops.yaml": settingsWith(setting) });
    const started = performance.now();
    const { code } = await site.run(["plan"], { env: { SOURCE_DATE_EPOCH: `${last + quarter}` } });
    console.log(`plan with ${setting}: exit code ${code}, ${Math.round(performance.now() - started)} ms`);
    expect(code).toBe(setting === "runs: false" ? 0 : 6);
  }

  site.git("gc", "--quiet");
  printSize(site.root, "after git gc, which keeps what is younger than two weeks");
  site.git("gc", "--quiet", "--prune=now");
  printSize(site.root, "after git gc --prune=now");
  expect((await keptRuns(site.root, keep)).runs.length).toBeLessThanOrEqual(2 * keep);
});

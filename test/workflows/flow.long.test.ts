import { join } from "node:path";
import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { gitIn } from "../support/git-repository.ts";
import { appliedRef, settingsWith } from "../support/site.ts";
import type { Event } from "./event.ts";
import type { WorkflowRun } from "./runner.ts";
import { branch, codes, finance, inTheUi, outputOf, type Site, siteInSync } from "./site.ts";

const shop = "catalog/datasets/postgres/shop.yaml";
const marketing = "catalog/datasets/snowflake/marketing.yaml";
const dataset = (name: string): string =>
  `urn:li:dataset:(urn:li:dataPlatform:snowflake,analytics.finance.${name},PROD)`;

/** A site whose runs clone from a bare remote, and push to it. */
interface Flow extends Site {
  readonly remote: string;
  readonly push: (...refs: readonly string[]) => void;
  readonly play: (name: string, event?: Partial<Event>) => Promise<WorkflowRun>;
}

async function flowInSync(): Promise<Flow> {
  const site = await siteInSync(settingsWith());
  const remote = join(temporaryDirectory(), "remote.git");
  gitIn(site.repository.root, "clone", "--quiet", "--bare", site.repository.root, remote);
  site.repository.git("remote", "add", "origin", remote);
  const push = (...refs: readonly string[]): void =>
    void site.repository.git("push", "--quiet", "--force", "origin", ...refs);
  push(appliedRef);
  const play = (name: string, event: Partial<Event> = {}): Promise<WorkflowRun> =>
    site.run(`examples/github/${name}.yml`, { repository: remote, ...event });
  return { ...site, remote, push, play };
}

test("a pull request is reviewed in one comment, and what was reviewed is what is applied", async () => {
  const flow = await flowInSync();
  const { github, remote } = flow;
  const before = flow.catalog.aspects();
  const pull = { eventName: "pull_request", pullRequest: 12, ref: "change" };
  const edit = (text: string): string =>
    text
      .replace("tags: [finance-close, tier-1]", "tags: [tier-1, pii]")
      .replace("tags: [tier-2]", "tags: [tier-1]");
  branch(flow, "change", (text) => edit(text).replace("domain: orders\n", "domian: orders\n"), [
    finance,
    shop,
    marketing,
  ]);
  flow.push("change");
  const broken = await flow.play("plan", pull);
  expect(codes(broken)).toEqual([
    ["Plan", 3],
    ["Comment", 0],
    ["Result", 1],
  ]);
  expect(outputOf(broken)).toMatch(
    /^::error file=catalog\/datasets\/postgres\/shop\.yaml,line=6,col=3[^\n]*domian/m,
  );
  expect(github.comments).toMatchObject([{ of: 12, body: expect.stringContaining("domian") as string }]);

  const [{ id } = { id: 0 }] = github.comments;
  const head = branch(flow, "change", (text) => text.replace("domian: orders\n", "domain: commerce\n"), [
    shop,
  ]);
  flow.push("change");
  const mended = await flow.play("plan", pull);
  expect(codes(mended), outputOf(mended)).toEqual([
    ["Plan", 0],
    ["Comment", 0],
  ]);
  expect(github.comments).toMatchObject([{ id, of: 12, body: expect.stringContaining("pii") as string }]);
  expect(github.comments[0]?.body).not.toContain("domian");
  const { changes } = JSON.parse(mended.files.get("plan.json") ?? "") as {
    readonly changes: readonly { readonly source?: { readonly file: string } }[];
  };
  expect(new Set(changes.map(({ source }) => source?.file))).toEqual(new Set([finance, shop, marketing]));
  expect(mended.summary).toContain("urn:li:tag:pii");
  expect(flow.catalog.aspects()).toEqual(before);
  const writes = github.writes();
  await flow.play("plan", pull);
  expect(github.writes()).toEqual(writes);

  flow.repository.git("merge", "--quiet", "--no-ff", "--message", "Merge", "change");
  const merge = flow.repository.git("rev-parse", "HEAD");
  flow.push("main");
  github.pulls.push({ number: 12, head, branch: "change", merge });
  github.approvals.push({ state: "rejected", login: "mallory" }, { state: "approved", login: "bob" });
  const merged = await flow.play("apply");
  expect(codes(merged), outputOf(merged)).toEqual([
    ["Plan", 0],
    ["Compare with the reviewed plan", 0],
    ["Apply", 0],
    ["Push the base", 0],
    ["Push the run", 0],
  ]);
  expect(merged.summary).toContain("This is the plan that was reviewed in #12");
  expect(merged.summary).toContain("Applied");
  expect(JSON.parse(merged.files.get("report.json") ?? "")).toMatchObject({
    run: { approvedBy: { name: "bob" } },
  });
  expect(gitIn(remote, "rev-parse", appliedRef)).toBe(merge);
  expect(await flow.play("drift", { eventName: "schedule" })).toMatchObject({ isGreen: true });
});

test("drift opens an issue, which is updated when the drift changes, and closed when it is corrected", async () => {
  const flow = await flowInSync();
  const { github } = flow;
  const look = (): Promise<WorkflowRun> => flow.play("drift", { eventName: "schedule" });
  await inTheUi(flow, `unsetDomain(entityUrn: "${dataset("vat_report")}")`);
  const red = await look();
  expect(red.summary).toContain("analytics.finance.vat_report");
  expect(codes(red)).toEqual([
    ["Drift", 2],
    ["Issue", 0],
  ]);
  expect(github.issues).toMatchObject([
    { state: "open", body: expect.stringContaining("vat_report") as string },
  ]);
  const writes = github.writes();
  await look();
  expect(github.writes()).toEqual(writes);

  await inTheUi(flow, `unsetDomain(entityUrn: "${dataset("ledger_entries")}")`);
  await look();
  expect(github.issues).toMatchObject([
    { state: "open", body: expect.stringContaining("ledger_entries") as string },
  ]);
  const byHand = { eventName: "workflow_dispatch", inputs: { way_out: "correct" } };
  const corrected = await flow.play("drift", byHand);
  expect(corrected, outputOf(corrected)).toMatchObject({
    isGreen: true,
    jobs: ["plan", "approve", "correct"],
  });
  expect(JSON.parse(corrected.files.get("report.json") ?? "")).toMatchObject({ summary: { applied: 2 } });
  // Nothing is left to do, so nobody is asked.
  expect((await flow.play("drift", byHand)).jobs).toEqual(["plan"]);
  expect(github.issues).toMatchObject([{ state: "closed" }]);
});

test("drift beside problems opens an issue that names both, and problems alone open none", async () => {
  const flow = await flowInSync();
  const look = (): Promise<WorkflowRun> => flow.play("drift", { eventName: "schedule" });
  const gone: readonly MadeAspect[] = [[dataset("ledger_entries"), "status", { removed: true }]];
  await flow.catalog.load(metadataFile(temporaryDirectory(), gone));
  expect(codes(await look())).toEqual([["Drift", 3]]);

  await inTheUi(flow, `unsetDomain(entityUrn: "${dataset("vat_report")}")`);
  expect(codes(await look())).toEqual([
    ["Drift", 3],
    ["Issue", 0],
  ]);
  expect(flow.github.issues).toMatchObject([{ title: "The catalog differs from Git: 1 missing, 1 problem" }]);
  expect(flow.github.issues[0]?.body).toMatch(/ledger_entries[^]*is soft-deleted[^]*vat_report/);
});

test("pull opens a pull request with the values of the catalog, and none where there is nothing to pull", async () => {
  const flow = await flowInSync();
  const { github, remote } = flow;
  const byHand = { eventName: "workflow_dispatch", inputs: { way_out: "pull" } };
  const nothing = await flow.play("drift", byHand);
  expect(nothing).toMatchObject({ isGreen: true, jobs: ["pull"] });
  expect(nothing.summary).toContain("nothing to pull");
  expect(github.pulls).toEqual([]);

  await inTheUi(
    flow,
    `setDomain(entityUrn: "${dataset("vat_report")}", domainUrn: "urn:li:domain:commerce")`,
  );
  const pulled = await flow.play("drift", byHand);
  expect(codes(pulled), outputOf(pulled)).toEqual([
    ["Pull", 0],
    ["Open a pull request", 0],
  ]);
  const [request] = github.pulls;
  expect(request).toMatchObject({ base: "main", title: "Update manifests with values from the catalog" });
  expect(pulled.summary).toContain(`/pull/${request?.number}`);
  const changed = gitIn(remote, "diff", "--unified=0", `main..${request?.head}`);
  expect(changed.split("\n").filter((line) => /^[-+]/.test(line))).toEqual([
    `--- a/${finance}`,
    `+++ b/${finance}`,
    "-  domain: finance",
    "+  domain: commerce",
  ]);
});

test("a merge queue is planned with what it merges, without a comment, and the required job is green or red", async () => {
  const flow = await flowInSync();
  const queue = (ref: string): Promise<WorkflowRun> =>
    flow.play("plan", {
      eventName: "merge_group",
      ref,
      mergeQueueBase: flow.repository.git("rev-parse", "main"),
    });
  branch(flow, "queue", (text) => text.replace("tags: [finance-close, tier-1]", "tags: [tier-1, pii]"));
  branch(flow, "broken", (text) => text.replace("tags: [finance-close, tier-1]", "tags: [tier-l]"));
  flow.push("queue", "broken");
  const good = await queue("queue");
  expect(good, outputOf(good)).toMatchObject({ isGreen: true, jobs: ["plan", "catalog"] });
  expect(JSON.parse(good.files.get("plan.json") ?? "")).toMatchObject({ summary: { update: 1 } });
  const bad = await queue("broken");
  expect(codes(bad)).toEqual([
    ["Plan", 3],
    ["Result", 1],
  ]);
  expect(flow.github.comments).toEqual([]);
});

test("a plan that the catalog has made stale is refused, and says how to make a new one", async () => {
  const flow = await flowInSync();
  branch(flow, "change", (text) => text.replaceAll("domain: finance", "domain: commerce"));
  flow.push("change");
  const onApproved = (): Promise<void> =>
    inTheUi(flow, `setDomain(entityUrn: "${dataset("vat_report")}", domainUrn: "urn:li:domain:marketing")`);
  const run = await flow.play("apply", { ref: "change", isMain: true, onApproved });
  expect(codes(run).slice(2), outputOf(run)).toEqual([
    ["Apply", 6],
    ["Push the base", 0],
    ["Push the run", 0],
  ]);
  expect(outputOf(run)).toContain("Run this workflow manually on the main branch for a new plan");
});

test("a plan that waited while a newer commit was applied is not applied", async () => {
  const flow = await flowInSync();
  branch(flow, "old", (text) => text.replace("tags: [finance-close, tier-1]", "tags: [tier-1]"));
  flow.push("old");
  const before = flow.catalog.aspects();
  const newer = flow.repository.git("commit-tree", "-p", "old", "-m", "Newer", "old^{tree}");
  // The plan is made first; the newer commit is applied while it waits for its approval.
  const onApproved = (): void => {
    flow.repository.git("update-ref", appliedRef, newer);
    flow.push(appliedRef);
  };
  const run = await flow.play("apply", { ref: "old", isMain: true, onApproved });
  expect(codes(run)).toEqual([
    ["Plan", 0],
    ["Compare with the reviewed plan", 0],
    ["Apply", 6],
    ["Push the base", 0],
    ["Push the run", 0],
  ]);
  expect(outputOf(run)).toContain(`the newer commit ${newer} was applied while this plan waited`);
  expect(flow.catalog.aspects()).toEqual(before);
});

import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parseDocument } from "yaml";
import { sampleRecords } from "../../src/cli/demo/sample.ts";
import { startTestCatalog, temporaryDirectory, type TestCatalog } from "../support/catalog.ts";
import { testRepository, type TestRepository } from "../support/git-repository.ts";
import { runCli } from "../support/command-line.ts";
import { type Event, play, workflowNamed, workflowsFolder, type WorkflowRun } from "./runner.ts";

const manifests = fileURLToPath(new URL("../../catalog", import.meta.url));
const names = ["plan", "apply", "drift"];
const finance = "catalog/datasets/snowflake/finance.yaml";
const token = "a-token-that-nobody-may-see";

/** A repository on GitHub with this one's manifests on `main`, and a DataHub with the sample. No run shows the token. */
interface Site {
  readonly repository: TestRepository;
  readonly catalog: TestCatalog;
  readonly run: (workflow: string, event?: Partial<Event>) => Promise<WorkflowRun>;
}

async function siteWithSample(): Promise<Site> {
  const repository = testRepository();
  cpSync(manifests, join(repository.root, "catalog"), { recursive: true });
  repository.commit();
  const catalog = await startTestCatalog();
  const file = join(temporaryDirectory(), "sample.json");
  writeFileSync(file, JSON.stringify(sampleRecords));
  await catalog.load(file);
  const set: Event = {
    repository: repository.root,
    ref: "main",
    eventName: "push",
    vars: { DATAHUB_GMS_URL: catalog.url, DATAHUB_PLAN_URL: catalog.url },
    secrets: { DATAHUB_GMS_TOKEN: token },
  };
  return {
    repository,
    catalog,
    run: async (workflow, event = {}) => {
      const run = await play(workflow, { ...set, ...event });
      const { steps, summary, files } = run;
      expect(JSON.stringify([steps, summary, [...files]])).not.toContain(token);
      return run;
    },
  };
}

/** The same, where what the manifests declare has been applied. */
async function siteInSync(): Promise<Site> {
  const site = await siteWithSample();
  const argv = ["apply", "--auto-approve", "--server", site.catalog.url];
  expect(await runCli(argv, { cwd: site.repository.root })).toMatchObject({ code: 0 });
  return site;
}

function branch(
  { repository }: Site,
  name: string,
  edit: (text: string) => string,
  files: readonly string[] = [finance],
): void {
  repository.git("checkout", "--quiet", "-b", name);
  const textOf = (file: string): string => readFileSync(join(repository.root, file), "utf8");
  repository.commit(Object.fromEntries(files.map((file) => [file, edit(textOf(file))])));
  repository.git("checkout", "--quiet", "main");
}

async function inTheUi({ catalog }: Site, mutation: string): Promise<void> {
  const response = await fetch(`${catalog.url}/api/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: `mutation { ${mutation} }` }),
  });
  expect(await response.json()).not.toHaveProperty("errors");
}

const codes = ({ steps }: WorkflowRun): readonly (readonly [string, number])[] =>
  steps.map(({ name, code }) => [name, code] as const);

test("what is merged is applied, and then there is nothing left to do", async () => {
  const site = await siteWithSample();
  const merged = await site.run("apply");
  expect(codes(merged), merged.steps.map(({ output }) => output).join("")).toEqual([
    ["Plan", 0],
    ["Apply", 0],
  ]);
  expect(merged.summary).toContain("30 to create");
  expect(JSON.parse(merged.files.get("plan.json") ?? "")).toMatchObject({ summary: { create: 30 } });
  expect(JSON.parse(merged.files.get("report.json") ?? "")).toMatchObject({
    summary: { failed: 0, skipped: 0 },
  });
  const drift = await site.run("drift", { eventName: "schedule" });
  expect(codes(drift)).toEqual([["Check for drift", 0]]);
  expect(drift.summary).toContain("No drift");
});

test("a pull request shows what it would change, and only that", async () => {
  const site = await siteInSync();
  branch(site, "good", (text) => text.replace("tags: [finance-close, tier-1]", "tags: [tier-1, pii]"));
  const before = site.catalog.aspects();
  const pulled = await site.run("plan", { ref: "good", eventName: "pull_request" });
  expect(codes(pulled), pulled.steps.map(({ output }) => output).join("")).toEqual([
    ["Validate", 0],
    ["Plan", 0],
  ]);
  const plan = JSON.parse(pulled.files.get("plan.json") ?? "") as {
    changes: readonly { source?: { file: string } }[];
  };
  expect(new Set(plan.changes.map(({ source }) => source?.file))).toEqual(new Set([finance]));
  expect(pulled.summary).toContain("analytics.finance.revenue_daily");
  expect(pulled.summary).toContain("urn:li:tag:pii");
  expect(site.catalog.aspects()).toEqual(before);
});

test("a broken manifest turns a pull request red, with an annotation on its line", async () => {
  const site = await siteWithSample();
  branch(site, "broken", (text) => text.replace("  domain: finance\n", "  domian: finance\n"));
  const pulled = await site.run("plan", { ref: "broken", eventName: "pull_request" });
  expect(pulled.isGreen).toBe(false);
  expect(codes(pulled)).toEqual([["Validate", 3]]);
  expect(pulled.steps[0]?.output).toMatch(
    /^::error file=catalog\/datasets\/snowflake\/finance\.yaml,line=4,col=3[^\n]*domian[^\n]*domain/m,
  );
});

test("a pull request that takes away too much is red, and its plan is shown all the same", async () => {
  const site = await siteInSync();
  const untagged = (text: string): string => text.replaceAll(/tags: \[[^\]]+\]/g, "tags: []");
  branch(site, "greedy", untagged, [finance, "catalog/datasets/postgres/shop.yaml"]);
  const pulled = await site.run("plan", { ref: "greedy", eventName: "pull_request" });
  expect(codes(pulled)).toEqual([
    ["Validate", 0],
    ["Plan", 5],
  ]);
  expect(pulled.summary).toContain("urn:li:tag:finance-close");
  expect(pulled.summary).toContain("--max-removals");
  expect(pulled.files.has("plan.json")).toBe(true);
  // Merged all the same, it is not applied.
  site.repository.git("merge", "--quiet", "greedy");
  const before = site.catalog.aspects();
  const merged = await site.run("apply");
  expect(codes(merged)).toEqual([["Plan", 5]]);
  expect(site.catalog.aspects()).toEqual(before);
});

test("a change by hand turns the drift run red, and the correcting run makes it green", async () => {
  const site = await siteInSync();
  const dataset = "urn:li:dataset:(urn:li:dataPlatform:snowflake,analytics.finance.vat_report,PROD)";
  await inTheUi(site, `unsetDomain(entityUrn: "${dataset}")`);
  const red = await site.run("drift", { eventName: "schedule" });
  expect(codes(red)).toEqual([["Check for drift", 2]]);
  expect(red.summary).toContain("analytics.finance.vat_report");
  const corrected = await site.run("drift", { eventName: "workflow_dispatch", inputs: { correct: true } });
  expect(codes(corrected)).toEqual([
    ["Apply", 0],
    ["Check for drift", 0],
  ]);
  expect(JSON.parse(corrected.files.get("report.json") ?? "")).toMatchObject({ summary: { applied: 1 } });
  expect(codes(await site.run("drift", { eventName: "schedule" }))).toEqual([["Check for drift", 0]]);
});

test.each([
  ["plan", { eventName: "pull_request", ref: "good" }, ["Validate", "Sample catalog", "Plan"]],
  ["apply", { eventName: "push" }, ["Sample catalog", "Plan", "Sample catalog", "Apply"]],
  ["drift", { eventName: "schedule" }, []],
])("without a server %s works on the sample, but on no schedule", async (workflow, event, expected) => {
  const site = await siteWithSample();
  branch(site, "good", (text) => text.replace("tags: [finance-close, tier-1]", "tags: [tier-1]"));
  const run = await site.run(workflow, { ...event, vars: {}, secrets: {} });
  expect(codes(run), run.steps.map(({ output }) => output).join("")).toEqual(
    expected.map((name) => [name, 0]),
  );
  expect(site.catalog.requests).toEqual([]);
});

test("by hand and without a server the drift run shows what the sample lacks, and corrects it", async () => {
  const site = await siteWithSample();
  const none = { vars: {}, secrets: {}, eventName: "workflow_dispatch" };
  expect(codes(await site.run("drift", none))).toEqual([
    ["Sample catalog", 0],
    ["Check for drift", 2],
  ]);
  expect((await site.run("drift", { ...none, inputs: { correct: true } })).isGreen).toBe(true);
});

test("limits that are given by hand settle what an apply on its own leaves", async () => {
  const site = await siteInSync();
  const greedy = readFileSync(join(site.repository.root, finance), "utf8").replaceAll(
    /tags: \[[^\]]+\]/g,
    "tags: []",
  );
  site.repository.commit({ [finance]: greedy });
  const inputs = { max_removals: 500, max_removals_percent: 100 };
  const byHand = await site.run("apply", { eventName: "workflow_dispatch", inputs });
  expect(codes(byHand)).toEqual([
    ["Plan", 0],
    ["Apply", 0],
  ]);
  expect(byHand.summary).toContain("Applied");
});

test.each([
  ["max_deletes", "1 --server http://evil.example"],
  ["max_removals", "1 --no-verify"],
  ["max_removals_percent", "$(touch stolen)"],
  ["conflicts", "skip --server http://evil.example"],
  ["prune", ""],
])("no input of an apply becomes a flag of its own: %s = %j", async (name, value) => {
  const site = await siteInSync();
  const before = site.catalog.aspects();
  const run = await site.run("apply", { eventName: "workflow_dispatch", inputs: { [name]: value } });
  const isNumber = name.startsWith("max_");
  expect(codes(run)[0]).toEqual(["Plan", isNumber ? 64 : 0]);
  expect(run.steps.map(({ output }) => output).join("")).not.toMatch(
    /evil\.example(?!["' ]|$)|cannot connect/m,
  );
  expect([...run.files.keys()]).not.toContain("stolen");
  expect(site.catalog.aspects()).toEqual(before);
});

test.each(names)(
  "%s.yml takes typed inputs and full names of refs, and ends commands with what is fixed",
  (name) => {
    const { on, jobs } = workflowNamed(name);
    const { inputs = {} } = (on["workflow_dispatch"] ?? {}) as { inputs?: Record<string, { type: string }> };
    for (const { type } of Object.values(inputs)) expect(["boolean", "choice", "number"]).toContain(type);
    for (const { run = "", name: step, env = {} } of Object.values(jobs).flatMap((job) => job.steps)) {
      if (step === "Install" || run === "") continue;
      for (const [flag, text] of Object.entries(env)) {
        // What is not quoted holds nothing that somebody can type.
        const isUnquoted = new RegExp(`(?<!["\\w])\\$${flag}\\b`).test(run.replaceAll(/"[^"]*"/g, '""'));
        if (isUnquoted) expect(text).toMatch(/^\$\{\{ .*'(?:--[a-z-]+)?' \|\| '' \}\}$/);
      }
      if (/ (?:plan|apply|drift) /.test(run))
        expect(run).toMatch(
          / \$LOCAL (?:--[^$]*|--changed-since "refs\/remotes\/origin\/\$GITHUB_BASE_REF" --[^$]*) >> "\$GITHUB_STEP_SUMMARY"$/,
        );
      expect(run).not.toMatch(/(?<!refs\/remotes\/)origin\//);
    }
  },
);

test.each(["apply", "drift"])("%s writes nothing from another branch", async (workflow) => {
  const site = await siteWithSample();
  branch(site, "other", (text) => text.replace("tags: [finance-close, tier-1]", "tags: [tier-1]"));
  const before = site.catalog.aspects();
  const run = await site.run(workflow, {
    ref: "other",
    eventName: "workflow_dispatch",
    inputs: { correct: true },
  });
  expect(codes(run)).toEqual([]);
  expect(site.catalog.aspects()).toEqual(before);
});

test.each(names)("%s.yml grants nothing at the top and keeps to what was agreed", (name) => {
  const text = readFileSync(join(workflowsFolder, `${name}.yml`), "utf8");
  const { on, jobs } = workflowNamed(name);
  expect(parseDocument(text).toJS()).toMatchObject({ permissions: {} });
  expect(on).not.toHaveProperty("pull_request_target");
  if ("pull_request" in on) expect(text).not.toMatch(/\bsecrets\./);
  for (const { steps } of Object.values(jobs)) {
    const uses = steps.flatMap((step) => step.uses ?? []);
    for (const action of uses) expect(action).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/);
    expect(uses.some((action) => action.startsWith("actions/checkout@"))).toBe(true);
    const commands = steps.flatMap(({ name: step, run }) => (step === "Install" ? [] : (run ?? [])));
    for (const command of commands) expect(command).toMatch(/^datahub-gitops [^;&|\n]+$/);
  }
  expect(text.match(/persist-credentials: false/g)?.length).toBe(text.match(/actions\/checkout@/g)?.length);
});

test("every workflow stands in a test or is the one that runs them", () => {
  expect(readdirSync(workflowsFolder).toSorted()).toEqual([
    "apply.yml",
    "check.yml",
    "drift.yml",
    "plan.yml",
  ]);
});

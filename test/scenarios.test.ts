import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { plannedFacets } from "../src/facets/index.ts";
import { definitionKinds, kinds, kindOfType } from "../src/kinds/index.ts";
import type { JsonObject } from "../src/model/json.ts";
import type { Plan } from "../src/model/plan.ts";
import { entityTypeOf, type Urn } from "../src/model/urn.ts";
import { reviewMarkdown } from "../src/report/github/review.ts";
import { metadataFile, startTestCatalog, temporaryDirectory, type TestCatalog } from "./support/catalog.ts";
import { type Ran, runCli } from "./support/command-line.ts";
import { testRepository } from "./support/git-repository.ts";
import { planErrors } from "./support/published-schemas.ts";
import { briefPlan } from "./support/stories/brief-plan.ts";
import { briefAspects, briefWrites } from "./support/stories/brief-requests.ts";
import { compactJson } from "./support/stories/compact-json.ts";
import { liveAspects } from "./support/stories/live.ts";
import { type Expected, readStory, type Step, storyFolder, storyNames } from "./support/stories/story.ts";
import { counted, isInFull } from "./support/runs.ts";

// In full requests come over HTTP, and each plan is made against a snapshot, too.
test.each(storyNames)("%s", counted, async (name) => {
  const story = readStory(name);
  const catalog = await startTestCatalog({ overHttp: isInFull });
  await catalog.load(metadataFile(temporaryDirectory(), liveAspects(story.live)));
  const repository = story.steps.some(namesBase) ? testRepository() : undefined;
  const cwd = repository?.root ?? temporaryDirectory();
  const played: Expected[] = [];
  for (const step of story.steps) {
    writeManifests(cwd, step);
    repository?.commit();
    await editByHand(catalog, step);
    played.push(await play(catalog, cwd, step));
  }
  // Compared, and written with --update, as a whole: a run that fails before writes nothing.
  await expect(story.print(played)).toMatchFileSnapshot(join(storyFolder, `${name}.txtar`));
});

/** A story about what was declared before is played in a repository, with a commit for each step. */
function namesBase({ catalog }: Step): boolean {
  return /^base:/m.test(catalog["catalog/datahub-gitops.yaml"] ?? "");
}

function writeManifests(cwd: string, { catalog }: Step): void {
  for (const [path, content] of Object.entries(catalog)) {
    const file = join(cwd, path);
    mkdirSync(dirname(file), { recursive: true });
    if (content === "") rmSync(file);
    else writeFileSync(file, content);
  }
}

/** What somebody does in the UI before a step. */
async function editByHand(catalog: TestCatalog, { ui }: Step): Promise<void> {
  if (ui === undefined) return;
  const body = JSON.stringify({ query: ui });
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${catalog.url}/api/graphql`, { method: "POST", headers, body });
  expect(await response.json()).not.toHaveProperty("errors");
}

interface BriefChange {
  readonly action: string;
  readonly urn: Urn;
  readonly facet?: string;
}

/** The changes of all plans of stories. A new story has none before its first run has ended. */
function changesInStories(): readonly BriefChange[] {
  return storyNames.flatMap((name) =>
    readStory(name).steps.flatMap(({ expected: { "plan.json": plan = "{}" } }) => {
      const { changes = [] } = JSON.parse(plan) as { readonly changes?: readonly BriefChange[] };
      return changes;
    }),
  );
}

test("every facet has a story", () => {
  const changed = new Set(changesInStories().map(({ facet }) => facet));
  expect(plannedFacets.map(({ name }) => name).filter((name) => !changed.has(name))).toEqual([]);
});

test("every kind has a story, and every definition one that creates it", () => {
  const kindNames = (changes: readonly BriefChange[]): ReadonlySet<string | undefined> =>
    new Set(changes.map(({ urn }) => kindOfType(entityTypeOf(urn))?.name));
  const changes = changesInStories();
  const changed = kindNames(changes);
  const created = kindNames(changes.filter(({ action }) => action === "create"));
  expect(kinds.map(({ name }) => name).filter((name) => !changed.has(name))).toEqual([]);
  expect(definitionKinds.map(({ name }) => name).filter((name) => !created.has(name))).toEqual([]);
});

/** Plans, applies and plans again; answers with what was printed and written. */
async function play(catalog: TestCatalog, cwd: string, step: Step): Promise<Expected> {
  const options = ["--server", catalog.url, ...step.flags];
  const validated = await runCli(["validate"], { cwd });
  expect(validated.code, validated.stderr).toBe(0);

  const before = catalog.aspects();
  const file = join(temporaryDirectory(), "plan.json");
  const planned = await runCli(["plan", "--report", file, ...options], { cwd });
  const json = readFileSync(file, "utf8");
  const plan = planIn(json, catalog);
  const asked = await askedFor(step, plan, () => runCli(["drift", ...options], { cwd }));
  if (isInFull) await expectSameWithoutServer(options, { ...planned, stdout: json }, cwd);
  expect(catalog.aspects()).toEqual(before);

  const sent = catalog.requests.length;
  const applied = await runCli(["apply", "--auto-approve", ...options], { cwd });
  expect(applied.code, applied.stderr + applied.stdout).toBe(planned.code);
  const requests = briefWrites(catalog.requests.slice(sent));
  const after = briefAspects(before, catalog.aspects());
  if (planned.code === 0) await expectEmptyPlan(json, options, cwd);
  const texts = {
    "plan.txt": planned.stdout,
    ...(planned.stderr !== "" && { "problems.txt": planned.stderr }),
    ...(planned.code !== 0 && { "exit-code.txt": `${planned.code}\n` }),
    "plan.json": compactJson(briefPlan(plan, planned.stderr)),
    ...asked,
    ...(requests !== "" && { "requests.txt": requests }),
    ...(after !== "" && { "after.txt": after }),
  };
  return Object.fromEntries(Object.entries(texts).map(([part, text]) => [part, anywhere(text, catalog.url)]));
}

/** The plan in a report, which must fit the schema and be for the catalog. */
function planIn(json: string, { url }: TestCatalog): JsonObject {
  const plan = JSON.parse(json) as JsonObject;
  expect(planErrors(plan)).toBeNull();
  expect(plan).toMatchObject({ target: url });
  return JSON.parse(anywhere(json, url)) as JsonObject;
}

const page = "https://github.com/acme/data/blob/4f1c0de";
const view = {
  run: "https://github.com/acme/data/actions/runs/77",
  linkOf: ({ file, line }: { readonly file: string; readonly line: number }) => `${page}/${file}#L${line}`,
};

/** The parts that only some stories have. */
async function askedFor({ expected }: Step, plan: JsonObject, drift: () => Promise<Ran>): Promise<Expected> {
  const asked: Record<string, string> = {};
  if (expected["complete-plan.json"] !== undefined) asked["complete-plan.json"] = compactJson(hashless(plan));
  if (expected["review.md"] !== undefined) {
    asked["review.md"] = reviewMarkdown([{ plan: plan as unknown as Plan }], view);
  }
  if (expected["drift.txt"] !== undefined) {
    const { stdout, code } = await drift();
    asked["drift.txt"] = `${stdout}exit code ${code}\n`;
  }
  return asked;
}

/** The plan without what depends on the address of the catalog and on commits. */
function hashless(plan: JsonObject): JsonObject {
  const { commit, base } = plan["git"] as JsonObject;
  const git = {
    ...(plan["git"] as JsonObject),
    ...(commit && { commit: "<commit>" }),
    ...(base && { base: "<commit>" }),
  };
  return { ...plan, git, digest: "<hash>", seal: "<hash>", tool: "datahub-gitops" };
}

async function expectEmptyPlan(planned: string, options: readonly string[], cwd: string): Promise<void> {
  const again = await runCli(["plan", "--detailed-exitcode", ...options], { cwd });
  // A conflict that was skipped is still there.
  const end = planned.includes('"winner": "live"')
    ? /\nPlan: 0 to create, 0 to update, 0 to delete; 0 values added, 0 replaced, 0 removed; \d+ held back\.\n$/
    : /^(.*\n)*No changes\. \d+ entit(y|ies) in sync\.\n$/;
  expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(end) });
}

/**
 * The plan against a snapshot is that against the server. What needs a search is not compared: suggestions may be missing, and a changed
 * definition warns of values that nobody could look for. Nor are tags of columns that are not ours: a snapshot does not hold all.
 */
async function expectSameWithoutServer(options: readonly string[], online: Ran, cwd: string): Promise<void> {
  const [, server = "", ...flags] = options;
  const file = join(temporaryDirectory(), "live.json");
  const taken = await runCli(["export", "--snapshot", file, "--server", server, "--quiet"], { cwd });
  expect(taken).toEqual({ code: 0, stdout: "", stderr: "" });
  const offline = await runCli(["plan", "--snapshot", file, "--format", "json", ...flags], { cwd });
  const withoutProblems = ({ code, stdout }: Ran): object => {
    const {
      problems = [],
      seal: _,
      unmanaged,
      summary: { unmanaged: _count, ...summary },
      ...rest
    } = JSON.parse(stdout) as {
      readonly problems?: readonly { readonly code: string }[];
      readonly seal: string;
      readonly unmanaged: readonly { readonly column?: string; readonly reason: string }[];
      readonly summary: { readonly unmanaged: number };
    };
    const others = unmanaged.filter(({ column, reason }) => column === undefined || reason !== "ingested");
    const plan = { ...rest, summary, unmanaged: others };
    const codes = problems.map((problem) => problem.code).filter((each) => each !== "values-outdated");
    return { code, plan, codes };
  };
  expect(withoutProblems(offline)).toEqual(withoutProblems(online));
}

/** A text without what differs from run to run: times, the address of the catalog, and the version. */
function anywhere(text: string, url: string): string {
  return text
    .replaceAll(/20\d\d-\d\d-\d\d(?:T[\d:.]+Z)?/g, "<time>")
    .replaceAll(url, "http://catalog")
    .replaceAll(/datahub-gitops\/\d+\.\d+\.\d+/g, "datahub-gitops");
}

import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plannedFacets } from "../src/facets/index.ts";
import { definitionKinds, kinds } from "../src/kinds/index.ts";
import type { AspectRow } from "../src/local-catalog/server.ts";
import { startTestCatalog, temporaryDirectory, type TestCatalog } from "./support/catalog.ts";
import { type Ran, runCli } from "./support/command-line.ts";
import { testRepository } from "./support/git-repository.ts";
import type { Recorded } from "./support/recorder.ts";

const folder = join(import.meta.dirname, "scenarios");
const stories = readdirSync(folder).toSorted();

/** Whether each plan is made against a snapshot, too, as in `npm run test:long`. */
const withSnapshots = process.env["STORY_SNAPSHOTS"] === "1";

test.each(stories)("%s", async (story) => {
  const catalog = await startTestCatalog();
  await catalog.load(join(folder, story, "live.json"));
  const steps = stepsOf(story).map((step) => join(folder, story, step));
  const repository = steps.some(namesBase) ? testRepository() : undefined;
  const cwd = repository?.root ?? temporaryDirectory();
  for (const step of steps) {
    rmSync(join(cwd, "catalog"), { recursive: true, force: true });
    cpSync(join(step, "catalog"), join(cwd, "catalog"), { recursive: true });
    repository?.commit();
    await editByHand(catalog, step);
    await playStep(catalog, cwd, step);
  }
});

/** A story about what was declared before is played in a repository, with a commit for each step. */
function namesBase(step: string): boolean {
  const settings = join(step, "catalog", "datahub-gitops.yaml");
  return existsSync(settings) && /^base:/m.test(readFileSync(settings, "utf8"));
}

/** What somebody does in the UI before a step: the mutations in its `ui.graphql`. */
async function editByHand(catalog: TestCatalog, step: string): Promise<void> {
  const file = join(step, "ui.graphql");
  if (!existsSync(file)) return;
  const body = JSON.stringify({ query: readFileSync(file, "utf8") });
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${catalog.url}/api/graphql`, { method: "POST", headers, body });
  expect(await response.json()).not.toHaveProperty("errors");
}

interface ToldChange {
  readonly action: string;
  readonly kind: string;
  readonly facet?: string;
}

/** The changes of all plans of stories. A new story has none before its first run has ended. */
function toldChanges(): readonly ToldChange[] {
  return stories.flatMap((story) =>
    stepsOf(story).flatMap((step) => {
      const file = join(folder, story, step, "expected", "plan.json");
      if (!existsSync(file)) return [];
      const { changes = [] } = JSON.parse(readFileSync(file, "utf8")) as { changes?: readonly ToldChange[] };
      return changes;
    }),
  );
}

test("every facet has a story", () => {
  const told = new Set(toldChanges().map(({ facet }) => facet));
  expect(plannedFacets.map(({ name }) => name).filter((name) => !told.has(name))).toEqual([]);
});

test("every kind has a story, and every definition one that creates it", () => {
  const changes = toldChanges();
  const told = new Set(changes.map(({ kind }) => kind));
  const created = new Set(changes.filter(({ action }) => action === "create").map(({ kind }) => kind));
  expect(kinds.map(({ name }) => name).filter((name) => !told.has(name))).toEqual([]);
  expect(definitionKinds.map(({ name }) => name).filter((name) => !created.has(name))).toEqual([]);
});

/** A story has steps `1`, `2`, … or is one itself. */
function stepsOf(story: string): readonly string[] {
  const steps = readdirSync(join(folder, story)).filter((name) => /^\d+$/.test(name));
  return steps.length > 0 ? steps.toSorted() : ["."];
}

async function playStep(catalog: TestCatalog, cwd: string, step: string): Promise<void> {
  const expected = join(step, "expected");
  const flags = existsSync(join(step, "flags")) ? readFileSync(join(step, "flags"), "utf8").split(/\s+/) : [];
  const options = ["--server", catalog.url, ...flags.filter((flag) => flag !== "")];
  const validated = await runCli(["validate"], { cwd });
  expect(validated.code, validated.stderr).toBe(0);

  const before = catalog.aspects();
  const file = join(temporaryDirectory(), "plan.json");
  const text = await runCli(["plan", "--report", file, ...options], { cwd });
  const json: Ran = { ...text, stdout: readFileSync(file, "utf8") };
  await expectFile(anywhere(text.stdout, catalog.url), join(expected, "plan.txt"));
  if (text.stderr !== "" || existsSync(join(expected, "problems.txt"))) {
    await expectFile(text.stderr, join(expected, "problems.txt"));
  }
  if (text.code !== 0 || existsSync(join(expected, "exit-code.txt"))) {
    await expectFile(`${text.code}\n`, join(expected, "exit-code.txt"));
  }
  await expectFile(placeless(timeless(json.stdout), catalog.url), join(expected, "plan.json"));
  if (existsSync(join(expected, "drift.txt"))) {
    const drift = await runCli(["drift", ...options], { cwd });
    const shown = `${anywhere(drift.stdout, catalog.url)}exit code ${drift.code}\n`;
    await expectFile(shown, join(expected, "drift.txt"));
  }
  if (withSnapshots) await expectSameWithoutServer(options, json, cwd);
  expect(catalog.aspects()).toEqual(before);

  const sent = catalog.requests.length;
  const applied = await runCli(["apply", "--auto-approve", ...options], { cwd });
  expect(applied.code, applied.stderr + applied.stdout).toBe(text.code);
  await expectFile(
    stampless(pretty(writesIn(catalog.requests.slice(sent)))),
    join(expected, "requests.json"),
  );
  await expectFile(
    stampless(pretty(changedAspects(before, catalog.aspects()))),
    join(expected, "after.json"),
  );

  if (text.code !== 0) return;
  const again = await runCli(["plan", "--detailed-exitcode", ...options], { cwd });
  // A conflict that was skipped is still there.
  const end = json.stdout.includes('"winner": "live"')
    ? /\nPlan: 0 to create, 0 to update, 0 to delete; 0 values added, 0 replaced, 0 removed; \d+ held back\.\n$/
    : /^(.*\n)*No changes\. \d+ entit(y|ies) in sync\.\n$/;
  expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(end) });
}

/**
 * The plan against a snapshot is that against the server. Suggestions, which need a search, may be missing, and so may tags that
 * are not ours on columns, of which a snapshot does not hold all.
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
    return { code, plan, codes: problems.map((problem) => problem.code) };
  };
  expect(withoutProblems(offline)).toEqual(withoutProblems(online));
}

async function expectFile(text: string, file: string): Promise<void> {
  await expect(text).toMatchFileSnapshot(file);
}

/** A text without what differs from run to run: times and the address of the catalog. */
function anywhere(text: string, url: string): string {
  return timeless(text).replaceAll(url, "http://catalog");
}

/** A text without the times at which the catalog was written. */
function timeless(text: string): string {
  return text.replaceAll(/20\d\d-\d\d-\d\d(?:T[\d:.]+Z)?/g, "<time>");
}

/** What was written without when, and by which version. */
function stampless(written: string): string {
  return written
    .replaceAll(/(\\"time\\":)\d{13}/g, "$10")
    .replaceAll(/datahub-gitops\/\d+\.\d+\.\d+/g, "datahub-gitops");
}

/** The plan without what differs from run to run: the address, and with it the digest and the seal; the version. */
function placeless(plan: string, url: string): string {
  return plan
    .replaceAll(url, "http://catalog")
    .replace(/"digest": "sha256:[0-9a-f]{64}"/, '"digest": "sha256:…"')
    .replace(/,\n {2}"seal": "sha256:[0-9a-f]{64}"/, "")
    .replace(/"tool": "[^"]*"/, '"tool": "datahub-gitops"')
    .replaceAll(/"(commit|base)": "[0-9a-f]{40}"/g, '"$1": "<commit>"');
}

/** What was written: mutations in their order, and proposals, which go side by side, sorted. */
function writesIn(requests: readonly Recorded[]): object {
  const bodies = requests.map(({ body }) => (body ?? {}) as Readonly<Record<string, unknown>>);
  const mutations = bodies.filter(({ query }) => typeof query === "string" && query.startsWith("mutation"));
  const proposals = bodies.filter(({ proposal }) => proposal !== undefined);
  return {
    mutations: mutations.map(({ query, variables }) => ({ query, variables })),
    proposals: proposals.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  };
}

/** The latest aspects that are not as they were, without their time stamps and what the server repeats of owners. */
function changedAspects(
  before: readonly AspectRow[],
  after: readonly AspectRow[],
): Readonly<Record<string, unknown>> {
  const old = new Map(before.filter(({ version }) => version === 0).map((row) => [nameOf(row), row.value]));
  const changed = after.filter(
    (row) => row.version === 0 && JSON.stringify(row.value) !== JSON.stringify(old.get(nameOf(row))),
  );
  return Object.fromEntries(changed.map((row) => [nameOf(row), asWritten(row.value)]));
}

function nameOf({ urn, aspect }: AspectRow): string {
  return `${urn} ${aspect}`;
}

function asWritten(value: unknown): unknown {
  const kept = (key: string, part: unknown): unknown => (key === "time" ? 0 : part);
  const text = JSON.stringify(value, (key, part: unknown) =>
    key === "ownerTypes" ? undefined : kept(key, part),
  );
  return JSON.parse(text);
}

function pretty(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

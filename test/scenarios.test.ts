import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { facets } from "../src/facets/index.ts";
import type { AspectRow } from "../src/local-catalog/server.ts";
import { startTestCatalog, temporaryDirectory, type TestCatalog } from "./support/catalog.ts";
import { runCli } from "./support/command-line.ts";
import type { Recorded } from "./support/recorder.ts";

const folder = join(import.meta.dirname, "scenarios");
const stories = readdirSync(folder).toSorted();

test.each(stories)("%s", async (story) => {
  const cwd = temporaryDirectory();
  const catalog = await startTestCatalog();
  await catalog.load(join(folder, story, "live.json"));
  for (const step of stepsOf(story)) {
    cpSync(join(folder, story, step, "catalog"), join(cwd, "catalog"), { recursive: true });
    await playStep(catalog, cwd, join(folder, story, step, "expected"));
  }
});

test("every facet has a story", () => {
  const plans = stories.flatMap((story) =>
    stepsOf(story).map((step) => readFileSync(join(folder, story, step, "expected", "plan.json"), "utf8")),
  );
  const told = facets.filter(({ name }) =>
    plans.some((plan) => plan.includes(`"facet": ${JSON.stringify(name)}`)),
  );
  expect(told.map(({ name }) => name)).toEqual(facets.map(({ name }) => name));
});

/** A story has steps `1`, `2`, … or is one itself. */
function stepsOf(story: string): readonly string[] {
  const steps = readdirSync(join(folder, story)).filter((name) => /^\d+$/.test(name));
  return steps.length > 0 ? steps.toSorted() : ["."];
}

async function playStep(catalog: TestCatalog, cwd: string, expected: string): Promise<void> {
  const server = ["--server", catalog.url];
  const validated = await runCli(["validate"], { cwd });
  expect(validated.code, validated.stderr).toBe(0);

  const before = catalog.aspects();
  const text = await runCli(["plan", ...server], { cwd });
  const json = await runCli(["plan", "--format", "json", ...server], { cwd });
  await expectFile(text.stdout, join(expected, "plan.txt"));
  if (text.stderr !== "" || existsSync(join(expected, "problems.txt"))) {
    await expectFile(text.stderr, join(expected, "problems.txt"));
  }
  await expectFile(placeless(json.stdout, catalog.url), join(expected, "plan.json"));
  expect(catalog.aspects()).toEqual(before);

  const sent = catalog.requests.length;
  const applied = await runCli(["apply", "--auto-approve", ...server], { cwd });
  expect(applied.code, applied.stderr).toBe(text.code);
  await expectFile(pretty(writesIn(catalog.requests.slice(sent))), join(expected, "requests.json"));
  await expectFile(pretty(changedAspects(before, catalog.aspects())), join(expected, "after.json"));

  if (text.code !== 0) return;
  const again = await runCli(["plan", "--detailed-exitcode", ...server], { cwd });
  expect(again).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^(.*\n)*No changes\. \d+ entit(y|ies) in sync\.\n$/),
  });
}

async function expectFile(text: string, file: string): Promise<void> {
  await expect(text).toMatchFileSnapshot(file);
}

/** The plan without what differs from run to run: the address, and with it the digest; the version. */
function placeless(plan: string, url: string): string {
  return plan
    .replaceAll(url, "http://catalog")
    .replace(/"digest": "sha256:[0-9a-f]{64}"/, '"digest": "sha256:…"')
    .replace(/"tool": "[^"]*"/, '"tool": "datahub-gitops"');
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

/** The latest aspects that are not as they were, without their time stamps. */
function changedAspects(
  before: readonly AspectRow[],
  after: readonly AspectRow[],
): Readonly<Record<string, unknown>> {
  const old = new Map(before.filter(({ version }) => version === 0).map((row) => [nameOf(row), row.value]));
  const changed = after.filter(
    (row) => row.version === 0 && JSON.stringify(row.value) !== JSON.stringify(old.get(nameOf(row))),
  );
  return Object.fromEntries(changed.map((row) => [nameOf(row), withoutStamps(row.value)]));
}

function nameOf({ urn, aspect }: AspectRow): string {
  return `${urn} ${aspect}`;
}

function withoutStamps(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, part: unknown) => (key === "time" ? 0 : part)));
}

function pretty(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

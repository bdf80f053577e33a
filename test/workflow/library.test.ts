import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as gitops from "../../src/index.ts";
import { formats } from "../../src/report/format.ts";
import { temporaryDirectory } from "../support/catalog.ts";
import { tag } from "../support/history.ts";
import { urn } from "../support/states.ts";
import { appliedRef, settingsWith, type Site, siteWith, writesIn } from "../support/site.ts";

const createdAt = new Date(0).toISOString();
const tags = {
  "tags.yaml": "- { kind: Tag, id: pii, name: PII }\n- { kind: Tag, id: tier-1, name: Tier 1 }\n",
};

interface Asked {
  readonly overrides?: gitops.PolicyOverrides;
  readonly selection?: gitops.Selection;
}

/** What a program reads and plans of a site. */
async function plannedAt({ root: cwd, catalog }: Site, { overrides, selection = {} }: Asked = {}) {
  const repository = await gitops.openRepository({ cwd, directory: "catalog" });
  const policy = gitops.policyOf(repository.settings, overrides);
  const scope = await gitops.readScope({ repository, policy, selection });
  const connection = gitops.connectionTo(catalog.url);
  const { plan } = await gitops.planScope(scope, connection, { createdAt });
  return { scope, plan, connection, writer: gitops.createWriter(connection) };
}

/** The error that a promise ends with. */
async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

test.each(formats)("a plan as %s is what the command prints", async (format) => {
  const site = await siteWith(tags);
  const { plan } = await plannedAt(site);

  const { stdout } = await site.plan("--format", format);

  expect(gitops.renderPlan(plan, format, { cwd: site.root })).toBe(stdout);
});

test("an applied plan is recorded, and the next plan is empty", async () => {
  const site = await siteWith(tags);
  const { scope, plan, writer } = await plannedAt(site);

  const report = await gitops.applyPlan(plan, writer);
  const head = site.git("rev-parse", "HEAD");

  expect(await gitops.recordApplied(scope, report)).toEqual({
    ref: appliedRef,
    status: "moved",
    from: null,
    to: head,
  });
  expect((await plannedAt(site)).plan.changes).toEqual([]);
});

test("a plan that was saved is read again and applied, and refused once the catalog has moved", async () => {
  const site = await siteWith({ "tags.yaml": tag("pii", "Personal data.") + "---\n" + tag("tier-1") });
  const { plan, writer } = await plannedAt(site);
  const saved = gitops.parseSaved(gitops.renderPlan(plan, "json", { cwd: site.root }));
  if (!("plan" in saved)) throw new Error("no plan");

  const report = await gitops.applySavedPlan(saved.plan, writer);
  expect(report.outcomes.map(({ status }) => status)).toEqual(["applied", "applied"]);

  const writes = writesIn(site.catalog);
  const again = await gitops.applySavedPlan(saved.plan, writer);
  expect(again.outcomes.map(({ status }) => status)).toEqual(["applied", "applied"]);
  expect(writesIn(site.catalog)).toEqual(writes);
  await site.edit('updateDescription(input: { resourceUrn: "urn:li:tag:pii", description: "Edited." })');
  const moved = await gitops.applySavedPlan(saved.plan, writer);
  expect(moved.outcomes.map(({ status }) => status)).toEqual(["stale"]);
  expect(gitops.parseSaved("{}")).toMatchObject({ fault: expect.any(String) });
});

test("a plan that a guard blocks is not applied", async () => {
  const site = await siteWith(tags);
  await site.apply();
  site.commit({ "catalog/tags.yaml": "{ kind: Tag, id: other }\n" });
  const { plan, writer } = await plannedAt(site, { overrides: { prune: true } });
  const before = writesIn(site.catalog);

  const error = await errorOf(gitops.applyPlan(plan, writer));

  expect(gitops.refusalOf(plan)).toBe("guard");
  expect(error).toBeInstanceOf(gitops.RefusedPlanError);
  expect(error).toMatchObject({ refusal: "guard" });
  expect(writesIn(site.catalog)).toEqual(before);
});

test("a plan with problems is not applied", async () => {
  const site = await siteWith({ "d.yaml": "kind: Dataset\nplatform: kafka\nname: gone\ntags: []\n" });
  const { plan, writer } = await plannedAt(site);

  expect(await errorOf(gitops.applyPlan(plan, writer))).toMatchObject({ refusal: "problems" });
  expect(gitops.renderProblems(plan.problems ?? [], { cwd: site.root })).toContain("catalog/d.yaml:3:1");
});

test.each<[string, Asked, string]>([
  ["of a refused plan", {}, "failed"],
  ["of a part", { selection: { targets: ["urn:li:tag:*"] } }, "part"],
])("an apply %s is not recorded", async (_, asked, because) => {
  const site = await siteWith(tags);
  const { scope, plan, writer } = await plannedAt(site, asked);
  const nothing = { plan, outcomes: [] };
  const report = because === "failed" ? nothing : await gitops.applyPlan(plan, writer);

  expect(await gitops.recordApplied(scope, report)).toEqual({ ref: appliedRef, status: "kept", because });
  expect(site.at()).toBeUndefined();
});

test("a server that the settings do not pin is asked nothing", async () => {
  const site = await siteWith(tags, settingsWith("server: https://datahub.acme.com"));

  const error = await errorOf(plannedAt(site));

  expect(error).toBeInstanceOf(gitops.ScopeError);
  expect(error).toMatchObject({
    failure: { code: "other-server", server: site.catalog.url, pinned: "https://datahub.acme.com" },
  });
  expect(site.catalog.requests).toEqual([]);
});

test.each<[string, Asked, object]>([
  ["an unknown base", { selection: { base: "nowhere" } }, { code: "unknown-base" }],
  ["unknown changes", { selection: { changedSince: "nowhere" } }, { code: "unknown-changes" }],
  ["no match", { selection: { targets: ["urn:li:x"] } }, { code: "no-match", targets: ["urn:li:x"] }],
])("%s is an error that says which", async (_, asked, failure) => {
  const site = await siteWith(tags);

  expect(await errorOf(plannedAt(site, asked))).toMatchObject({ failure });
});

test("pruning without a base is an error that says so", async () => {
  const site = await siteWith(tags, "version: 1\n");

  const error = await errorOf(plannedAt(site, { overrides: { prune: true } }));

  expect(error).toMatchObject({ failure: { code: "prune-without-base" } });
});

test("settings and manifests that are not valid are one error with all problems", async () => {
  const cwd = temporaryDirectory();
  mkdirSync(join(cwd, "catalog"));
  writeFileSync(join(cwd, "catalog/datahub-gitops.yaml"), "version: 2\n");
  writeFileSync(join(cwd, "catalog/a.yaml"), "kind: Tog\n");

  const error = await errorOf(gitops.openRepository({ cwd, directory: "catalog" }));

  expect(error).toBeInstanceOf(gitops.ManifestError);
  const files = (error as gitops.ManifestError).problems.map(({ origin }) => origin?.file);
  expect(files).toEqual(["catalog/a.yaml", "catalog/datahub-gitops.yaml"]);
});

test.each([
  ["no server", {}, "no-server"],
  ["no URL", { DATAHUB_GMS_URL: "nowhere" }, "bad-address"],
  ["a token of two lines", { DATAHUB_GMS_URL: "http://a", DATAHUB_GMS_TOKEN: "s3cret\nt0ken" }, "bad-token"],
])("%s in the environment is no connection", async (_, env, failure) => {
  const error = await errorOf(gitops.findConnection({ writes: true }, { env, home: "/nonexistent" }));

  expect(error).toBeInstanceOf(gitops.ConnectionError);
  expect(error).toMatchObject({ failure });
  expect(String(error)).not.toContain("s3cret");
});

test("to write, the server is not taken from the file in the home directory", async () => {
  const home = temporaryDirectory();
  const file = join(home, ".datahubenv");
  writeFileSync(file, "gms: { server: 'http://a', token: t }\n");

  const reading = await gitops.findConnection({ writes: false }, { env: {}, home });
  const error = await errorOf(gitops.findConnection({ writes: true }, { env: {}, home }));

  expect(reading).toMatchObject({ endpoint: { address: "http://a" }, token: "t" });
  expect(error).toMatchObject({ failure: "implicit-server", file });
});

test("an explanation names the server by its address, unless a name is given", async () => {
  const site = await siteWith(tags);
  const { scope, connection } = await plannedAt(site);
  const targetOf = async (target: string | undefined) => {
    const explained = await gitops.explain(scope, connection, urn("urn:li:tag:pii"), { createdAt, target });
    return "explanation" in explained && explained.explanation.target;
  };

  expect(await targetOf(undefined)).toBe(site.catalog.url);
  expect(await targetOf("production")).toBe("production");
});

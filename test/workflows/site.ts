import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { sampleFile } from "../../src/cli/demo/demo-catalog.ts";
import { startTestCatalog, type TestCatalog } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { type FakeGithub, startGithub } from "../support/github.ts";
import { settingsWith } from "../support/site.ts";
import { testRepository, type TestRepository } from "../support/git-repository.ts";
import { project, type Workflow, workflowIn } from "./files.ts";
import type { Event } from "./event.ts";
import { play, type WorkflowRun } from "./runner.ts";

/** A file of the sample with datasets. */
export const finance = "catalog/datasets/snowflake/finance.yaml";

/** The tokens of DataHub: the repository's can read, the environment's can edit. */
export const tokens = { read: "a-token-that-can-read", edit: "a-token-that-can-edit" };

/** A repository on GitHub with this one's manifests on `main`, and a DataHub with the sample. No run shows a token. */
export interface Site {
  readonly repository: TestRepository;
  readonly catalog: TestCatalog;
  readonly github: FakeGithub;
  readonly run: (file: string | Workflow, event?: Partial<Event>) => Promise<WorkflowRun>;
}

/** A site on which nothing of what the manifests declare has been applied. */
export async function siteWithSample(settings?: string): Promise<Site> {
  const repository = testRepository();
  cpSync(join(project, "catalog"), join(repository.root, "catalog"), { recursive: true });
  // The waiver of the sample needs its settings.
  const others = { "catalog/datahub-gitops.yaml": settings, "catalog/policies.yaml": undefined };
  repository.commit(settings === undefined ? {} : others);
  const catalog = await startTestCatalog();
  await catalog.load(sampleFile);
  const github = await startGithub();
  const set: Event = {
    github,
    repository: repository.root,
    ref: "main",
    eventName: "push",
    vars: { DATAHUB_GMS_URL: catalog.url },
    secrets: { DATAHUB_GMS_TOKEN: tokens.read },
    environment: { DATAHUB_GMS_TOKEN: tokens.edit },
  };
  return {
    repository,
    catalog,
    github,
    run: async (workflow, event = {}) => {
      const run = await play(typeof workflow === "string" ? workflowIn(workflow) : workflow, {
        ...set,
        ...event,
      });
      const { steps, summary, files } = run;
      const shown = JSON.stringify([steps, summary, [...files]]);
      for (const token of Object.values(tokens)) expect(shown).not.toContain(token);
      return run;
    },
  };
}

/** The same, where what the manifests declare has been applied. */
export async function siteInSync(settings?: string): Promise<Site> {
  const site = await siteWithSample(settings);
  const argv = ["apply", "--auto-approve", "--server", site.catalog.url];
  expect(await runCli(argv, { cwd: site.repository.root })).toMatchObject({ code: 0 });
  return site;
}

/** The same under `merge`, where somebody has changed a single value that Git applied. */
export async function siteInConflict(): Promise<Site> {
  const site = await siteInSync(settingsWith());
  site.repository.commit({ "catalog/datahub-gitops.yaml": settingsWith("manage: { domain: merge }") });
  const dataset = "urn:li:dataset:(urn:li:dataPlatform:snowflake,analytics.finance.vat_report,PROD)";
  await inTheUi(site, `setDomain(entityUrn: "${dataset}", domainUrn: "urn:li:domain:commerce")`);
  return site;
}

/** Commits an edit of some manifests to a branch, which is made where there is none, and answers with the commit. */
export function branch(
  { repository }: Site,
  name: string,
  edit: (text: string) => string,
  files: readonly string[] = [finance],
): string {
  if (repository.git("branch", "--list", name) === "") repository.git("branch", name);
  repository.git("checkout", "--quiet", name);
  const textIn = (file: string): string => readFileSync(join(repository.root, file), "utf8");
  const commit = repository.commit(Object.fromEntries(files.map((file) => [file, edit(textIn(file))])));
  repository.git("checkout", "--quiet", "main");
  return commit;
}

/** What somebody does in the UI. */
export async function inTheUi({ catalog }: Site, mutation: string): Promise<void> {
  const response = await fetch(`${catalog.url}/api/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: `mutation { ${mutation} }` }),
  });
  expect(await response.json()).not.toHaveProperty("errors");
}

/** The steps that ran and how they ended, but for those that every use of the action and every run has, where they passed. */
export function codes({ steps }: WorkflowRun): readonly (readonly [string, number])[] {
  const usual = new Set(["Empty folder", "Base", "Approved", "Result"]);
  return steps.flatMap(({ name, code }) => (usual.has(name) && code === 0 ? [] : [[name, code] as const]));
}

/** What all steps printed. */
export function outputOf({ steps }: WorkflowRun): string {
  return steps.map(({ output }) => output).join("");
}

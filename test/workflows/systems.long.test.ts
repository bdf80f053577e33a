import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { temporaryDirectory } from "../support/catalog.ts";
import { gitIn } from "../support/git-repository.ts";
import { appliedRef, settingsWith } from "../support/site.ts";
import { commandAt } from "./command.ts";
import { project, textOf } from "./files.ts";
import { bash } from "./steps.ts";
import { branch, finance, inTheUi, type Site, siteInConflict, siteWithSample, tokens } from "./site.ts";

/** A clone, and a shell in it that has `datahub-gitops` and nothing of this machine's environment but the path. */
interface Place {
  readonly directory: string;
  readonly clone: string;
  /** Where commands are looked for. */
  readonly path: string;
  readonly run: (script: string, env?: Readonly<Record<string, string>>) => ReturnType<typeof bash>;
}

async function placeOf(site: Site): Promise<Place> {
  const directory = temporaryDirectory();
  const clone = join(directory, "repository");
  gitIn(directory, "clone", "--quiet", site.repository.root, clone);
  const bin = await commandAt(join(directory, "bin"));
  // GitLab's pipeline pushes to an address of its own.
  const config = join(directory, "gitconfig");
  const address = "https://oauth2@gitlab.example.com/acme/catalog.git";
  writeFileSync(config, `[url "${site.repository.root}"]\n\tinsteadOf = ${address}\n`);
  const path = `${bin}:${process.env["PATH"] ?? ""}`;
  const env = {
    PATH: path,
    HOME: directory,
    GIT_CONFIG_GLOBAL: config,
    GIT_CONFIG_SYSTEM: "/dev/null",
    DATAHUB_GMS_URL: site.catalog.url,
    DATAHUB_GMS_TOKEN: tokens.edit,
  };
  return { directory, clone, path, run: (script, own) => bash(script, clone, { ...env, ...own }) };
}

/** What another system runs, as one script each. */
interface System {
  readonly env?: Readonly<Record<string, string>>;
  readonly apply: readonly string[];
  readonly drift: string;
  /** The file that says what drifted; without one it is printed. */
  readonly told?: string;
}

/** That an apply that ends with 6 has its run and the ref pushed, and ends the script. `apply` is the last script. */
async function expectToPushWhatIsHeld(
  site: Site,
  place: Place,
  { env, apply, clone = place.clone }: Pick<System, "env" | "apply"> & { readonly clone?: string },
): Promise<void> {
  const dir = join(place.directory, "held");
  mkdirSync(dir);
  const wrapper = `#!/bin/sh\nPATH="\${PATH#*:}" datahub-gitops "$@" || exit\n[ "$1" != apply ] || exit 6\n`;
  writeFileSync(join(dir, "datahub-gitops"), wrapper, { mode: 0o755 });
  const path = `${dir}:${place.path}`;
  const codes = [];
  for (const script of apply) codes.push((await place.run(script, { ...env, PATH: path })).code);
  expect(codes).toEqual([...apply.slice(1).map(() => 0), 6]);
  for (const ref of [appliedRef, "refs/datahub-gitops/runs"])
    expect(site.repository.git("rev-parse", ref)).toBe(gitIn(clone, "rev-parse", ref));
}

/** That merged manifests are applied and their commit recorded, and that drift is found. */
async function expectToWork(site: Site, place: Place, { env, apply, drift, told }: System): Promise<void> {
  const head = site.repository.git("rev-parse", "HEAD");
  for (const script of apply)
    expect({ script, ...(await place.run(script, env)) }).toMatchObject({ script, code: 0 });
  expect(site.repository.git("rev-parse", appliedRef)).toBe(head);
  expect(await place.run(drift, env)).toMatchObject({ code: 0 });
  const dataset = "urn:li:dataset:(urn:li:dataPlatform:snowflake,analytics.finance.vat_report,PROD)";
  await inTheUi(site, `unsetDomain(entityUrn: "${dataset}")`);
  const found = await place.run(drift, env);
  expect(found.code).toBe(2);
  const text = told === undefined ? found.output : (await place.run(`cat ${told}`)).output;
  expect(text).toContain("analytics.finance.vat_report");
}

interface GitlabJob {
  readonly script: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
}

function gitlabPipeline(): Readonly<Record<string, GitlabJob>> & {
  readonly ".with-base": { readonly before_script: readonly string[] };
} {
  return parse(textOf("examples/gitlab/.gitlab-ci.yml")) as ReturnType<typeof gitlabPipeline>;
}

/** The variables of GitLab, and what a job runs. */
function gitlabSystem(): {
  readonly env: Readonly<Record<string, string>>;
  readonly scriptOf: (job: string) => string;
} {
  const pipeline = gitlabPipeline();
  const scriptOf = (job: string): string =>
    [...pipeline[".with-base"].before_script, ...(pipeline[job]?.script ?? [])].join("\n");
  const known: Readonly<Record<string, string>> = {
    CI_DEFAULT_BRANCH: "main",
    CI_SERVER_PROTOCOL: "https",
    CI_SERVER_HOST: "gitlab.example.com",
    CI_PROJECT_PATH: "acme/catalog",
    DATAHUB_GITOPS_PUSH_TOKEN: "a-token-that-can-push",
  };
  // GitLab expands the variables in the values of others, and makes one dollar of two.
  const given = Object.entries(pipeline["apply"]?.variables ?? {}).map(([name, value]) => [
    name,
    value.replaceAll(/\$(\$|\w+)/g, (_, other: string) => (other === "$" ? "$" : (known[other] ?? ""))),
  ]);
  const env = { ...known, ...(Object.fromEntries(given) as Record<string, string>) };
  return { env, scriptOf };
}

test("GitLab's jobs review a merge request, apply what was merged, and find drift", async () => {
  const site = await siteWithSample(settingsWith());
  const place = await placeOf(site);
  const { env, scriptOf } = gitlabSystem();
  const asked =
    "printf 'protocol=https\\nhost=gitlab.example.com\\nusername=oauth2\\n' | git credential fill";
  expect((await place.run(asked, env)).output).toContain("password=a-token-that-can-push\n");
  await expectToWork(site, place, {
    env,
    apply: [scriptOf("plan"), scriptOf("apply")],
    drift: scriptOf("drift"),
    told: "drift.md",
  });
  branch(site, "side", (text) => text.replace("tags: [finance-close, tier-1]", "tags: [tier-1]"));
  gitIn(place.clone, "fetch", "--quiet");
  gitIn(place.clone, "checkout", "--quiet", "--detach", "origin/side");
  expect(await place.run(scriptOf("review"), env)).toMatchObject({ code: 0 });
  expect((await place.run("cat plan.md")).output).toContain("finance-close");
});
test("GitLab and Jenkins push what an apply wrote that held something back, and fail", async () => {
  const { env, scriptOf } = gitlabSystem();
  const systems = [
    { env, apply: [scriptOf("plan"), scriptOf("apply")] },
    { apply: jenkinsScripts("apply.Jenkinsfile", "Base", "Plan", "Apply") },
  ];
  for (const system of systems) {
    const site = await siteWithSample(settingsWith());
    await expectToPushWhatIsHeld(site, await placeOf(site), system);
  }
});

/** The commands of some stages. In their quotes Groovy takes two backslashes for one. */
function jenkinsScripts(file: string, ...names: readonly string[]): readonly string[] {
  const stages = textOf(`examples/jenkins/${file}`).split("stage('").slice(1);
  return names.map((name) => {
    const stage = stages.find((text) => text.startsWith(`${name}'`)) ?? "";
    const scripts = [...stage.matchAll(/\bsh '([^'\n]+)'/g)].map(([, script = ""]) => script);
    return scripts.join("\n").replaceAll("\\\\", "\\");
  });
}

test("Jenkins' stages apply what was merged, find drift, and review a pull request", async () => {
  const site = await siteWithSample(settingsWith());
  const place = await placeOf(site);
  const [drift = ""] = jenkinsScripts("apply.Jenkinsfile", "Drift");
  const apply = jenkinsScripts("apply.Jenkinsfile", "Base", "Plan", "Apply");
  await expectToWork(site, place, { apply, drift, told: "drift.md" });
  for (const script of jenkinsScripts("Jenkinsfile", "Base", "Review")) {
    expect({ script, ...(await place.run(script)) }).toMatchObject({ script, code: 0 });
  }
});

test.each([
  ["GitLab", (): string => gitlabPipeline()["plan"]?.script.join("\n") ?? ""],
  ["Jenkins", (): string => jenkinsScripts("apply.Jenkinsfile", "Plan").join("\n")],
] as const)(
  "%s: the plan passes with a conflict, and not where a guard blocks it too",
  async (_, scriptOf) => {
    const site = await siteInConflict();
    const fetchBase = "git fetch --quiet origin '+refs/datahub-gitops/*:refs/datahub-gitops/*'";
    const run = async (): Promise<number> =>
      (await (await placeOf(site)).run(`${fetchBase}\n${scriptOf()}`)).code;
    expect(await run()).toBe(0);
    branch(site, "greedy", (text) => text.replaceAll(/tags: \[[^\]]+\]/g, "tags: []"), [
      finance,
      "catalog/datasets/postgres/shop.yaml",
    ]);
    site.repository.git("merge", "--quiet", "greedy");
    expect(await run()).not.toBe(0);
  },
);

test("the Jenkins job that runs scripts of branches has no credential that can edit or push", () => {
  const credentials = [
    ...textOf("examples/jenkins/Jenkinsfile").matchAll(/credentials(?:Id: |\()'([^']+)'/g),
  ];
  expect(credentials.map(([, id]) => id)).toEqual(["datahub-read-token", "git-fetch"]);
});

test("cron's script brings its clone up to date, and prints drift and nothing else", async () => {
  const site = await siteWithSample(settingsWith());
  const place = await placeOf(site);
  const file = join(place.directory, "token");
  writeFileSync(file, `${tokens.edit}\n`);
  gitIn(place.clone, "reset", "--quiet", "--hard");
  const drift = `DATAHUB_GMS_TOKEN_FILE=${file} ${project}/examples/cron/drift.sh .`;
  const apply = [
    "datahub-gitops apply --auto-approve",
    "git push --quiet origin refs/datahub-gitops/applied",
    `test -z "$(${drift} 2>&1)"`,
  ];
  await expectToWork(site, place, { apply, drift });
  const commit = site.repository.commit({ "note.txt": "text" });
  await place.run(drift);
  expect(gitIn(place.clone, "rev-parse", "HEAD")).toBe(commit);
});

interface Container {
  readonly name: string;
  readonly command?: readonly string[];
  readonly args: readonly string[];
  readonly workingDir?: string;
  readonly env: readonly { readonly name: string; readonly value?: string }[];
}

interface Pod {
  readonly initContainers: readonly Container[];
  readonly containers: readonly Container[];
}

test("the pods for Kubernetes clone, apply, push the base, and find drift, and may do nothing else", async () => {
  const site = await siteWithSample(settingsWith());
  const place = await placeOf(site);
  const job = (parse(textOf("examples/kubernetes/apply.yaml")) as { spec: { template: { spec: Pod } } }).spec;
  const cron = parse(textOf("examples/kubernetes/drift.yaml")) as {
    spec: { jobTemplate: { spec: { template: { spec: Pod } } } };
  };
  const work = join(place.directory, "work");
  mkdirSync(work);
  const quoted = (text: string): string =>
    `'${text
      .replaceAll("'", String.raw`'\''`)
      .replaceAll("/workspace", work)
      .replace("$(REPOSITORY)", site.repository.root)}'`;
  const scriptOf = ({ initContainers, containers }: Pod): string =>
    [...initContainers, ...containers]
      .map(({ command = ["datahub-gitops"], args, workingDir = "/", env }) => {
        const set = env.flatMap(({ name, value }) =>
          value === undefined ? [] : [`${name}=${quoted(value)}`],
        );
        const line = ["env", ...set, ...[...command, ...args].map(quoted)].join(" ");
        return `cd ${quoted(workingDir)}\n${line}`;
      })
      .join("\n");
  const pods = [job.template.spec, cron.spec.jobTemplate.spec.template.spec];
  for (const pod of pods) {
    expect(pod).toMatchObject({
      securityContext: { runAsNonRoot: true },
      automountServiceAccountToken: false,
    });
    for (const container of [...pod.initContainers, ...pod.containers])
      expect(container).toMatchObject({
        securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
        resources: { limits: { memory: expect.any(String) as string } },
      });
  }
  const drift = `rm -rf ${work}/repository\n${scriptOf(cron.spec.jobTemplate.spec.template.spec)}`;
  const apply = [`rm -rf ${work}/repository\n${scriptOf(job.template.spec)}`];
  await expectToPushWhatIsHeld(site, place, { apply, clone: join(work, "repository") });
  await expectToWork(site, place, { apply, drift });
});

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folders, isOwnAction, project, readAction, type Step, textOf, workflowIn } from "./files.ts";

const workflows = Object.values(folders).flatMap((folder) =>
  readdirSync(join(project, folder)).map((name) => `${folder}/${name}`),
);
const examples = workflows.filter((file) => file.startsWith(folders.examples));
const stepsOf = (file: string): readonly Step[] =>
  file === "action.yml"
    ? readAction().runs.steps
    : Object.values(workflowIn(file).jobs).flatMap(({ steps }) => steps);

test("each workflow is known here", () => {
  expect(workflows.toSorted()).toEqual([
    ...["apply", "check", "drift", "nightly", "plan", "release", "site"].map(
      (name) => `.github/workflows/${name}.yml`,
    ),
    ...["apply", "drift", "plan"].map((name) => `examples/github/${name}.yml`),
  ]);
});

test.each(["action.yml", ...workflows])("%s uses only what is pinned, or is here", (file) => {
  for (const { uses } of stepsOf(file)) {
    if (uses === undefined || uses === "./") continue;
    expect(uses).toMatch(
      /^(?:actions\/[a-z-]+|github\/codeql-action\/upload-sarif|OWNER\/datahub-gitops)@[0-9a-f]{40}$/,
    );
  }
});

test("an action is pinned by one commit everywhere", () => {
  const pins = new Set(
    ["action.yml", ...workflows].flatMap((file) => stepsOf(file).flatMap(({ uses }) => uses ?? [])),
  );
  const names = [...pins].map((pin) => pin.split("@")[0]);
  expect(names).toEqual([...new Set(names)]);
});

test.each(["action.yml", ...workflows])("%s puts no expression into a command", (file) => {
  for (const { run = "" } of stepsOf(file)) expect(run).not.toContain("${{");
});

test.each(workflows)("%s grants nothing at the top, and does not run with secrets for strangers", (file) => {
  const { on, permissions, jobs } = workflowIn(file);
  expect(permissions).toEqual({});
  expect(on).not.toHaveProperty("pull_request_target");
  expect(on).not.toHaveProperty("workflow_run");
  for (const job of Object.values(jobs)) {
    expect(job.permissions).toBeDefined();
    const isForStrangers = "pull_request" in on && !(job.if ?? "").includes("full_name == github.repository");
    if (isForStrangers) expect(JSON.stringify(job)).not.toContain("secrets.");
    if (isForStrangers && examples.includes(file))
      expect(Object.values(job.permissions ?? {})).not.toContain("write");
  }
});

test.each(workflows)("%s checks out without leaving a token behind", (file) => {
  const checkouts = stepsOf(file).filter(({ uses = "" }) => uses.startsWith("actions/checkout@"));
  expect(checkouts.length).toBeGreaterThan(0);
  for (const { with: inputs } of checkouts) expect(inputs).toMatchObject({ "persist-credentials": false });
});

test.each(examples)("%s has at most three values to set, and each is marked", (file) => {
  const lines = textOf(file).split("\n").slice(2);
  const marks = new Map<string, Set<string>>();
  for (const line of lines) {
    const value = /OWNER\/datahub-gitops@0{40}|vars\.DATAHUB_GMS_URL|secrets\.\w+/.exec(line)?.[0];
    const mark = /# (\(\d\))/.exec(line)?.[1];
    expect({ line, isMarked: mark !== undefined }).toEqual({ line, isMarked: value !== undefined });
    if (mark !== undefined && value !== undefined) marks.set(mark, (marks.get(mark) ?? new Set()).add(value));
  }
  expect([...marks.keys()].toSorted()).toEqual(["(1)", "(2)", "(3)"]);
  for (const values of marks.values()) expect(values.size).toBe(1);
});

test.each(workflows)("%s gives the action only inputs that it has, and numbers as texts", (file) => {
  const { inputs: known } = readAction();
  for (const step of stepsOf(file).filter(isOwnAction)) {
    expect(Object.keys(known)).toEqual(expect.arrayContaining(Object.keys(step.with ?? {})));
    for (const [name, { required }] of Object.entries(known))
      if (required === true) expect(step.with).toHaveProperty(name);
  }
  const { inputs = {} } = (workflowIn(file).on["workflow_dispatch"] ?? {}) as {
    readonly inputs?: Readonly<Record<string, { readonly type: string }>>;
  };
  // An empty number could arrive as 0, which is a limit. The command checks the texts.
  for (const { type } of Object.values(inputs)) expect(["boolean", "choice", "string"]).toContain(type);
});

test("the action quotes what somebody can type, and names refs in full", () => {
  for (const { name, run = "", env = {} } of readAction().runs.steps) {
    const bare = run.replaceAll(/"[^"]*"/g, '""').replaceAll(/\[\[.*?\]\]/g, "");
    for (const [flag, text] of Object.entries(env)) {
      if (!new RegExp(`\\$${flag}\\b`).test(bare)) continue;
      expect({ name, flag, text }).toMatchObject({
        text: expect.stringMatching(/^\$\{\{ .*'(?:--[a-z-]+)?' \|\| '' \}\}$/) as string,
      });
    }
    expect(run).not.toMatch(/(?<!refs\/remotes\/)origin\//);
  }
});

test("Jenkins asks nobody at night, and an approval may take longer than a stage that works", () => {
  const [head = "", ...stages] = textOf("examples/jenkins/apply.Jenkinsfile").split("stage('");
  expect(head).not.toMatch(/^ *timeout\(/m);
  for (const stage of stages) {
    expect(stage).toMatch(/\n {6}steps \{\n {8}timeout\(/);
    if (stage.includes("input {")) expect(stage).toMatch(/when \{\s+beforeInput true/);
  }
});

test("cron has a path on which the command is found", () => {
  expect(textOf("examples/cron/crontab")).toMatch(/^PATH=\/usr\/local\/bin:/m);
});

test("of the runs of a pull request only the newest goes on", () => {
  expect(workflowIn("examples/github/plan.yml").concurrency).toMatchObject({ "cancel-in-progress": true });
});

test("what writes to the catalog runs one after the other, and nothing that waits is dropped", () => {
  const writing = { group: "datahub-gitops", "cancel-in-progress": false, queue: "max" };
  for (const file of examples)
    for (const [name, { concurrency, steps }] of Object.entries(workflowIn(file).jobs)) {
      const writes = steps.some((step) => ["apply", "correct"].includes(String(step.with?.["command"])));
      expect({ file, name, concurrency }).toEqual({ file, name, concurrency: writes ? writing : undefined });
    }
  // A group of the whole run would be kept while a job of it waits for an approval.
  expect(["apply", "drift"].map((name) => workflowIn(`examples/github/${name}.yml`).concurrency)).toEqual([
    undefined,
    undefined,
  ]);
});

test("each job that can edit the catalog comes after an approval, and only such a job has the environment", () => {
  for (const file of examples)
    for (const [name, { environment, needs, steps }] of Object.entries(workflowIn(file).jobs)) {
      const commands = steps.flatMap((step) => step.with?.["command"] ?? []);
      const edits =
        name !== "record" && commands.some((command) => ["apply", "correct"].includes(String(command)));
      const expected = edits ? "datahub" : name === "approve" ? "datahub-approval" : undefined;
      expect({ file, name, environment }).toEqual({ file, name, environment: expected });
      if (edits) expect(needs).toBe("approve");
    }
});

test("the job to require is there for each pull request and the merge queue, and needs all other jobs", () => {
  const { on, jobs } = workflowIn("examples/github/plan.yml");
  const { catalog, ...others } = jobs;
  expect(on).toEqual({ pull_request: null, merge_group: null });
  expect(catalog).toMatchObject({ if: "always()", needs: Object.keys(others) });
});

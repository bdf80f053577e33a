import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { Io } from "../../../../src/cli/io.ts";
import { checkWorkflows } from "../../../../src/cli/run/doctor/check-workflows.ts";
import type { Check } from "../../../../src/model/diagnosis.ts";
import { startTestCatalog, temporaryDirectory } from "../../../support/catalog.ts";
import { testRepository } from "../../../support/git-repository.ts";
import { runCli } from "../../../support/command-line.ts";

const action = `acme/datahub-gitops@${"1".repeat(40)}`;

const workflow = (uses: string, checkout: string): string =>
  `jobs:\n  plan:\n    steps:\n      - uses: actions/checkout@v7\n${checkout}      - uses: ${uses}\n        with:\n          command: plan\n`;

/** What is found in a directory. */
const foundIn = (cwd: string): readonly Check[] => checkWorkflows(".", { cwd } as Io);

/** What is found where there are these workflows. */
function workflowsFound(...texts: readonly string[]): readonly Check[] {
  const cwd = testRepository().root;
  texts.forEach((text, index) => writeWorkflow(cwd, `catalog${index === 0 ? "" : index}.yml`, text));
  return foundIn(cwd);
}

function writeWorkflow(cwd: string, name: string, text: string): void {
  const file = join(cwd, ".github/workflows", name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

test("the workflows that init writes are complete", async () => {
  const catalog = await startTestCatalog();
  const { root: cwd } = testRepository();
  const argv = ["init", "--yes", "--workflows", "--action", action, "--server", catalog.url];
  expect(await runCli(argv, { cwd })).toMatchObject({ code: 0 });

  expect(foundIn(cwd)).toEqual([
    { id: "workflows", status: "ok", message: "apply.yml, drift.yml, plan.yml are set up correctly" },
  ]);
});

test("a workflow that does not name its action yet, or has only a part of the history, is a problem, with what to do", () => {
  const unset = workflow(
    `OWNER/datahub-gitops@${"0".repeat(40)}`,
    "        with:\n          fetch-depth: 0\n",
  );

  expect(workflowsFound(unset, workflow(action, ""))).toMatchObject([
    {
      status: "problem",
      message: "catalog.yml does not specify the action yet",
      todo: expect.stringContaining("--action"),
    },
    {
      status: "problem",
      message: "job plan in catalog1.yml checks out only part of the history",
      todo: expect.stringContaining("fetch-depth: 0"),
    },
    { status: "warning", message: "no workflow runs apply or drift" },
  ]);
});

const unreadable: Readonly<Record<string, (workflows: string) => void>> = {
  "other.yml": (workflows) => void mkdirSync(join(workflows, "other.yml"), { recursive: true }),
  "gone.yml": (workflows) => {
    mkdirSync(workflows, { recursive: true });
    symlinkSync("nowhere", join(workflows, "gone.yml"));
  },
  "outside.yml": (workflows) => {
    const outside = join(temporaryDirectory(), "plan.yml");
    writeFileSync(outside, "jobs: {}\n");
    mkdirSync(workflows, { recursive: true });
    symlinkSync(outside, join(workflows, "outside.yml"));
  },
  ".github/workflows": (workflows) => {
    mkdirSync(join(workflows, ".."));
    writeFileSync(workflows, "jobs: {}\n");
  },
};

test.each(Object.entries(unreadable))("where %s cannot be read, that is a warning", (name, make) => {
  const cwd = testRepository().root;
  make(join(cwd, ".github/workflows"));

  expect(foundIn(cwd)).toEqual([
    expect.objectContaining({
      id: "workflows",
      status: "warning",
      message: expect.stringMatching(`^${name} cannot be read: `),
    }),
  ]);
});

test("a workflow that cannot be read does not hide what is wrong with another", () => {
  const cwd = testRepository().root;
  mkdirSync(join(cwd, ".github/workflows/other.yml"), { recursive: true });
  writeWorkflow(cwd, "plan.yml", workflow(action, ""));

  expect(foundIn(cwd).map(({ message }) => message)).toEqual([
    expect.stringMatching(/^other\.yml cannot be read: it is a directory/),
    expect.stringMatching(/in plan\.yml checks out only part of the history/),
  ]);
});

test("workflows are read as YAML, and only the checkouts before the action need the history", () => {
  const found = workflowsFound(`
# Instead of OWNER/datahub-gitops@${"0".repeat(40)}
jobs:
  plan:
    steps:
      - uses: "actions/checkout@v7"
        with:
          fetch-depth: "0"
      - uses: ${action}
        with:
          command: "plan" # note
      - uses: actions/checkout@v7
  apply:
    steps:
      - { uses: actions/checkout@v7, with: { fetch-depth: 0 } }
      - { uses: ${action}, with: { command: apply } }
  drift:
    steps:
      - uses: actions/checkout@v7
        with: { fetch-depth: "\${{ vars.DEPTH }}" }
      - uses: ${action}
        with: { 'command': 'drift' }
  lint:
    steps:
      - uses: actions/checkout@v7
      - run: npm run lint
`);

  expect(found).toEqual([{ id: "workflows", status: "ok", message: "catalog.yml is set up correctly" }]);
});

test("each checkout before the action needs the history, in each job", () => {
  const found = workflowsFound(`
jobs:
  plan:
    steps:
      - { uses: actions/checkout@v7, with: { fetch-depth: 0 } }
      - { uses: ${action}, with: { command: plan } }
  apply:
    steps:
      - { uses: actions/checkout@v7, with: { fetch-depth: 0 } }
      - { uses: actions/checkout@v7, with: { fetch-depth: 10 } }
      - { uses: ${action}, with: { command: apply } }
  drift:
    steps:
      - uses: actions/checkout@v7 # fetch-depth: 0
      - { uses: ${action}, with: { command: drift } }
`);

  expect(found.map(({ message }) => message)).toEqual([
    "job apply in catalog.yml checks out only part of the history",
    "job drift in catalog.yml checks out only part of the history",
  ]);
});

test("a workflow that names the action only in a comment does not use it", () => {
  const found = workflowsFound(`# See ${action}\njobs: {}\n`);

  expect(found.map(({ message }) => message)).toEqual(["no GitHub workflow uses datahub-gitops"]);
});

test("a workflow with the action that is not YAML is one that cannot be read", () => {
  const found = workflowsFound(`jobs:\n  plan: {}\n  plan: { steps: [{ uses: ${action} }] }\n`);

  expect(found).toMatchObject([
    { status: "warning", message: "catalog.yml cannot be read: line 3: duplicate key `plan`: keep one" },
  ]);
});

import { execFile, type ExecFileException } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { parse } from "yaml";
import { temporaryDirectory } from "../support/catalog.ts";
import { gitIn } from "../support/git-repository.ts";
import { commandAt } from "./command.ts";
import { refuseToken } from "../support/refuse-token.ts";

const project = fileURLToPath(new URL("../..", import.meta.url));

/** The workflows of this repository, by file name. */
export const workflowsFolder = join(project, ".github/workflows");

interface Step {
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly if?: string | boolean;
  readonly needs?: string;
  readonly environment?: string;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** A workflow as it stands in its file. */
export function workflowNamed(name: string): Workflow {
  return parse(readFileSync(join(workflowsFolder, `${name}.yml`), "utf8")) as Workflow;
}

/** What sets off a workflow, and what is set in the repository on GitHub. */
export interface Event {
  readonly repository: string;
  readonly ref: string;
  readonly vars?: Readonly<Record<string, string>>;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly eventName: string;
}

/** What a step did. */
interface StepRun {
  readonly name: string;
  readonly code: number;
  readonly output: string;
}

/** What a workflow did: green only if every job that ran is. */
export interface WorkflowRun {
  readonly isGreen: boolean;
  readonly steps: readonly StepRun[];
  readonly summary: string;
  /** The files that a job leaves, by name: what an upload would take. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Plays the `run:` steps of a workflow, each job in a fresh clone, with a `datahub-gitops` on the path that this process
 * carries out. Steps with `uses:` and the one that installs are the runner's own and are left out.
 */
export async function play(workflow: string, event: Event): Promise<WorkflowRun> {
  const { jobs } = workflowNamed(workflow);
  const steps: StepRun[] = [];
  const files = new Map<string, string>();
  const failed = new Set<string>();
  const succeeded = new Set<string>();
  let summary = "";
  for (const [name, job] of Object.entries(jobs)) {
    if (!isDue(job.if, event, false) || (job.needs !== undefined && !succeeded.has(job.needs))) continue;
    const done = await playJob(job, event);
    steps.push(...done.steps);
    summary += done.summary;
    for (const [file, text] of done.files) files.set(file, text);
    (done.steps.some(({ code }) => code !== 0) ? failed : succeeded).add(name);
  }
  return { isGreen: failed.size === 0, steps, summary, files };
}

async function playJob(job: Job, event: Event): Promise<Omit<WorkflowRun, "isGreen">> {
  const directory = temporaryDirectory();
  const clone = join(directory, "clone");
  gitIn(directory, "clone", "--quiet", event.repository, clone);
  gitIn(clone, "checkout", "--quiet", "--detach", `origin/${event.ref}`);
  const bin = await commandAt(join(directory, "bin"));
  const summaryFile = join(directory, "summary.md");
  writeFileSync(summaryFile, "");
  const steps: StepRun[] = [];
  for (const step of job.steps) {
    const isFailed = steps.some(({ code }) => code !== 0);
    if (step.run === undefined || step.name === "Install" || !isDue(step.if, event, isFailed)) continue;
    const env = {
      ...runnerEnvironment(directory, clone, bin),
      GITHUB_STEP_SUMMARY: summaryFile,
      ...environmentOf(step, event),
    };
    steps.push({ name: step.name ?? step.run, ...(await bash(step.run, clone, env)) });
  }
  const left = ["plan.json", "report.json"].filter((name) => existsSync(join(clone, name)));
  const files = new Map(left.map((name) => [name, readFileSync(join(clone, name), "utf8")]));
  return { steps, summary: readFileSync(summaryFile, "utf8"), files };
}

/** Nothing of this machine's environment but the path reaches a step. */
function runnerEnvironment(directory: string, clone: string, bin: string): Record<string, string> {
  return {
    PATH: `${bin}:${process.env["PATH"] ?? ""}`,
    HOME: directory,
    CI: "true",
    GITHUB_ACTIONS: "true",
    GITHUB_WORKSPACE: clone,
    GITHUB_BASE_REF: "main",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
  };
}

function environmentOf({ env = {} }: Step, event: Event): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, text]) => [
      name,
      text.replaceAll(/\$\{\{(.*?)\}\}/g, (_, expression: string) => String(evaluate(expression, event))),
    ]),
  );
}

// Without a word on the status a step or job runs only after success.
function isDue(condition: string | boolean | undefined, event: Event, isFailed: boolean): boolean {
  if (condition === undefined || condition === true) return !isFailed;
  const expression = String(condition).replace(/^\$\{\{(.*)\}\}$/, "$1");
  return (!isFailed || expression.includes("always()")) && Boolean(evaluate(expression, event));
}

/** The value of an expression: of those that the workflows use GitHub's language is a part of JavaScript. */
function evaluate(
  expression: string,
  { vars = {}, secrets = {}, inputs = {}, eventName, ref }: Event,
): string | boolean {
  const contexts = {
    vars: orEmpty(vars),
    secrets: orEmpty(secrets),
    inputs: orEmpty(inputs),
    github: orEmpty({ event_name: eventName, ref: `refs/heads/${ref}` }),
    always: () => true,
    hashFiles: () => "hash",
  };
  return runInNewContext(expression, contexts) as string | boolean;
}

/** What is not set is the empty text there. */
function orEmpty(context: Readonly<Record<string, unknown>>): object {
  return new Proxy(context, { get: (target, name) => target[String(name)] ?? "" });
}

async function bash(
  script: string,
  cwd: string,
  env: Record<string, string>,
): Promise<{ readonly code: number; readonly output: string }> {
  const ran = await new Promise<{ readonly code: number; readonly output: string }>((resolve) => {
    const args = ["--noprofile", "--norc", "-eo", "pipefail", "-c", script];
    execFile("bash", args, { cwd, env }, (error: ExecFileException | null, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr });
    });
  });
  refuseToken(env["DATAHUB_GMS_TOKEN"], [ran.output]);
  return ran;
}

import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../support/catalog.ts";
import { gitIn } from "../support/git-repository.ts";
import { commandAt } from "./command.ts";
import { contextsOf, type Event, runnerEnvironment } from "./event.ts";
import { type Contexts, isDue, textsWith } from "./expressions.ts";
import type { Job, Workflow } from "./files.ts";
import { type Place, type Playing, playStep, type StepRun } from "./steps.ts";

/** What a workflow did: green only if every job that ran is. */
export interface WorkflowRun {
  readonly isGreen: boolean;
  /** The jobs that ran. */
  readonly jobs: readonly string[];
  /** The commands that ran: neither actions of GitHub nor the step that installs. */
  readonly steps: readonly StepRun[];
  readonly summary: string;
  /** The files that were uploaded, by name. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Plays a workflow, each job in a fresh clone, with the steps of the action in the place of the action, and a `datahub-gitops`
 * on the path that this process carries out. Artifacts are handed on as GitHub does.
 */
export async function play({ jobs, file }: Workflow, event: Event): Promise<WorkflowRun> {
  const playing: Playing = { event, file, steps: [], files: new Map(), artifacts: new Map(), summary: "" };
  const done: Record<string, JobRun> = {};
  for (const [name, job] of Object.entries(jobs)) {
    const contexts = contextsOf(event, job);
    const needed = [job.needs ?? []].flat();
    const needs = Object.fromEntries(needed.map((each) => [each, done[each] ?? skipped]));
    const isFailed = needed.some((each) => done[each]?.result !== "success");
    if (needed.includes("approve")) await event.onApproved?.();
    if (isDue(job.if, isFailed, { ...contexts, needs }))
      done[name] = await playJob(job, contexts, needs, playing);
  }
  const { steps, summary, files } = playing;
  return {
    isGreen: Object.values(done).every(({ result }) => result === "success"),
    jobs: Object.keys(done),
    steps,
    summary,
    files,
  };
}

interface JobRun {
  readonly result: "success" | "failure" | "skipped";
  readonly outputs: Readonly<Record<string, string>>;
}

const skipped: JobRun = { result: "skipped", outputs: {} };

async function playJob(
  job: Job,
  contexts: Contexts,
  needs: Readonly<Record<string, JobRun>>,
  playing: Playing,
): Promise<JobRun> {
  const directory = temporaryDirectory();
  const clone = join(directory, "clone");
  const temporary = join(directory, "temporary");
  mkdirSync(temporary);
  gitIn(directory, "clone", "--quiet", playing.event.repository, clone);
  gitIn(clone, "checkout", "--quiet", "--detach", `origin/${playing.event.ref}`);
  const commit = gitIn(clone, "rev-parse", "HEAD");
  const bin = await commandAt(join(directory, "bin"));
  symlinkSync(join(import.meta.dirname, "gh.mjs"), join(bin, "gh"));
  const env = { ...runnerEnvironment(directory, bin, playing.event), GITHUB_SHA: commit };
  const place: Place = {
    clone,
    env,
    contexts: { ...contexts, needs, runner: { temp: temporary } },
    steps: {},
    isFailed: false,
  };
  for (const step of job.steps) await playStep(step, place, playing);
  const outputs = textsWith(job.outputs, { ...place.contexts, steps: place.steps });
  return { result: place.isFailed ? "failure" : "success", outputs };
}

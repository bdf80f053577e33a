import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { temporaryDirectory } from "../support/catalog.ts";
import { githubToken } from "../support/github.ts";
import { refuseToken } from "../support/refuse-token.ts";
import { quoted, runLine } from "../support/spawner.ts";
import { zipOf } from "../support/zip.ts";
import type { Event } from "./event.ts";
import { type Contexts, isDue, textsWith, textWith } from "./expressions.ts";
import { isOwnAction, readAction, type Step } from "./files.ts";

/** What a step did. */
export interface StepRun {
  readonly name: string;
  readonly code: number;
  readonly output: string;
}

/** What grows while a workflow runs. */
export interface Playing {
  readonly event: Event;
  /** The file name of the workflow. */
  readonly file: string;
  readonly steps: StepRun[];
  readonly files: Map<string, string>;
  readonly artifacts: Map<string, { readonly file: string; readonly text: string }>;
  summary: string;
}

/** Where the steps of a job run, and what is known of them. */
export interface Place {
  readonly clone: string;
  readonly env: Readonly<Record<string, string>>;
  readonly contexts: Contexts;
  readonly steps: Record<string, StepState>;
  isFailed: boolean;
}

interface StepState {
  readonly outcome: "success" | "failure";
  readonly outputs: Readonly<Record<string, string>>;
}

/** Plays a step, if it is due: a command, the action of this project, or what GitHub's own actions do. */
export async function playStep(step: Step, place: Place, playing: Playing): Promise<void> {
  const contexts = { ...place.contexts, steps: place.steps };
  if (step.name === "Install" || !isDue(step.if, place.isFailed, contexts)) return;
  const state = isOwnAction(step)
    ? await playAction(step, place, playing)
    : step.run === undefined
      ? playForeign(step, contexts, place, playing)
      : await playCommand(step, contexts, place, playing);
  if (step.id !== undefined) place.steps[step.id] = state;
  if (state.outcome === "failure" && step["continue-on-error"] !== true) place.isFailed = true;
}

/** Plays the steps of the action, which see its inputs and each other. */
async function playAction(step: Step, place: Place, playing: Playing): Promise<StepState> {
  const { inputs: declared, outputs, runs } = readAction();
  const given = textsWith(step.with, { ...place.contexts, steps: place.steps });
  const inputs = Object.entries(declared).map(([name, { default: usual = "" }]) => [
    name,
    given[name] ?? textWith(usual, place.contexts),
  ]);
  const contexts = { ...place.contexts, inputs: Object.fromEntries(inputs) as object };
  const inside: Place = { ...place, contexts, steps: {} };
  for (const each of runs.steps) await playStep(each, inside, playing);
  const values = Object.fromEntries(Object.entries(outputs).map(([name, { value }]) => [name, value]));
  return {
    outcome: inside.isFailed ? "failure" : "success",
    outputs: textsWith(values, { ...contexts, steps: inside.steps }),
  };
}

/** What GitHub's own actions do with artifacts. A checkout and Node are there already. */
function playForeign(step: Step, contexts: Contexts, place: Place, playing: Playing): StepState {
  const { name = "", path = "" } = textsWith(step.with, contexts);
  if (step.uses?.startsWith("actions/upload-artifact@") === true && existsSync(path)) {
    const text = readFileSync(path, "utf8");
    const file = basename(path);
    playing.files.set(file, text);
    playing.artifacts.set(name, { file, text });
    const { ref: branch, github, eventName: event, isFork: isFromFork = false } = playing.event;
    const sha = place.env["GITHUB_SHA"] ?? "";
    const run = { event, file: playing.file };
    github.artifacts.push({ name, sha, branch, isFromFork, run, archive: zipOf({ [file]: text }) });
  }
  if (step.uses?.startsWith("actions/download-artifact@") === true) {
    const found = playing.artifacts.get(name);
    if (!found) return { outcome: "failure", outputs: {} };
    writeFileSync(join(path, found.file), found.text);
  }
  return { outcome: "success", outputs: {} };
}

async function playCommand(
  { name = "", run = "", env }: Step,
  contexts: Contexts,
  place: Place,
  playing: Playing,
): Promise<StepState> {
  const directory = temporaryDirectory();
  const files = { GITHUB_OUTPUT: join(directory, "output"), GITHUB_STEP_SUMMARY: join(directory, "summary") };
  for (const file of Object.values(files)) writeFileSync(file, "");
  const { code, output } = await bash(run, place.clone, {
    ...place.env,
    ...textsWith(env, contexts),
    ...files,
  });
  playing.steps.push({ name, code, output });
  playing.summary += readFileSync(files.GITHUB_STEP_SUMMARY, "utf8");
  const lines = readFileSync(files.GITHUB_OUTPUT, "utf8").split("\n").filter(Boolean);
  const outputs = Object.fromEntries(lines.map((line) => line.split("=") as [string, string]));
  return { outcome: code === 0 ? "success" : "failure", outputs };
}

/** Runs a step as GitHub does with `shell: bash`. No token may be in what it prints. */
export async function bash(
  script: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly output: string }> {
  const line = quoted("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script);
  const { code, output, said } = await runLine(`exec ${line}`, { cwd, env });
  const ran = { code, output: `${output.toString()}${said.toString()}` };
  for (const token of [env["DATAHUB_GMS_TOKEN"], githubToken]) refuseToken(token, [ran.output]);
  return ran;
}

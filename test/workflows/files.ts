import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parse } from "yaml";
import type { Written } from "./expressions.ts";

/** The root of this project, where the action is. */
export const project = join(import.meta.dirname, "../..");

export interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, Written>>;
  readonly run?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly "continue-on-error"?: boolean;
}

export interface Job {
  readonly if?: string;
  readonly needs?: string | readonly string[];
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly concurrency?: Concurrency;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

interface Concurrency {
  readonly group: string;
  readonly "cancel-in-progress": boolean;
  readonly queue?: string;
}

export interface Workflow {
  /** Its file name. */
  readonly file: string;
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: unknown;
  readonly concurrency?: Concurrency;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

/** The folders with workflows: those to copy, and this repository's own. */
export const folders = { examples: "examples/github", own: ".github/workflows" } as const;

/** A workflow as it stands in its file, such as `examples/github/plan.yml`. */
export function workflowIn(file: string): Workflow {
  return { ...(parse(textOf(file)) as Omit<Workflow, "file">), file: basename(file) };
}

/** The action of this repository. */
export function readAction(): Action {
  return parse(textOf("action.yml")) as Action;
}

/** The text of a file of this project. */
export function textOf(file: string): string {
  return readFileSync(resolve(project, file), "utf8");
}

/** Whether a step is the action of this repository, here or as others write it. */
export function isOwnAction({ uses = "" }: Step): boolean {
  return uses === "./" || uses.startsWith("OWNER/datahub-gitops@");
}

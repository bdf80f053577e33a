/** Generates GitHub Actions workflows from the examples, and determines the action and names in the workflows. */

import { readFileSync } from "node:fs";
import { InvalidArgumentError } from "commander";
import { packageFile } from "../../files/package-file.ts";
import { originOf } from "../../git/remote.ts";
import { gitStateOf } from "../../git/state.ts";
import { defaultDirectory } from "../options/options.ts";

/** The values to insert into the workflows of a repository. */
export interface WorkflowValues {
  /** The action, such as `acme/datahub-gitops@` followed by a commit. If `undefined`, the placeholder is kept. */
  readonly action: string | undefined;
  /** The branch whose commits are applied. */
  readonly branch: string;
  /** The catalog directory, relative to the repository root, with `/` as the separator. */
  readonly directory: string;
  /** The environment in the settings. Each environment has its own workflows. */
  readonly environment: string | undefined;
}

/** A workflow file. */
export interface WorkflowFile {
  readonly name: string;
  readonly text: string;
}

/** Matches the placeholder for the action. */
const actionPlace = /OWNER\/datahub-gitops@0+/g;

/** Matches the placeholder for the action in the URL of its guide. */
const guidePlace = /OWNER\/datahub-gitops\/blob\/HEAD\//g;

/** Replaces the placeholder in a workflow with the action. Returns `undefined` if the workflow has no placeholder. */
export function withAction(text: string, action: string): string | undefined {
  const filled = text.replaceAll(actionPlace, action);
  const [name = "", commit = ""] = action.split("@");
  return filled === text ? undefined : filled.replaceAll(guidePlace, `${name}/blob/${commit}/`);
}

/** The commands that have a workflow with the same name. */
export const workflowNames = ["plan", "apply", "drift"] as const;

/** Generates the workflows with the given values. */
export function workflowFiles(values: WorkflowValues): readonly WorkflowFile[] {
  const suffix = values.environment === undefined ? "" : `-${values.environment}`;
  return workflowNames.map((name) => ({
    name: `${name}${suffix}.yml`,
    text: filledIn(readFileSync(packageFile(`examples/github/${name}.yml`), "utf8"), values),
  }));
}

/** Returns the GitHub names of the URL variable and the token secret for an environment. */
export function githubNames(environment: string | undefined): {
  readonly variable: string;
  readonly secret: string;
} {
  const suffix = environment === undefined ? "" : `_${environment.toUpperCase().replaceAll(/\W/g, "_")}`;
  return { variable: `DATAHUB_GMS_URL${suffix}`, secret: `DATAHUB_GMS_TOKEN${suffix}` };
}

function filledIn(text: string, { action, branch, directory, environment }: WorkflowValues): string {
  const files = directory === "." ? "**" : `${directory}/**`;
  const general = text
    .replaceAll(`"${defaultDirectory}/**"`, JSON.stringify(files))
    .replaceAll(`catalog: ${defaultDirectory}\n`, `catalog: ${scalar(directory)}\n`)
    .replaceAll("branches: [main]", `branches: [${scalar(branch)}]`)
    .replaceAll("'refs/heads/main'", `'refs/heads/${branch.replaceAll("'", "''")}'`);
  const filled = action === undefined ? general : (withAction(general, action) ?? general);
  return environment === undefined ? filled : forEnvironment(filled, environment);
}

// Adapts a workflow to an environment. Each environment has its own workflows, variables, secrets and jobs.
function forEnvironment(text: string, environment: string): string {
  const { variable, secret } = githubNames(environment);
  return text
    .replaceAll(/\b(plan|apply|drift)\.yml\b/g, `$1-${environment}.yml`)
    .replace(/^name: (\w+)$/m, `name: $1-${environment}`)
    .replaceAll(/^( +)command: plan$/gm, `$&\n$1plan-workflow: plan-${environment}.yml`)
    .replaceAll(/^( +)command: \w+$/gm, `$&\n$1environment: ${scalar(environment)}`)
    .replaceAll(/\bvars\.DATAHUB_GMS_URL\b/g, `vars.${variable}`)
    .replaceAll(/\bsecrets\.DATAHUB_GMS_TOKEN\b/g, `secrets.${secret}`)
    .replaceAll(/^( +environment: datahub)(-approval)?$/gm, `$1-${environment}$2`)
    .replaceAll(/^( +group: datahub-gitops(?:-plan)?)\b/gm, `$1-${environment}`)
    .replace(/^ {2}catalog:$/m, `  catalog-${environment}:`)
    .replaceAll("`datahub-approval`", `\`datahub-${environment}-approval\``)
    .replaceAll("job `catalog`", `job \`catalog-${environment}\``);
}

function scalar(text: string): string {
  return /^[A-Za-z][\w./-]*$|^\.$/.test(text) ? text : JSON.stringify(text);
}

/** Parses the name and commit of an action. */
export function parseAction(text: string): string {
  if (/^[\w.-]+\/[\w.-]+@[0-9a-f]{40}$/.test(text)) return text;
  throw new InvalidArgumentError("Use OWNER/NAME@COMMIT, with the full 40-digit commit hash.");
}

/** Returns the action of this program, if the program runs from a clone of a GitHub repository. */
export async function ownAction(): Promise<string | undefined> {
  const root = packageFile("");
  const address = (await originOf(root)) ?? "";
  const name = /^(?:https:\/\/|ssh:\/\/git@|git@)github\.com[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(
    address,
  );
  const { commit } = await gitStateOf(root);
  return name?.[1] === undefined || commit === null ? undefined : `${name[1]}@${commit}`;
}

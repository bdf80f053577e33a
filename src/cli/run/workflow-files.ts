import { readFileSync } from "node:fs";
import { InvalidArgumentError } from "commander";
import { packageFile } from "../../files/package-file.ts";
import { mainBranchOf, originOf } from "../../git/remote.ts";
import { gitStateOf } from "../../git/state.ts";
import { defaultDirectory } from "../options/options.ts";

/** What the workflows of a repository are filled in with. */
export interface WorkflowValues {
  /** The action, as `acme/datahub-gitops@` and a commit; `undefined` leaves its place to be filled in. */
  readonly action: string | undefined;
  readonly branch: string;
  /** The catalog directory, relative to the root of the repository, with `/`. */
  readonly directory: string;
  /** The environment of the settings that they are for. Each has workflows of its own. */
  readonly environment: string | undefined;
}

/** A workflow: the name of its file, and its text. */
export interface WorkflowFile {
  readonly name: string;
  readonly text: string;
}

/** The placeholder of the action. */
const actionPlace = /OWNER\/datahub-gitops@0+/g;

/** A workflow with the action where it is still to be set, and otherwise as it is; `undefined` where it is set everywhere. */
export function withAction(text: string, action: string): string | undefined {
  const filled = text.replaceAll(actionPlace, action);
  return filled === text ? undefined : filled;
}

/** The commands for which there are workflows, which are called like them. */
export const workflowNames = ["plan", "apply", "drift"] as const;

/** The workflows for GitHub Actions with these values. */
export function workflowFiles(values: WorkflowValues): readonly WorkflowFile[] {
  const suffix = values.environment === undefined ? "" : `-${values.environment}`;
  return workflowNames.map((name) => ({
    name: `${name}${suffix}.yml`,
    text: filledIn(readFileSync(packageFile(`examples/github/${name}.yml`), "utf8"), values),
  }));
}

/** The names of the variable with the address and of the secret with the token of an environment. */
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
    .replaceAll("'refs/heads/main'", `'refs/heads/${branch.replaceAll("'", "''")}'`)
    .replaceAll(actionPlace, action ?? "$&");
  return environment === undefined ? general : forEnvironment(general, environment);
}

// Each environment has its own workflows, variables, secrets and jobs.
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

/** Takes the name of an action with a commit. */
export function parseAction(text: string): string {
  if (/^[\w.-]+\/[\w.-]+@[0-9a-f]{40}$/.test(text)) return text;
  throw new InvalidArgumentError("Use OWNER/NAME@COMMIT, with all 40 digits of the commit.");
}

/** The action that this program itself is: its clone of a repository on GitHub, where it runs from one. */
export async function ownAction(): Promise<string | undefined> {
  const root = packageFile("");
  const address = (await originOf(root)) ?? "";
  const name = /^(?:https:\/\/|ssh:\/\/git@|git@)github\.com[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(
    address,
  );
  const { commit } = await gitStateOf(root);
  return name?.[1] === undefined || commit === null ? undefined : `${name[1]}@${commit}`;
}

/** The branch whose commits are applied. */
export async function branchOf(dir: string): Promise<string> {
  return (await mainBranchOf(dir)) ?? "main";
}

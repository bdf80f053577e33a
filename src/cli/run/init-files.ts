/**
 * Writes the files that `init` creates (settings, `.gitignore`, workflows, a CODEOWNERS example), and sets the action in existing
 * workflows.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { createFile } from "../../files/create-file.ts";
import { readContainedFile } from "../../files/read-file.ts";
import { packageFile } from "../../files/package-file.ts";
import { rewriteFile } from "../../files/rewrite-file.ts";
import { definitionKinds } from "../../kinds/index.ts";
import { displayName } from "../../manifests/base/catalog-files.ts";
import { defaultSettingsFile } from "../../manifests/settings/settings.ts";
import { type NewSettings, newSettingsText } from "../../manifests/settings/settings-text.ts";
import { writing } from "../errors.ts";
import type { Io } from "../io.ts";
import { shellWord } from "./next-commands.ts";
import { githubNames, withAction, workflowFiles, type WorkflowValues } from "./workflow-files.ts";

/** The locations of the new files, and the values for their contents. */
export interface NewFiles {
  /** The catalog directory. */
  readonly root: string;
  /** The root of the repository that contains the catalog directory. */
  readonly repository: string;
  readonly settings: NewSettings;
  /** The values for the workflows, or `undefined` if no workflows are to be written. */
  readonly workflows: WorkflowValues | undefined;
}

interface NewFile {
  readonly path: string;
  readonly text: string;
  /** For a workflow, the action to use, or an empty string if the action is unknown. */
  readonly action?: string;
}

/** The folder of the local catalog, which must not be committed. */
const ignoredFolder = ".datahub-gitops/";
const ignoreText = `${ignoredFolder}\n`;

/** A file that `init` has written: a new file, or a workflow in which it has set the action. */
export interface WrittenFile {
  readonly name: string;
  readonly isNew: boolean;
}

/** Writes the files that do not exist, and sets the action in existing workflows. Returns the written files. */
export async function writeNewFiles(
  files: NewFiles,
  notify: (text: string) => void,
  io: Io,
): Promise<readonly WrittenFile[]> {
  const written = await writeMissing(filesFor(files), notify, io);
  if (files.workflows && written.some(({ name, isNew }) => isNew && name.includes(".github/workflows/")))
    for (const line of workflowAdvice(files.workflows, files.settings.server)) notify(line);
  return written;
}

/** Writes the example for CODEOWNERS. The example contains only existing folders, so it must be written after an export. */
export async function writeOwnersExample(
  { root, repository }: NewFiles,
  notify: (text: string) => void,
  io: Io,
): Promise<readonly WrittenFile[]> {
  const path = join(repository, ".github", "CODEOWNERS.example");
  return await writeMissing([{ path, text: ownersExample(root, displayName(root, repository)) }], notify, io);
}

async function writeMissing(
  files: readonly NewFile[],
  notify: (text: string) => void,
  io: Io,
): Promise<readonly WrittenFile[]> {
  const written: WrittenFile[] = [];
  for (const file of files) {
    io.interrupted.throwIfAborted();
    const name = displayName(file.path, io.cwd);
    if (await writing(name, () => createFile(file.path, file.text))) written.push({ name, isNew: true });
    else if (await setAction(file, name)) {
      written.push({ name, isNew: false });
      notify(`Set the action in ${name}`);
    } else notify(`${name} already exists; left unchanged${advice(file)}`);
  }
  return written;
}

function filesFor({ root, repository, settings, workflows }: NewFiles): readonly NewFile[] {
  const folder = join(repository, ".github", "workflows");
  return [
    { path: defaultSettingsFile(root), text: newSettingsText(settings) },
    { path: join(repository, ".gitignore"), text: ignoreText },
    ...(workflows
      ? workflowFiles(workflows).map(({ name, text }) => ({
          path: join(folder, name),
          text,
          action: workflows.action ?? "",
        }))
      : []),
  ];
}

/** Sets the action in an existing workflow that still contains the placeholder. Returns whether the file was changed. */
async function setAction({ path, action = "" }: NewFile, name: string): Promise<boolean> {
  const filled = action === "" ? undefined : withAction(textOf(path), action);
  if (filled === undefined) return false;
  await writing(name, () => rewriteFile(path, filled));
  return true;
}

function advice({ path, text, action }: NewFile): string {
  if (action === "" && withAction(textOf(path), action) !== undefined)
    return ". To set the action, use --action or edit the line marked (1)";
  if (text !== ignoreText || textOf(path).split(/\r?\n/).includes(ignoredFolder)) return "";
  return `. Add the line ${ignoredFolder} to it`;
}

/** Returns the text of a file, or an empty string if the file cannot be read. */
function textOf(path: string): string {
  try {
    return readContainedFile(path).toString("utf8");
  } catch {
    return "";
  }
}

/** Returns commands that the user can copy to set up the workflows on GitHub. */
function workflowAdvice(
  { action, environment }: WorkflowValues,
  server = "https://datahub.acme.com/api/gms",
): readonly string[] {
  const { variable, secret } = githubNames(environment);
  const name = environment === undefined ? "datahub" : `datahub-${environment}`;
  const check = environment === undefined ? "catalog" : `catalog-${environment}`;
  const put = "gh api --method PUT repos/{owner}/{repo}/environments";
  return [
    ...(action === undefined
      ? ["To set the action in the workflows, use --action or edit the lines marked (1)."]
      : []),
    "Set up GitHub for the workflows:",
    `  gh variable set ${variable} --body ${shellWord(server)}`,
    `  gh secret set ${secret}   # a token that can read the catalog`,
    `  ${put}/${name}`,
    `  gh secret set ${secret} --env ${name}   # a token that can edit the catalog`,
    `  ${put}/${name}-approval   # add the reviewers in the repository settings`,
    `Then require the check \`${check}\`. More information: ${guideOf(action)}`,
  ];
}

/** Returns the URL of the CI guide on GitHub. If the action is unknown, returns the path of the guide in this package. */
function guideOf(action: string | undefined): string {
  const [name, commit] = action?.split("@") ?? [];
  return name === undefined || commit === undefined
    ? packageFile("docs/ci.md")
    : `https://github.com/${name}/blob/${commit}/docs/ci.md`;
}

/** Returns a CODEOWNERS example with owners for all manifests, and for the first kind of definition that has a folder. */
function ownersExample(root: string, directory: string): string {
  const prefix = directory === "." ? "/" : `/${directory.replaceAll(" ", String.raw`\ `)}/`;
  const folder = definitionKinds.find(({ plural }) => existsSync(join(root, plural)))?.plural;
  return [
    "# Replace the team names, and rename this file to CODEOWNERS. If several lines match a file, the last one applies.",
    `${prefix} @your-organization/data-platform`,
    ...(folder === undefined ? [] : [`${prefix}${folder}/ @your-organization/data-governance`]),
    "",
  ].join("\n");
}

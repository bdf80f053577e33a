import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createFile } from "../../files/create-file.ts";
import { packageFile } from "../../files/package-file.ts";
import { readContainedFile } from "../../files/read-file.ts";
import { definitionKinds } from "../../kinds/index.ts";
import { displayName } from "../../manifests/catalog-files.ts";
import { defaultSettingsFile } from "../../manifests/settings/settings.ts";
import { type NewSettings, newSettingsText } from "../../manifests/settings/settings-text.ts";
import { unwritable } from "../errors.ts";
import type { Io } from "../io.ts";
import { defaultDirectory } from "../options/options.ts";

/** What `init` writes, and where. */
export interface NewFiles {
  /** The catalog directory. */
  readonly root: string;
  /** The root of its repository. */
  readonly repository: string;
  readonly settings: NewSettings;
  readonly workflows: boolean;
}

interface NewFile {
  readonly path: string;
  readonly text: string;
}

/** Where the tool keeps the local catalog: nothing to commit. */
const ignoredFolder = ".datahub-gitops/";
const ignoreText = `${ignoredFolder}\n`;

const workflowNames = ["plan.yml", "apply.yml", "drift.yml"];

/**
 * Writes the files that are not there yet and answers with their names. The others stay, and are named. Throws `RunError`
 * where one cannot be written.
 */
export async function writeNewFiles(
  files: NewFiles,
  tell: (text: string) => void,
  io: Io,
): Promise<readonly string[]> {
  const created = await writeThose(filesFor(files), tell, io);
  if (created.some((name) => name.includes(".github/workflows/"))) tell(workflowAdvice(files));
  return created;
}

/** The same for the example of owners. It names folders that are there, so it comes after an export. */
export async function writeOwnersExample(
  { root, repository }: Pick<NewFiles, "root" | "repository">,
  tell: (text: string) => void,
  io: Io,
): Promise<readonly string[]> {
  const path = join(repository, ".github", "CODEOWNERS.example");
  return await writeThose([{ path, text: ownersExample(root, displayName(root, repository)) }], tell, io);
}

async function writeThose(
  files: readonly NewFile[],
  tell: (text: string) => void,
  io: Io,
): Promise<readonly string[]> {
  const created: string[] = [];
  for (const file of files) {
    io.interrupted.throwIfAborted();
    const name = displayName(file.path, io.cwd);
    if (await write(file, name)) created.push(name);
    else tell(`${name} exists already, and stays as it is${advice(file)}`);
  }
  return created;
}

function filesFor({ root, repository, settings, workflows }: NewFiles): readonly NewFile[] {
  const folder = join(repository, ".github", "workflows");
  return [
    { path: defaultSettingsFile(root), text: newSettingsText(settings) },
    { path: join(repository, ".gitignore"), text: ignoreText },
    ...(workflows
      ? workflowNames.map((name) => ({ path: join(folder, name), text: shippedWorkflow(name) }))
      : []),
  ];
}

async function write({ path, text }: NewFile, name: string): Promise<boolean> {
  try {
    return await createFile(path, text);
  } catch (error) {
    throw unwritable(name, error);
  }
}

function advice({ path, text }: NewFile): string {
  if (text !== ignoreText || linesOf(path).includes(ignoredFolder)) return "";
  return `; add the line ${ignoredFolder} to it`;
}

/** The lines of a file; none of one that cannot be read. */
function linesOf(path: string): readonly string[] {
  try {
    return readContainedFile(path).toString("utf8").split(/\r?\n/);
  } catch {
    return [];
  }
}

function workflowAdvice({ root, repository }: NewFiles): string {
  const directory = displayName(root, repository);
  const elsewhere =
    directory === defaultDirectory
      ? ""
      : `. Write ${directory} instead of ${defaultDirectory} in paths and as the input catalog of the action`;
  return `Set the values (1), (2) and (3) in the workflows, as docs/ci.md of datahub-gitops says${elsewhere}.`;
}

/** Owners for all manifests, and for those of the first kind of definitions that has a folder. */
function ownersExample(root: string, directory: string): string {
  const prefix = directory === "." ? "/" : `/${directory.replaceAll(" ", String.raw`\ `)}/`;
  const folder = definitionKinds.find(({ plural }) => existsSync(join(root, plural)))?.plural;
  return [
    "# Name your teams, and rename this file to CODEOWNERS. Of several lines that match a file, the last one holds.",
    `${prefix} @your-organization/data-platform`,
    ...(folder === undefined ? [] : [`${prefix}${folder}/ @your-organization/data-governance`]),
    "",
  ].join("\n");
}

function shippedWorkflow(name: string): string {
  return readFileSync(packageFile(`examples/github/${name}`), "utf8");
}

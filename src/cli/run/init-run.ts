/** Sets up a catalog directory for `init`: asks questions, writes files, exports the catalog, and suggests next steps. */

import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { checkServer } from "../../datahub/server-config.ts";
import { enclosingWorkTree } from "../../files/links.ts";
import { mainBranchOf } from "../../git/remote.ts";
import { displayName } from "../../manifests/base/catalog-files.ts";
import { defaultSettingsFile } from "../../manifests/settings/settings.ts";
import type { KnownEntities } from "../../manifests/schema/known-schema.ts";
import { type Mode, modes } from "../../model/settings.ts";
import { openRepository, type Repository } from "../../workflow/scope/repository.ts";
import { UsageError } from "../errors.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { defaultDirectory, locationOf } from "../options/options.ts";
import { type Target, type TargetOptions, withTarget } from "../options/target.ts";
import { note } from "../output/messages.ts";
import { type Completions, hasSchemas, knownForEditors, writeSchemas } from "./editor-schemas.ts";
import { knownInManifests } from "./known-entities.ts";
import { readExistingManifests } from "./catalog-directory.ts";
import { runExport } from "./export-run.ts";
import { type WrittenFile, writeNewFiles, writeOwnersExample } from "./init-files.ts";
import { readSample } from "./init-sample.ts";
import { adviceBefore, adviceFor } from "./init-modes.ts";
import { nextCommands } from "./next-commands.ts";
import { ownAction, type WorkflowValues } from "./workflow-files.ts";
import { askChoice, askDirectory, askServer, askWhether } from "./init-questions.ts";

/** The options for `init`. For missing options, `init` asks the user or uses the recommended value. */
export interface InitOptions extends TargetOptions {
  readonly env?: string;
  readonly mode?: Mode;
  readonly workflows?: boolean;
  readonly action?: string;
  readonly export?: boolean;
  readonly yes?: boolean;
  readonly quiet?: boolean;
}

/** The directory to set up, and its existing contents. */
interface Place {
  readonly dir: string;
  readonly root: string;
  /**
   * The root of the Git work tree. If there is none, the working directory is used, or `root` if `root` is outside the working
   * directory.
   */
  readonly top: string;
  readonly repository: Repository;
  readonly hasSettings: boolean;
  readonly hasManifests: boolean;
  /** The definitions in the existing manifests. */
  readonly inManifests: KnownEntities;
}

/** The choices for the setup, based on options, answers and the catalog. */
interface Choices {
  readonly mode: Mode;
  /** The server to write to the settings, or `undefined` for a local catalog. */
  readonly server: string | undefined;
  readonly workflows: boolean;
  readonly exports: boolean;
  readonly completions: Completions;
}

/**
 * Asks for missing options or uses the recommended values, writes the files that do not exist, exports the catalog if requested,
 * and prints the next commands. Nothing is written until the server has responded and the user has answered all questions. If the
 * export fails, completes the setup and then throws the error.
 */
export async function runInit(
  directory: string | undefined,
  options: InitOptions,
  io: Io,
): Promise<ExitCode> {
  const asks = io.isInteractive && options.yes !== true;
  requireAnswers(options, io);
  const dir = directory ?? (asks ? await askDirectory(defaultDirectory, io) : defaultDirectory);
  const place = await placeAt(dir, options, io);
  const isNamed = options.server !== undefined || options.local === true;
  const known = isNamed || !asks ? options : { ...options, server: await askServer(io) };
  const choices = await choose(place, { options: known, asks }, io);
  const settings = { server: choices.server, mode: choices.mode };
  const workflows = choices.workflows ? await workflowValues(place, options) : undefined;
  const files = { root: place.root, repository: place.top, settings, workflows };
  const notify = options.quiet === true ? (): void => {} : (text: string): void => note(text, io);
  const printCreated = (written: readonly WrittenFile[]): void => {
    for (const { name, isNew } of written) if (isNew) io.stdout.write(`Created ${name}\n`);
  };
  const before = [
    ...(await writeNewFiles(files, notify, io)),
    ...(hasSchemas(place.repository)
      ? (await writeSchemas(place.repository, choices.completions, notify)).map((name) => ({
          name,
          isNew: true,
        }))
      : []),
  ];
  printCreated(before);
  const exported = choices.exports
    ? await tryExport(dir, known, choices.completions, io)
    : { code: exitCodes.done };
  const after = await writeOwnersExample(files, notify, io);
  printCreated(after);
  const written = [...before, ...after].map(({ name }) => name);
  const isLeft = "error" in exported;
  const next = { ...place, ...choices, ...(isLeft && { exports: false, hasManifests: false }) };
  if (options.quiet !== true) io.stdout.write(nextCommands({ ...next, options: known, written }, io));
  if (isLeft) throw exported.error;
  return exported.code;
}

/**
 * Exports the catalog. Returns an error instead of throwing it, so that the setup can continue. If interrupted, throws the
 * reason.
 */
async function tryExport(
  dir: string,
  options: InitOptions,
  { inCatalog }: Completions,
  io: Io,
): Promise<{ readonly code: ExitCode } | { readonly error: unknown }> {
  try {
    return { code: await runExport(dir, options, io, inCatalog) };
  } catch (error) {
    io.interrupted.throwIfAborted();
    return { error };
  }
}

async function workflowValues({ root, top }: Place, { action, env }: InitOptions): Promise<WorkflowValues> {
  return {
    action: action ?? (await ownAction()),
    branch: (await mainBranchOf(top)) ?? "main",
    directory: displayName(root, top),
    environment: env,
  };
}

const serverVariables = ["DATAHUB_GMS_URL", "DATAHUB_GMS_HOST", "DATAHUB_GMS_PORT"];

function requireAnswers({ server, local, yes }: InitOptions, io: Io): void {
  if (io.isInteractive) return;
  const isNamed = serverVariables.some((name) => (io.env[name] ?? "").trim() !== "");
  const missing = [
    ...(server === undefined && local !== true && !isNamed ? ["--server <url>"] : []),
    ...(yes === true ? [] : ["--yes"]),
  ];
  if (missing.length > 0)
    throw new UsageError(`init cannot ask questions without a terminal; use ${missing.join(" and ")}`);
}

async function placeAt(dir: string, options: InitOptions, io: Io): Promise<Place> {
  const root = resolve(io.cwd, dir);
  const repository = await openRepository(locationOf(dir, options, io));
  const found = await readExistingManifests(repository, io);
  const isOutside = relative(io.cwd, root).startsWith("..");
  return {
    dir,
    root,
    top: enclosingWorkTree(root) ?? (isOutside ? root : io.cwd),
    repository,
    hasSettings: existsSync(defaultSettingsFile(root)),
    hasManifests: found.declarations.length > 0,
    inManifests: knownInManifests(found),
  };
}

interface Asking {
  readonly options: InitOptions;
  readonly asks: boolean;
}

async function choose(place: Place, { options, asks }: Asking, io: Io): Promise<Choices> {
  const { settings } = place.repository;
  return await withTarget(options, { settings, writes: false }, io, async (target) => {
    await checkServer(target.connection, io.interrupted);
    const mode = await chooseMode(place, { options, asks, target }, io);
    const has = (name: string): boolean => existsSync(join(place.top, name));
    const wanted = async (given: boolean | undefined, text: string, fallback: boolean): Promise<boolean> =>
      given ?? (asks ? await askWhether(text, fallback, io) : fallback);
    return {
      mode,
      server: options.local === true ? undefined : target.connection.endpoint.address,
      workflows: await wanted(
        options.workflows,
        "Write the workflows for GitHub Actions",
        has(".github/workflows"),
      ),
      exports: await wanted(options.export, "Export the catalog to manifests", !place.hasManifests),
      completions: {
        // A new settings file always refers to the schemas, which list these entities.
        inCatalog:
          place.hasSettings && !hasSchemas(place.repository)
            ? undefined
            : await knownForEditors(target.connection, io),
        inManifests: place.inManifests,
      },
    };
  });
}

async function chooseMode(
  { repository, hasSettings, hasManifests, root }: Place,
  { options, asks, target }: Asking & { readonly target: Target },
  io: Io,
): Promise<Mode> {
  // Reading the sample also makes the command fail early if the token does not allow reads.
  const sample = await readSample(target.connection, io.interrupted);
  if (hasSettings) {
    const name = displayName(defaultSettingsFile(root), io.cwd);
    if (options.mode !== undefined) note(`--mode has no effect, because ${name} already sets the modes`, io);
    return options.mode ?? "authoritative";
  }
  const advice = hasManifests ? await adviceFor(repository, sample, { target, io }) : adviceBefore(sample);
  if (options.quiet !== true || asks) for (const line of advice.lines) note(line, io);
  if (options.mode !== undefined) return options.mode;
  return asks
    ? await askChoice("Mode", { choices: modes, fallback: advice.recommended }, io)
    : advice.recommended;
}

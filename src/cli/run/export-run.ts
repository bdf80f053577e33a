import { dirname, join, resolve } from "node:path";
import { createReader } from "../../datahub/client.ts";
import { checkServer } from "../../datahub/server-config.ts";
import { exportCatalog, type ExportSink } from "../../library/export-catalog.ts";
import type { ExportScope } from "../../library/export-discovery.ts";
import { makeDirectory } from "../../files/create-file.ts";
import { removeFile } from "../../files/remove-file.ts";
import { replaceFile } from "../../files/replace-file.ts";
import { displayName } from "../../manifests/catalog-files.ts";
import { type Desired, readDesired } from "../../manifests/desired-state.ts";
import {
  type ExportDirectory,
  exportedFiles,
  type FileChange,
} from "../../manifests/edit/export/exported-files.ts";
import { pathFilter } from "../../manifests/settings/environments.ts";
import { hasTrait } from "../../model/problem-traits.ts";
import type { Urn } from "../../model/urn.ts";
import { ignoring } from "../../plan/adopt/ignore.ts";
import { matching } from "../../plan/sides/select.ts";
import { blobId } from "../../git/commit.ts";
import { committedOf } from "../../scope/committed.ts";
import { ManifestError } from "../../scope/errors.ts";
import { nearestCatalog } from "../../scope/nearest-catalog.ts";
import { openRepository, readingOf, type Repository } from "../../scope/repository.ts";
import { unwritable, UsageError } from "../errors.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { defaultDirectory, locationOf } from "../options/options.ts";
import { type TargetOptions, withTarget } from "../options/target.ts";
import { note } from "../output/messages.ts";
import { progressOf } from "../output/progress.ts";
import { namesSchemas, writeSchemas } from "./editor-schemas.ts";
import {
  type Omission,
  printExportSummary,
  type SummaryOptions,
  type WrittenFiles,
} from "./export-summary.ts";

/** The options of `export`. */
export interface ExportOptions extends TargetOptions, SummaryOptions {
  readonly settings?: string;
  readonly env?: string;
  readonly force?: boolean;
}

/** Exports the catalog into a directory and says what was written, what was kept, and what was left out. */
export async function runExport(dir: string, options: ExportOptions, io: Io): Promise<ExitCode> {
  const repository = await openRepository(locationOf(dir, options, io));
  noteOtherCatalog(dir, options, io);
  const root = resolve(io.cwd, dir);
  const found = await existing(repository, io);
  const { names, others, rules, exempt } = found;
  const { declarations } = found;
  const directory: ExportDirectory = {
    root,
    cwd: io.cwd,
    declarations,
    names: new Set([...names, ...others]),
    isPart: pathFilter(repository.settings.paths),
    folder: folderOf(repository),
    ...(await committedOf(repository, found, io.interrupted)),
    isNamed: matching((options.target ?? []).filter((pattern) => !pattern.includes("*"))),
    force: options.force === true,
    isInScope: (facet) => options.facet?.includes(facet) ?? true,
    namesSchema: namesSchemas(repository),
  };
  const { changeFor, ...files } = exportedFiles(directory);
  const written: WrittenFiles = {
    create: [],
    update: [],
    delete: [],
    unchanged: [],
    keep: [],
    skip: [],
  };
  const left: Omission[] = [];
  const declared = new Set(declarations.map(({ entity }) => entity.urn));
  const absent: Urn[] = [];
  const unread = new Map<Urn, string>();
  const sink: ExportSink = {
    ...files,
    take: async (urn, manifest, live) => {
      const change = changeFor(urn, manifest, live);
      if (change) await writeChange(change, directory, written);
    },
    leaveOut: (urn, why, facet) => void left.push({ urn, why, facet }),
    absent: (urn) => void (declared.has(urn) || absent.push(urn)),
    unreadable: (urn, error) => void unread.set(urn, error),
  };
  const scope = scopeOf(options);
  const progress = progressOf("Exporting", io, options.quiet === true);
  const pinned = repository.settings.server;
  await withTarget(options, { pinned, writes: false }, io, async ({ connection }) => {
    await checkServer(connection, io.interrupted);
    await writeSchemas(repository, (text) => options.quiet === true || note(text, io));
    await exportCatalog(createReader(connection), sink, {
      scope,
      ignored: ignoring(repository.settings.ignore ?? []),
      rules: { rules, exempt },
      signal: io.interrupted,
      ...(progress.isShown && { onProgress: progress.report }),
    });
  }).finally(() => progress.end());
  return printExportSummary(written, { dir, left, absent, unread, options }, io);
}

/** Says where other commands look for the catalog, where that is not the directory that an export writes to by default. */
function noteOtherCatalog(dir: string, { settings, quiet }: ExportOptions, io: Io): void {
  if (dir !== defaultDirectory || quiet === true) return;
  const found = nearestCatalog({ cwd: io.cwd, name: dir, hasSettings: settings !== undefined });
  if (found === undefined || found === dir) return;
  note(`A catalog exists at ${found}; the manifests are written to ${dir}`, io);
}

/** What the manifests of a catalog directory declare, if it exists. Throws `ManifestError` where they are not valid. */
export async function existing(repository: Repository, io: Io): Promise<Desired> {
  const desired = await readDesired(repository.directory, {
    ...readingOf(repository),
    idOf: blobId,
    signal: io.interrupted,
  });
  const errors = desired.problems.filter(
    (problem) => problem.severity === "error" && !hasTrait(problem, "no-manifest"),
  );
  if (errors.length > 0) throw new ManifestError(desired.problems);
  return desired;
}

/** The folder for new files that would otherwise not belong to the environment. Throws `UsageError` where none of its `paths` is one. */
function folderOf({ settings: { paths }, environment = "" }: Repository): string {
  if (!paths) return "";
  const [folder] = paths.flatMap(({ pattern }) => /^([^*]+\/)\*+$/.exec(pattern)?.[1] ?? []);
  if (folder !== undefined) return folder;
  throw new UsageError(
    `export does not know where new files of the environment ${environment} belong: none of its \`paths\` is a folder, such as ${environment}/*`,
  );
}

function scopeOf({ target, platform, domain, kind, facet }: ExportOptions): ExportScope {
  return {
    ...(kind && { kinds: new Set(kind) }),
    ...(facet && { facets: new Set(facet) }),
    ...(target && { isTarget: matching(target) }),
    ...(platform && { platforms: platform }),
    ...(domain && { domains: domain }),
  };
}

/** Changes the files of a catalog directory, and records each. Throws `RunError` for a file that cannot be written. */
async function writeChange(
  change: FileChange,
  { root, cwd }: { readonly root: string; readonly cwd: string },
  written: WrittenFiles,
): Promise<void> {
  const path = join(root, change.name);
  try {
    if ("text" in change) {
      await makeDirectory(dirname(path));
      await replaceFile(path, change.text, { mode: 0o644, isSynced: false });
    } else if (change.action === "delete") await removeFile(path);
  } catch (error) {
    throw unwritable(displayName(path, cwd), error);
  }
  written[change.action].push(change.name);
}

/** Exports the catalog as manifests, for `export` and `init`. */

import { createReader, type Reader } from "../../datahub/client.ts";
import { checkServer } from "../../datahub/server-config.ts";
import { exportCatalog, type ExportSink } from "../../workflow/export/export.ts";
import type { ExportScope } from "../../workflow/export/export-discovery.ts";
import { exportedFiles } from "../../manifests/edit/export/exported-files.ts";
import type { KnownEntities } from "../../manifests/schema/known-schema.ts";
import { urnOf } from "../../model/packed-declarations.ts";
import type { Urn } from "../../model/urn.ts";
import { ignoring } from "../../plan/base/ignore.ts";
import { matching } from "../../plan/align/select.ts";
import { nearestCatalog } from "../../workflow/scope/nearest-catalog.ts";
import { openRepository } from "../../workflow/scope/repository.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { defaultDirectory, locationOf } from "../options/options.ts";
import { selectionBy } from "../options/scope.ts";
import { type TargetOptions, withTarget } from "../options/target.ts";
import { note } from "../output/messages.ts";
import { progressOf } from "../output/progress.ts";
import { directoryOf, readExistingManifests, nothingWritten, writeChange } from "./catalog-directory.ts";
import { hasSchemas, knownForEditors, writeSchemas } from "./editor-schemas.ts";
import { namedNarrowing } from "./named-filter.ts";
import { knownInManifests } from "./known-entities.ts";
import { appliesSinceBase } from "./past-runs.ts";
import { type Omission, printExportSummary, type SummaryOptions } from "./export-summary.ts";
import type { Desired } from "../../manifests/base/desired.ts";

/** The options for `export`. */
export interface ExportOptions extends TargetOptions, SummaryOptions {
  readonly settings?: string;
  readonly env?: string;
  readonly force?: boolean;
}

/**
 * Exports the catalog to a directory. Prints the files that were written or kept, and everything that was skipped. `known`
 * contains the entities for editor completion, if they have already been read.
 */
export async function runExport(
  dir: string,
  options: ExportOptions,
  io: Io,
  known?: KnownEntities,
): Promise<ExitCode> {
  const repository = await openRepository(locationOf(dir, options, io));
  noteOtherCatalog(dir, options, io);
  const found = await readExistingManifests(repository, io);
  const { rules, exempt, declarations } = found;
  const written = nothingWritten();
  const left: Omission[] = [];
  const declared = new Set(declarations.map(urnOf));
  const absent: Urn[] = [];
  const unread = new Map<Urn, string>();
  const { settings } = repository;
  const progress = progressOf("Exporting", io, options.quiet === true);
  const { domains } = await withTarget(options, { settings, writes: false }, io, async (target) => {
    const { connection, name } = target;
    await checkServer(connection, io.interrupted);
    const reader = createReader(connection);
    const scope = await scopeOf(options, reader, found, io);
    const keepSchemas = once(async () => {
      const inCatalog = known ?? (await knownForEditors(connection, io));
      const completions = { inCatalog, inManifests: knownInManifests(found) };
      const notify = (text: string): void => void (options.quiet === true || note(text, io));
      const created = await writeSchemas(repository, completions, notify);
      for (const file of created) notify(`Created ${file} for editors`);
    });
    if (hasSchemas(repository)) await keepSchemas();
    const directory = {
      ...(await directoryOf(repository, found, io, await appliesSinceBase(repository, name, io))),
      isNamed: matching((options.target ?? []).filter((pattern) => !pattern.includes("*"))),
      force: options.force === true,
      isInScope: (facet: string) => options.facet?.includes(facet) ?? true,
      namesSchema: true,
    };
    const { changeFor, ...files } = exportedFiles(directory);
    const sink: ExportSink = {
      ...files,
      take: async (urn, manifest, live) => {
        const change = changeFor(urn, manifest, live);
        if (!change) return;
        await keepSchemas();
        await writeChange(change, directory, written);
      },
      leaveOut: (urn, why, facet, value) => void left.push({ urn, why, facet, value }),
      absent: (urn) => void (declared.has(urn) || absent.push(urn)),
      unreadable: (urn, error) => void unread.set(urn, error),
    };
    await exportCatalog(reader, sink, {
      scope,
      ignored: ignoring(settings.ignore ?? []),
      rules: { rules, exempt },
      signal: io.interrupted,
      onProgress: progress.report,
    });
    return scope;
  }).finally(() => progress.end());
  const shown = { ...options, ...(domains && { domain: domains }) };
  return printExportSummary(written, { dir, left, absent, unread, options: shown }, io);
}

/** Returns a function that does the work only once. Later calls wait for the first call to finish. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

/** Prints a note if `export` writes to its default directory, but other commands would use a different catalog directory. */
function noteOtherCatalog(dir: string, { settings, quiet }: ExportOptions, io: Io): void {
  if (dir !== defaultDirectory || quiet === true) return;
  const found = nearestCatalog({ cwd: io.cwd, name: dir, hasSettings: settings !== undefined });
  if (found === undefined || found === dir) return;
  note(`A catalog exists at ${found}, but the manifests are written to ${dir}`, io);
}

async function scopeOf(options: ExportOptions, reader: Reader, found: Desired, io: Io): Promise<ExportScope> {
  const { kind, facet } = options;
  const isTarget = selectionBy(options);
  const named = await namedNarrowing(options, { reader, state: found.state }, io);
  return {
    ...(kind && { kinds: new Set(kind) }),
    ...(facet && { facets: new Set(facet) }),
    ...(isTarget && { isTarget }),
    ...named,
  };
}

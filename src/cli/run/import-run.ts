/** Converts files in other formats into manifests in a catalog directory, for `import`. */

import { entityManifest } from "../../manifests/edit/export/entity-manifest.ts";
import { exportedFiles } from "../../manifests/edit/export/exported-files.ts";
import { type Imported, readImports } from "../../manifests/import/import-files.ts";
import {
  countUndeclared,
  type Undeclared,
  undeclaredReferences,
} from "../../manifests/checks/undeclared-references.ts";
import { appendTo } from "../../model/append.ts";
import { groupBy } from "../../model/group-by.ts";
import { isError, type Problem } from "../../model/problem.ts";
import type { Origin } from "../../model/origin.ts";
import { leafIn, leavesOf, type Place, placeAt } from "../../model/place.ts";
import { type Entity, type Leaf, type State, without } from "../../model/state.ts";
import { entityTypeOf, plainKeyOf, type Urn } from "../../model/urn.ts";
import { ignoring } from "../../plan/base/ignore.ts";
import { namesIn } from "../../plan/notes/names.ts";
import { ManifestError } from "../../workflow/scope/errors.ts";
import { openRepository } from "../../workflow/scope/repository.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { catalogFor } from "../options/catalog.ts";
import { locationOf } from "../options/options.ts";
import { note } from "../output/messages.ts";
import { showProblems } from "../output/show-problems.ts";
import {
  countsText,
  directoryOf,
  readExistingManifests,
  nothingWritten,
  type WrittenFiles,
  writeChange,
} from "./catalog-directory.ts";
import { hasSchemas, writeSchemas } from "./editor-schemas.ts";
import { knownInManifests, unitedKnown } from "./known-entities.ts";

/** The options for `import`. */
export interface ImportRunOptions {
  readonly out?: string;
  readonly enableAutoId?: boolean;
  readonly keep?: "first" | "last";
  readonly force?: boolean;
  readonly settings?: string;
  readonly env?: string;
}

/**
 * Writes manifests in the same way as an export. Prints the files that were written or kept, and everything that was skipped. If
 * a file has an error, writes nothing and throws `ManifestError`.
 */
export async function runImport(
  files: readonly string[],
  options: ImportRunOptions,
  io: Io,
): Promise<ExitCode> {
  const dir = catalogFor(options.out, options, io);
  const repository = await openRepository(locationOf(dir, options, io));
  const found = await readExistingManifests(repository, io);
  const known = namesIn(found.state, new Map());
  const imported = readImports(files, io.cwd, {
    enableAutoId: options.enableAutoId === true,
    keep: options.keep,
    named: byDisplayName(known),
  });
  const errors = imported.problems.filter(isError);
  if (errors.length > 0) throw new ManifestError(errors);
  const directory = {
    ...(await directoryOf(repository, found, io)),
    isNamed: () => false,
    force: options.force === true,
    isInScope: () => true,
    namesSchema: hasSchemas(repository),
  };
  const { changeFor, isWanted, elsewhere } = exportedFiles(directory);
  // The names are written as comments next to values that refer to the entities.
  const names = new Map([...known, ...namesIn(imported.state, new Map())]);
  const written = nothingWritten();
  const others: string[] = [];
  const inManifests = unitedKnown([found, { ...imported, policies: [] }].map(knownInManifests));
  if (directory.namesSchema)
    await writeSchemas(repository, { inCatalog: undefined, inManifests }, (text) => note(text, io));
  for (const [urn, entity] of imported.state) {
    io.interrupted.throwIfAborted();
    const manifest = entityManifest(entity, { names, ignored: ignoring([]), isWanted, elsewhere });
    const change = changeFor(urn, manifest, entity.facets);
    if (change) await writeChange(change, directory, written);
    appendTo(
      others,
      declaredOtherwise(entity, found.state.get(urn), (place) => !isWanted(urn, [place])),
    );
  }
  const undeclared = undeclaredIn(imported, found.state);
  return printImportSummary(written, { dir, leftOut: imported.leftOut, others, undeclared }, io);
}

/**
 * Returns the entities of each type, keyed by display name. Leaves out names that several entities have, and names that equal an
 * id.
 */
function byDisplayName(names: ReadonlyMap<Urn, string>): ReadonlyMap<string, ReadonlyMap<string, Urn>> {
  const byType = groupBy(names, ([urn]) => entityTypeOf(urn));
  return new Map([...byType].map(([type, own]) => [type, uniqueNames(own)] as const));
}

function uniqueNames(named: readonly (readonly [Urn, string])[]): ReadonlyMap<string, Urn> {
  const ids = new Set(named.map(([urn]) => plainKeyOf(urn)));
  return new Map(
    [...groupBy(named, ([, name]) => name)].flatMap(([name, [first, ...others]]) =>
      first && others.length === 0 && !ids.has(name) ? [[name, first[0]] as const] : [],
    ),
  );
}

/** Returns warnings for references to entities that are declared neither in the imported files nor in the catalog directory. */
function undeclaredIn({ state, references }: Imported, found: State): readonly Problem[] {
  const undeclared = new Map<Urn, Undeclared>();
  for (const reference of references)
    if (!state.has(reference.urn) && !found.has(reference.urn)) countUndeclared(undeclared, reference);
  return undeclaredReferences(new Map([...found, ...state]), undeclared);
}

/** Returns messages about values that are skipped because a different manifest already declares a different value. */
function declaredOtherwise(
  { urn, facets }: Entity,
  declared: Entity | undefined,
  isLeft: (place: Place) => boolean,
): readonly string[] {
  return [...facets].flatMap(([facet, value]) =>
    leavesOf(value).flatMap(([path, leaf]) => {
      const place = placeAt(facet, path);
      const other = leafIn(declared, place);
      if (!other || !isLeft(place) || hasAllOf(other, leaf)) return [];
      return [`${facet} of ${urn}, because ${placeText(other.origin)} declares a different value`];
    }),
  );
}

function hasAllOf(leaf: Leaf, other: Leaf): boolean {
  if (other.shape === "scalar") return leaf.shape === "scalar" && leaf.value === other.value;
  return leaf.shape === "set" && without(other.members, leaf.members).length === 0;
}

interface Summary {
  readonly dir: string;
  readonly leftOut: Imported["leftOut"];
  /** Messages about values that are skipped because a different manifest already declares a different value. */
  readonly others: readonly string[];
  readonly undeclared: readonly Problem[];
}

function printImportSummary(
  written: WrittenFiles,
  { dir, leftOut, others, undeclared }: Summary,
  io: Io,
): ExitCode {
  const noteAll = (texts: readonly string[]): void => texts.forEach((text) => note(text, io));
  noteAll(leftOut.map(({ origin, what }) => `Skipped ${placeText(origin)}: ${what}`));
  noteAll(written.skip.map((urn) => `Skipped ${urn}, because its manifest was deleted; --force restores it`));
  io.stdout.write(`Imported to ${dir}: ${countsText(written)}.\n`);
  const differs = "has edits that were not applied, so it was left unchanged. --force overwrites it";
  noteAll(written.keep.map((path) => `${dir}/${path} ${differs}`));
  noteAll(others.map((text) => `Skipped ${text}`));
  showProblems({ problems: undeclared }, io);
  return written.keep.length + others.length > 0 ? exitCodes.conflict : exitCodes.done;
}

function placeText(origin: Origin | undefined): string {
  return origin ? `${origin.file}:${origin.line}` : "another manifest";
}

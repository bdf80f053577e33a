import { dirname, join } from "node:path";
import { namesOfPlace } from "../../facets/places.ts";
import { leafIn, type Place } from "../../model/place.ts";
import { makeDirectory } from "../../files/create-file.ts";
import { removeFile } from "../../files/remove-file.ts";
import { replaceFile } from "../../files/replace-file.ts";
import { displayName } from "../../manifests/catalog-files.ts";
import type { Declaration } from "../../manifests/declaration.ts";
import { isDefinitionKind } from "../../kinds/index.ts";
import { isBare } from "../../manifests/emit/bare.ts";
import type { Declared } from "../../manifests/emit/declared.ts";
import { filePathOf } from "../../manifests/emit/file-path.ts";
import { isSameFacets, losesOnly } from "../../manifests/emit/plain-facets.ts";
import { refreshed } from "../../manifests/emit/refreshed.ts";
import type { Part } from "../../manifests/settings/environments.ts";
import { readContainedFile } from "../../files/read-file.ts";
import { manifestText } from "../../manifests/format/manifest-text.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Leaf, Member } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { editorHeader, withSchemaAt } from "../../model/schema-head.ts";
import { unwritable } from "../errors.ts";
import type { Committed } from "../../scope/committed.ts";
import { schemaPathFrom } from "./editor-schemas.ts";
import { type OwnFile, ownFiles, pathBelow } from "./own-files.ts";

type Facets = Declared["facets"];

/** What became of the files of an export. */
export interface Written {
  readonly created: readonly string[];
  readonly updated: readonly string[];
  /** Files of assets of which rules declare everything. */
  readonly removed: readonly string[];
  readonly unchanged: number;
  /** Files whose data is neither that of the catalog nor what was applied: they stay. */
  readonly kept: readonly string[];
  /** What has no manifest because somebody deleted it. */
  readonly deleted: readonly Urn[];
}

/** The files of a catalog directory while an export goes on. */
export interface ExportFiles {
  /**
   * Whether the file of an entity is to declare the value at a place: where another file declares it, only a list that it
   * declares, too.
   */
  readonly isWanted: (urn: Urn, place: Place) => boolean;
  /** The elements of a list that other files declare. */
  readonly elsewhere: (urn: Urn, place: Place) => readonly Member[];
  readonly take: (urn: Urn, manifest: Declared, live: Facets) => Promise<void>;
  readonly written: () => Written;
}

/** Where an export goes, and what stands there. */
export interface ExportDirectory {
  readonly root: string;
  readonly cwd: string;
  readonly declarations: readonly Declaration[];
  /** All that manifests are called, as `declarations` name them. */
  readonly names: ReadonlySet<string>;
  /** Whether a path belongs to what is exported into, and the folder for those that do not. */
  readonly isPart: Part;
  readonly folder: string;
  readonly committed: Committed;
  /** Whether an entity is asked for by name: then its manifest is written though somebody deleted it. */
  readonly isNamed: (urn: Urn) => boolean;
  /** Whether a facet is exported: what files declare of others stays. */
  readonly isInScope: (facet: string) => boolean;
  /** Whether what somebody has edited is overwritten, and what somebody has deleted is written again. */
  readonly force: boolean;
  /** Whether files begin with the line that names their schema for editors. */
  readonly namesSchema: boolean;
}

/**
 * Writes the manifests of an export, a file for each entity, and leaves alone what others have written. `take` throws
 * `RunError` for a file that cannot be written.
 */
export function exportFiles(directory: ExportDirectory): ExportFiles {
  const { root, cwd, declarations, names, committed, force, isInScope, namesSchema } = directory;
  const own = ownFiles(declarations, directory);
  const applied = ownFiles(committed.applied, directory);
  const gone = ownFiles(committed.deleted, directory);
  const inScope = (facets: Facets): Facets => new Map([...facets].filter(([facet]) => isInScope(facet)));
  const others = groupBy(
    declarations.filter((each) => own.get(each.entity.urn)?.before !== each),
    ({ entity }) => entity.urn,
  );
  const taken = new Set([...names].map((name) => pathBelow(name, directory).toLowerCase()));
  const [created, updated, removed, kept]: [string[], string[], string[], string[]] = [[], [], [], []];
  const deleted: Urn[] = [];
  let unchanged = 0;

  /** The path of a new file: in the folder of the part where the usual one is outside of it. */
  const newPath = (urn: Urn, kind: string): string => {
    const pathIn = (folder: string): string => filePathOf(urn, kind, (each) => taken.has(each), folder);
    const usual = pathIn("");
    const path = directory.isPart(usual) ? usual : pathIn(directory.folder);
    taken.add(path.toLowerCase());
    return path;
  };

  const write = async (path: string, text: string): Promise<void> => {
    const full = join(root, path);
    try {
      await makeDirectory(dirname(full));
      await replaceFile(full, text, { mode: 0o644, isSynced: false });
    } catch (error) {
      throw unwritable(displayName(full, cwd), error);
    }
  };

  const remove = async (path: string): Promise<void> => {
    const full = join(root, path);
    try {
      await removeFile(full);
    } catch (error) {
      throw unwritable(displayName(full, cwd), error);
    }
    removed.push(path);
  };

  const create = async (urn: Urn, manifest: Declared): Promise<void> => {
    const path = newPath(urn, manifest.kind);
    const head = namesSchema ? `${editorHeader(schemaPathFrom(path))}\n` : "";
    await write(path, head + manifestText([manifest]));
    created.push(path);
  };

  /** Has the first line of a file that is up to date name the schema where that is now. */
  const refreshHeader = async (path: string): Promise<void> => {
    const before = namesSchema ? textOf(path, directory) : "";
    const after = withSchemaAt(schemaPathFrom(path), before);
    if (after === before) unchanged += 1;
    else {
      await write(path, after);
      updated.push(path);
    }
  };

  /** Whether a file says what was applied: then what differs from it in the catalog is newer. */
  const isApplied = ({ path, before: { entity } }: OwnFile): boolean => {
    const then = applied.get(entity.urn);
    return then?.path === path && isSameFacets(inScope(then.before.entity.facets), inScope(entity.facets));
  };

  const update = async (file: OwnFile, manifest: Declared, live: Facets): Promise<void> => {
    const { path, before } = file;
    const old = inScope(before.entity.facets);
    if (isSameFacets(old, manifest.facets)) return await refreshHeader(path);
    // What it loses and the catalog has, other files or rules declare.
    const isOverwritten = force || isApplied(file) || losesOnly(live, old, manifest.facets);
    const fresh = isOverwritten ? refreshedText(file, manifest, directory) : undefined;
    if (fresh === undefined) {
      kept.push(path);
      return;
    }
    if (isOfAsset(manifest) && isBare({ name: path, text: fresh })) return await remove(path);
    await write(path, namesSchema ? withSchemaAt(schemaPathFrom(path), fresh) : fresh);
    updated.push(path);
  };

  const isToBeCreated = (urn: Urn, manifest: Declared): boolean => {
    if (manifest.facets.size === 0 && isOfAsset(manifest)) return false;
    // A manifest that was moved is there.
    const isDeleted = gone.has(urn) && !(others.get(urn) ?? []).some(({ inline }) => !inline);
    const stays = isDeleted && !force && !directory.isNamed(urn);
    if (stays) deleted.push(urn);
    return !stays;
  };

  return {
    isWanted: (urn, place) => {
      const [first] = partsOf(others.get(urn) ?? [], place);
      const before = own.get(urn)?.before;
      return !first || (first.shape === "set" && before !== undefined && partsOf([before], place).length > 0);
    },
    elsewhere: (urn, place) =>
      partsOf(others.get(urn) ?? [], place).flatMap((part) => (part.shape === "set" ? part.members : [])),
    take: async (urn, manifest, live) => {
      const file = own.get(urn);
      if (file) await update(file, manifest, live);
      else if (others.has(urn) && manifest.facets.size === 0) unchanged += 1;
      else if (isToBeCreated(urn, manifest)) await create(urn, manifest);
    },
    written: () => ({ created, updated, removed, unchanged, kept, deleted }),
  };
}

/** What some manifests declare at a place, under any of its names. */
function partsOf(declarations: readonly Declaration[], place: Place): readonly Leaf[] {
  const names = namesOfPlace(place);
  return declarations.flatMap(({ entity }) => names.flatMap((name) => leafIn(entity, name) ?? []));
}

// A definition is declared by its manifest, whatever else it says; an asset is not.
function isOfAsset({ kind }: Declared): boolean {
  return !isDefinitionKind(kind);
}

function refreshedText(
  { path, before }: OwnFile,
  manifest: Declared,
  directory: ExportDirectory,
): string | undefined {
  const { isInScope } = directory;
  const text = textOf(path, directory);
  return refreshed({ name: path, text }, before.entity.urn, { ...manifest, isInScope });
}

function textOf(path: string, { root }: Pick<ExportDirectory, "root">): string {
  return readContainedFile(join(root, path)).toString("utf8");
}

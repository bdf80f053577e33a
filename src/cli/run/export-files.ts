import { dirname, join, resolve } from "node:path";
import { makeDirectory } from "../../files/create-file.ts";
import { removeFile } from "../../files/remove-file.ts";
import { replaceFile } from "../../files/replace-file.ts";
import { displayName } from "../../manifests/catalog-files.ts";
import type { Declaration } from "../../manifests/declaration.ts";
import { isDefinitionKind } from "../../kinds/index.ts";
import { isBare } from "../../manifests/emit/bare.ts";
import type { Declared } from "../../manifests/emit/declared.ts";
import { filePathOf } from "../../manifests/emit/file-path.ts";
import { plainFacets } from "../../manifests/emit/plain-facets.ts";
import { refreshed } from "../../manifests/emit/refreshed.ts";
import type { Part } from "../../manifests/settings/environments.ts";
import { readContainedFile } from "../../files/read-file.ts";
import { manifestText } from "../../manifests/format/manifest-text.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Member, ScalarValue, SetValue } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { partAt, sha256 } from "../../plan/diff/values.ts";
import { simpleColumn } from "../../plan/sides/columns.ts";
import { editorHeader, withSchemaAt } from "../../model/schema-head.ts";
import { unwritable } from "../errors.ts";
import { schemaPathFrom } from "./editor-schemas.ts";
import type { ExportRecord } from "./export-record.ts";

/** What became of the files of an export. */
export interface Written {
  readonly created: readonly string[];
  readonly updated: readonly string[];
  /** Files of assets of which rules declare everything. */
  readonly removed: readonly string[];
  readonly unchanged: number;
  /** Files whose data somebody has edited since the last export: they stay. */
  readonly kept: readonly string[];
  readonly record: ExportRecord;
}

/** The files of a catalog directory while an export goes on. */
export interface ExportFiles {
  /**
   * Whether the file of an entity is to declare a facet, or a column's: where another file declares it, only a list that it
   * declares, too.
   */
  readonly isWanted: (urn: Urn, facet: string, column?: string) => boolean;
  /** The elements of a list that other files declare. */
  readonly elsewhere: (urn: Urn, facet: string, column?: string) => readonly Member[];
  readonly take: (urn: Urn, manifest: Declared) => Promise<void>;
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
  readonly record: ExportRecord;
  /** Whether a facet is exported: what files declare of others stays. */
  readonly isInScope: (facet: string) => boolean;
  /** Whether what somebody has edited is overwritten. */
  readonly force: boolean;
  /** Whether files begin with the line that names their schema for editors. */
  readonly namesSchema: boolean;
}

/** A file that an export wrote. */
interface OwnFile {
  readonly path: string;
  /** What it declares. */
  readonly before: Declaration;
}

/**
 * Writes the manifests of an export, a file for each entity, and leaves alone what others have written. `take` throws
 * `RunError` for a file that cannot be written.
 */
export function exportFiles(directory: ExportDirectory): ExportFiles {
  const { root, cwd, declarations, names, record, force, isInScope, namesSchema } = directory;
  const own = ownFiles(directory);
  const others = groupBy(
    declarations.filter((each) => own.get(each.entity.urn)?.before !== each),
    ({ entity }) => entity.urn,
  );
  const taken = new Set([...names].map((name) => pathBelow(name, directory).toLowerCase()));
  const next = new Map(record);
  const [created, updated, removed, kept]: [string[], string[], string[], string[]] = [[], [], [], []];
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
    next.delete(path);
    removed.push(path);
  };

  const create = async (urn: Urn, manifest: Declared): Promise<void> => {
    const path = newPath(urn, manifest.kind);
    const head = namesSchema ? `${editorHeader(schemaPathFrom(path))}\n` : "";
    await write(path, head + manifestText([manifest]));
    next.set(path, digestOf(manifest.facets));
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

  const update = async (file: OwnFile, manifest: Declared): Promise<void> => {
    const { path, before } = file;
    const beside = [...before.entity.facets].filter(([facet]) => !isInScope(facet));
    const digest = digestOf(new Map([...beside, ...manifest.facets]));
    const old = digestOf(before.entity.facets);
    if (old === digest) await refreshHeader(path);
    else {
      const isEdited = old !== record.get(path) && !force;
      const fresh = isEdited ? undefined : refreshedText(file, manifest, directory);
      if (fresh === undefined) {
        kept.push(path);
        return;
      }
      if (isOfAsset(manifest) && isBare({ name: path, text: fresh })) {
        await remove(path);
        return;
      }
      await write(path, namesSchema ? withSchemaAt(schemaPathFrom(path), fresh) : fresh);
      updated.push(path);
    }
    next.set(path, digest);
  };

  return {
    isWanted: (urn, facet, column) => {
      const [first] = partsOf(others.get(urn) ?? [], facet, column);
      const before = own.get(urn)?.before;
      return (
        !first ||
        (first.shape === "set" && before !== undefined && partsOf([before], facet, column).length > 0)
      );
    },
    elsewhere: (urn, facet, column) =>
      partsOf(others.get(urn) ?? [], facet, column).flatMap((part) =>
        part.shape === "set" ? part.members : [],
      ),
    take: async (urn, manifest) => {
      const file = own.get(urn);
      if (file) await update(file, manifest);
      else if (others.has(urn) && manifest.facets.size === 0) unchanged += 1;
      else if (manifest.facets.size > 0 || !isOfAsset(manifest)) await create(urn, manifest);
    },
    written: () => ({ created, updated, removed, unchanged, kept, record: next }),
  };
}

/** What some manifests declare of a facet, or of a column's under either of its names. */
function partsOf(
  declarations: readonly Declaration[],
  facet: string,
  column?: string,
): readonly (ScalarValue | SetValue)[] {
  const names = new Set(column === undefined ? [undefined] : [column, simpleColumn(column)]);
  return declarations.flatMap(({ entity }) =>
    [...names].flatMap(
      (name) => partAt(entity, { facet, ...(name !== undefined && { column: name }) }) ?? [],
    ),
  );
}

// A definition is declared by its manifest, whatever else it says; an asset is not.
function isOfAsset({ kind }: Declared): boolean {
  return !isDefinitionKind(kind);
}

type Recorded = Pick<ExportDirectory, "root" | "cwd" | "declarations" | "record">;

/** By path, a hash of what each file declares that the last export wrote. */
export function digestsByPath(directory: Recorded): ReadonlyMap<string, string> {
  const own = [...ownFiles(directory).values()];
  return new Map(own.map(({ path, before }) => [path, digestOf(before.entity.facets)]));
}

/** By entity, the first file that the last export wrote of it. */
function ownFiles(directory: Recorded): ReadonlyMap<Urn, OwnFile> {
  const files = new Map<Urn, OwnFile>();
  for (const before of directory.declarations) {
    const { urn, origin } = before.entity;
    const path = pathBelow(origin?.file ?? "", directory);
    if (!before.inline && directory.record.has(path) && !files.has(urn)) files.set(urn, { path, before });
  }
  return files;
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

/** The path below the catalog directory of what messages call so. */
export function pathBelow(name: string, { root, cwd }: Pick<ExportDirectory, "root" | "cwd">): string {
  return displayName(resolve(cwd, name), root);
}

function digestOf(facets: Declared["facets"]): string {
  return `sha256:${sha256(plainFacets(facets))}`;
}

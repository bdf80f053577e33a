/** Decides whether an export creates, updates, deletes or keeps each entity's file. */

import { join } from "node:path";
import { readContainedFile } from "../../../files/read-file.ts";
import { isDefinitionKind } from "../../../kinds/index.ts";
import { groupBy } from "../../../model/group-by.ts";
import { urnOf } from "../../../model/packed-declarations.ts";
import { leafIn, type Place } from "../../../model/place.ts";
import { editorHeader, schemaPathFrom, withSchemaAt } from "../../../model/schema-head.ts";
import type { Entity, Leaf } from "../../../model/state.ts";
import type { Urn } from "../../../model/urn.ts";
import type { PathFilter } from "../../settings/environments.ts";
import { manifestText } from "../format/manifest-text.ts";
import type { DeclaredValues, EntityManifest } from "./entity-manifest.ts";
import { editsBetween, onlyLosesLiveValues } from "./facet-edits.ts";
import { filePathOf, type OwnFile, ownFiles, pathBelow } from "./file-path.ts";
import { declaresNothing, withEdits } from "./refreshed.ts";
import type { Declaration } from "../../../model/declaration.ts";

type Facets = Entity["facets"];

/** The target directory of an export, and its current manifests. */
export interface ExportDirectory {
  readonly root: string;
  readonly cwd: string;
  readonly declarations: readonly Declaration[];
  /** The last applied commit's declarations. */
  readonly applied: Iterable<Declaration>;
  /** Committed declarations whose manifests may have been deleted since. */
  readonly deleted: Iterable<Declaration>;
  /** The names of all manifest files, in the same form as the file names in `declarations`. */
  readonly names: ReadonlySet<string>;
  /** Whether an export may write to a path. */
  readonly isPart: PathFilter;
  /** The folder for new files whose usual path is outside of the exported environment. */
  readonly folder: string;
  /** Whether the user explicitly requested an entity. If so, its manifest is written even if someone deleted it. */
  readonly isNamed: (urn: Urn) => boolean;
  /** Whether to export a facet. Declarations of other facets do not change. */
  readonly isInScope: (facet: string) => boolean;
  /** Whether to overwrite edited files, and to restore deleted files. */
  readonly force: boolean;
  /** Whether files begin with a line that specifies their schema for editors. */
  readonly namesSchema: boolean;
}

/**
 * The change to an entity's file. `name` is the file's path below the catalog directory. `keep` means that the file matches
 * neither the catalog nor the applied commit. `skip` means that someone deleted the file, so it is not written again. In this
 * case, `name` is the entity's URN.
 */
export type FileChange =
  | { readonly action: "create" | "update"; readonly name: string; readonly text: string }
  | { readonly action: "delete" | "unchanged" | "keep" | "skip"; readonly name: string };

/** Functions that decide how to handle an entity's file. */
export interface ExportedFiles extends DeclaredValues {
  /** Returns the facets that an entity's file currently declares. */
  readonly before: (urn: Urn) => Facets;
  /**
   * Returns the change to an entity's file; `undefined` if there is no file and nothing to declare. Throws the system's error if
   * a file cannot be read.
   */
  readonly changeFor: (urn: Urn, manifest: EntityManifest, live: Facets) => FileChange | undefined;
}

/** Creates the functions for an export. Each entity has its own file. Declarations in other files stay where they are. */
export function exportedFiles(directory: ExportDirectory): ExportedFiles {
  const { declarations, isInScope, force, namesSchema } = directory;
  const own = ownFiles(declarations, directory);
  const applied = ownFiles(directory.applied, directory);
  const deleted = new Set([...directory.deleted].flatMap((each) => (each.inline ? [] : [urnOf(each)])));
  const others = groupBy(
    declarations.filter((each) => own.get(urnOf(each))?.before !== each),
    urnOf,
  );
  const usedPaths = new Set([...directory.names].map((name) => pathBelow(name, directory).toLowerCase()));
  const inScope = (facets: Facets): Facets => new Map([...facets].filter(([facet]) => isInScope(facet)));

  /** Whether a file's declarations are the same as in the applied commit. If so, values that differ in the catalog are newer. */
  const isApplied = ({ path, before: { entity } }: OwnFile): boolean => {
    const appliedFile = applied.get(entity.urn);
    if (appliedFile?.path !== path) return false;
    return (
      editsBetween(entity.urn, inScope(entity.facets), inScope(appliedFile.before.entity.facets)).length === 0
    );
  };

  const updated = (file: OwnFile, manifest: EntityManifest, live: Facets): FileChange => {
    const { path: name, before } = file;
    const facets = inScope(before.entity.facets);
    const edits = editsBetween(before.entity.urn, facets, manifest.facets);
    if (edits.length === 0 && !namesSchema) return { action: "unchanged", name };
    const text = readContainedFile(join(directory.root, name)).toString("utf8");
    // The file may lose live values that other files or rules declare.
    const isNewer =
      edits.length === 0 || force || isApplied(file) || onlyLosesLiveValues(live, facets, manifest.facets);
    const fresh = isNewer ? withEdits({ name, text }, edits, manifest.names) : undefined;
    if (fresh === undefined) return { action: "keep", name };
    if (edits.length > 0 && isOfAsset(manifest) && declaresNothing({ name, text: fresh }))
      return { action: "delete", name };
    const after = namesSchema ? withSchemaAt(schemaPathFrom(name), fresh) : fresh;
    return after === text ? { action: "unchanged", name } : { action: "update", name, text: after };
  };

  const created = (urn: Urn, manifest: EntityManifest): FileChange | undefined => {
    if (manifest.facets.size === 0 && isOfAsset(manifest)) return undefined;
    // A manifest that was moved to a different file does not count as deleted.
    const isDeleted = deleted.has(urn) && !(others.get(urn) ?? []).some(({ inline }) => !inline);
    if (isDeleted && !force && !directory.isNamed(urn)) return { action: "skip", name: urn };
    const name = newPath(urn, manifest.kind, directory, usedPaths);
    usedPaths.add(name.toLowerCase());
    const head = namesSchema ? `${editorHeader(schemaPathFrom(name))}\n` : "";
    return { action: "create", name, text: head + manifestText([manifest]) };
  };

  return {
    isWanted: (urn, names) => {
      const [first] = leavesAt(others.get(urn), names);
      const before = own.get(urn)?.before;
      return !first || (first.shape === "set" && leavesAt(before && [before], names).length > 0);
    },
    elsewhere: (urn, names) =>
      leavesAt(others.get(urn), names).flatMap((leaf) => (leaf.shape === "set" ? leaf.members : [])),
    before: (urn) => own.get(urn)?.before.entity.facets ?? new Map(),
    changeFor: (urn, manifest, live) => {
      const file = own.get(urn);
      if (file) return updated(file, manifest, live);
      if (others.has(urn) && manifest.facets.size === 0) return { action: "unchanged", name: urn };
      return created(urn, manifest);
    },
  };
}

/** Returns a new file's path, which is in `folder` if the usual path is outside of the exported environment. */
function newPath(
  urn: Urn,
  kind: string,
  { isPart, folder }: ExportDirectory,
  usedPaths: ReadonlySet<string>,
): string {
  const usual = filePathOf(urn, kind, (path) => usedPaths.has(path));
  return isPart(usual) ? usual : filePathOf(urn, kind, (path) => usedPaths.has(path), folder);
}

/** Returns the declared values at a place. `names` contains all spellings of the place's keys. */
function leavesAt(
  declarations: readonly Declaration[] | undefined,
  names: readonly Place[],
): readonly Leaf[] {
  return (declarations ?? []).flatMap(({ entity }) => names.flatMap((name) => leafIn(entity, name) ?? []));
}

// Whether the entity is an asset. A definition exists only if a manifest declares it, but an asset exists even without a
// manifest.
function isOfAsset({ kind }: EntityManifest): boolean {
  return !isDefinitionKind(kind);
}

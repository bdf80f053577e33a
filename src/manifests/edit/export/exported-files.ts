import { join } from "node:path";
import { readContainedFile } from "../../../files/read-file.ts";
import { isDefinitionKind } from "../../../kinds/index.ts";
import { groupBy } from "../../../model/group-by.ts";
import { leafIn, type Place } from "../../../model/place.ts";
import { editorHeader, schemaPathFrom, withSchemaAt } from "../../../model/schema-head.ts";
import type { Entity, Leaf, Member } from "../../../model/state.ts";
import type { Urn } from "../../../model/urn.ts";
import type { Declaration } from "../../declaration.ts";
import type { PathFilter } from "../../settings/environments.ts";
import { manifestText } from "../format/manifest-text.ts";
import type { EntityManifest } from "./entity-manifest.ts";
import { editsBetween, losesOnly } from "./facet-edits.ts";
import { filePathOf, type OwnFile, ownFiles, pathBelow } from "./file-path.ts";
import { declaresNothing, refreshed } from "./refreshed.ts";

type Facets = Entity["facets"];

/** Where an export goes, and the manifests that are there. */
export interface ExportDirectory {
  readonly root: string;
  readonly cwd: string;
  readonly declarations: readonly Declaration[];
  /** What the manifests of the last applied commit declared, and what was committed and may be gone. */
  readonly applied: Iterable<Declaration>;
  readonly deleted: Iterable<Declaration>;
  /** All manifest files, as `declarations` name them. */
  readonly names: ReadonlySet<string>;
  /** Whether a path belongs to what is exported into, and the folder for those that do not. */
  readonly isPart: PathFilter;
  readonly folder: string;
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
 * What becomes of the file of an entity, by its path below the catalog directory. `keep`: its data is neither that of the
 * catalog nor what was applied. `skip`: somebody deleted it, and it is not written again; then `name` is the URN.
 */
export type FileChange =
  | { readonly action: "create" | "update"; readonly name: string; readonly text: string }
  | { readonly action: "delete" | "unchanged" | "keep" | "skip"; readonly name: string };

/** What an export makes of the manifests of a directory, entity by entity. */
export interface ExportedFiles {
  /** Whether the file of an entity is to declare a place, by its names: where another file declares it, only a list that it declares, too. */
  readonly isWanted: (urn: Urn, names: readonly Place[]) => boolean;
  /** The elements of a list that other files declare, by the names of its place. */
  readonly elsewhere: (urn: Urn, names: readonly Place[]) => readonly Member[];
  /** What the file of an entity declares of it. */
  readonly before: (urn: Urn) => Facets;
  /** `undefined` where there is no file and nothing to declare. Throws the error of the system where a file cannot be read. */
  readonly changeFor: (urn: Urn, manifest: EntityManifest, live: Facets) => FileChange | undefined;
}

/** The files of an export, one for each entity. What other files declare is left to them. */
export function exportedFiles(directory: ExportDirectory): ExportedFiles {
  const { declarations, isInScope, force, namesSchema } = directory;
  const own = ownFiles(declarations, directory);
  const applied = ownFiles(directory.applied, directory);
  const deleted = new Set(
    [...directory.deleted].flatMap(({ inline, entity }) => (inline ? [] : [entity.urn])),
  );
  const others = groupBy(
    declarations.filter((each) => own.get(each.entity.urn)?.before !== each),
    ({ entity }) => entity.urn,
  );
  const taken = new Set([...directory.names].map((name) => pathBelow(name, directory).toLowerCase()));
  const inScope = (facets: Facets): Facets => new Map([...facets].filter(([facet]) => isInScope(facet)));

  /** Whether a file declares what was applied: then what differs from it in the catalog is newer. */
  const isApplied = ({ path, before: { entity } }: OwnFile): boolean => {
    const then = applied.get(entity.urn);
    if (then?.path !== path) return false;
    return editsBetween(entity.urn, inScope(entity.facets), inScope(then.before.entity.facets)).length === 0;
  };

  const updated = (file: OwnFile, manifest: EntityManifest, live: Facets): FileChange => {
    const { path: name, before } = file;
    const facets = inScope(before.entity.facets);
    const edits = editsBetween(before.entity.urn, facets, manifest.facets);
    if (edits.length === 0 && !namesSchema) return { action: "unchanged", name };
    const text = readContainedFile(join(directory.root, name)).toString("utf8");
    // What it loses and the catalog has, other files or rules declare.
    const isNewer =
      edits.length === 0 || force || isApplied(file) || losesOnly(live, facets, manifest.facets);
    const fresh = isNewer ? refreshed({ name, text }, edits, manifest.names) : undefined;
    if (fresh === undefined) return { action: "keep", name };
    if (edits.length > 0 && isOfAsset(manifest) && declaresNothing({ name, text: fresh }))
      return { action: "delete", name };
    const after = namesSchema ? withSchemaAt(schemaPathFrom(name), fresh) : fresh;
    return after === text ? { action: "unchanged", name } : { action: "update", name, text: after };
  };

  const created = (urn: Urn, manifest: EntityManifest): FileChange | undefined => {
    if (manifest.facets.size === 0 && isOfAsset(manifest)) return undefined;
    // A manifest that was moved still exists.
    const isDeleted = deleted.has(urn) && !(others.get(urn) ?? []).some(({ inline }) => !inline);
    if (isDeleted && !force && !directory.isNamed(urn)) return { action: "skip", name: urn };
    const name = newPath(urn, manifest.kind, directory, taken);
    taken.add(name.toLowerCase());
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

/** The path of a new file: in the folder of the part where the usual one is outside of it. */
function newPath(
  urn: Urn,
  kind: string,
  { isPart, folder }: ExportDirectory,
  taken: ReadonlySet<string>,
): string {
  const usual = filePathOf(urn, kind, (path) => taken.has(path));
  return isPart(usual) ? usual : filePathOf(urn, kind, (path) => taken.has(path), folder);
}

/** What some manifests declare at a place, under any of these names. */
function leavesAt(
  declarations: readonly Declaration[] | undefined,
  names: readonly Place[],
): readonly Leaf[] {
  return (declarations ?? []).flatMap(({ entity }) => names.flatMap((name) => leafIn(entity, name) ?? []));
}

// Its manifest alone declares a definition, but not an asset.
function isOfAsset({ kind }: EntityManifest): boolean {
  return !isDefinitionKind(kind);
}

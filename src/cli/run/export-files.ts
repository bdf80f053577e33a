import { hash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { replaceFile } from "../../files/replace-file.ts";
import { displayName } from "../../manifests/catalog-files.ts";
import type { Declaration } from "../../manifests/declaration.ts";
import type { Declared } from "../../manifests/emit/declared.ts";
import { filePathOf } from "../../manifests/emit/file-path.ts";
import { plainFacets } from "../../manifests/emit/plain-facets.ts";
import { refreshed } from "../../manifests/emit/refreshed.ts";
import type { Part } from "../../manifests/settings/environments.ts";
import { readContainedFile } from "../../files/read-file.ts";
import { manifestText } from "../../manifests/format/manifest-text.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Urn } from "../../model/urn.ts";
import { partAt } from "../../plan/diff/values.ts";
import { simpleColumn } from "../../plan/sides/columns.ts";
import { type ExportRecord, unwritable } from "./export-record.ts";

/** What became of the files of an export. */
export interface Written {
  readonly created: readonly string[];
  readonly updated: readonly string[];
  readonly unchanged: number;
  /** Files whose data somebody has edited since the last export: they stay. */
  readonly kept: readonly string[];
  readonly record: ExportRecord;
}

/** The files of a catalog directory while an export goes on. */
export interface ExportFiles {
  /** Whether the file of an entity is to declare a facet, or a column's: not where another place declares it. */
  readonly isWanted: (urn: Urn, facet: string, column?: string) => boolean;
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
  /** What a new file begins with. */
  readonly head: string;
}

interface Place {
  readonly path: string;
  /** What the file declares of the entity; `undefined` for a new file. */
  readonly before: Declaration | undefined;
}

/**
 * Writes the manifests of an export, a file for each entity, and leaves alone what others have written. `take` throws
 * `RunError` for a file that cannot be written.
 */
export function exportFiles(directory: ExportDirectory): ExportFiles {
  const { root, cwd, declarations, names, record, force, isInScope, head } = directory;
  const byUrn = groupBy(declarations, ({ entity }) => entity.urn);
  const pathOf = (declaration: Declaration): string =>
    relative(root, resolve(cwd, declaration.entity.origin?.file ?? ""))
      .split(sep)
      .join("/");
  const taken = new Set(
    [...names].map((name) => relative(root, resolve(cwd, name)).split(sep).join("/").toLowerCase()),
  );
  const next = new Map(record);
  const [created, updated, kept]: [string[], string[], string[]] = [[], [], []];
  let unchanged = 0;

  const ownOf = (urn: Urn): Declaration | undefined =>
    byUrn.get(urn)?.find((each) => !each.inline && record.has(pathOf(each)));

  const placeFor = (urn: Urn, kind: string): Place => {
    const before = ownOf(urn);
    if (before) return { path: pathOf(before), before };
    const pathBelow = (folder: string): string => filePathOf(urn, kind, (each) => taken.has(each), folder);
    const usual = pathBelow("");
    const path = directory.isPart(usual) ? usual : pathBelow(directory.folder);
    taken.add(path.toLowerCase());
    return { path, before };
  };

  const write = async (path: string, text: string): Promise<void> => {
    const full = join(root, path);
    try {
      await mkdir(dirname(full), { recursive: true });
      await replaceFile(full, text, { mode: 0o644, isSynced: false });
    } catch (error) {
      throw unwritable(displayName(full, cwd), error);
    }
  };

  const update = async (path: string, before: Declaration, manifest: Declared): Promise<void> => {
    const others = [...before.entity.facets].filter(([facet]) => !isInScope(facet));
    const digest = digestOf({ facets: new Map([...others, ...manifest.facets]) });
    const old = digestOf(before.entity);
    if (old === digest) unchanged += 1;
    else if (old !== record.get(path) && !force) {
      kept.push(path);
      return;
    } else {
      const text = readContainedFile(join(root, path)).toString("utf8");
      const fresh = refreshed({ name: path, text }, before.entity.urn, { ...manifest, isInScope });
      if (fresh === undefined) {
        kept.push(path);
        return;
      }
      await write(path, fresh);
      updated.push(path);
    }
    next.set(path, digest);
  };

  return {
    isWanted: (urn, facet, column) => {
      const own = ownOf(urn);
      const others = (byUrn.get(urn) ?? []).filter((each) => each !== own);
      const columns = column === undefined ? [undefined] : [column, simpleColumn(column)];
      const places = columns.map((each) => ({ facet, ...(each !== undefined && { column: each }) }));
      return others.every(({ entity }) => places.every((place) => partAt(entity, place) === undefined));
    },
    take: async (urn, manifest) => {
      const isElsewhere = byUrn.has(urn) && !ownOf(urn);
      if (isElsewhere && manifest.facets.size === 0) {
        unchanged += 1;
        return;
      }
      const { path, before } = placeFor(urn, manifest.kind);
      if (before) await update(path, before, manifest);
      else {
        await write(path, head + manifestText([manifest]));
        next.set(path, digestOf(manifest));
        created.push(path);
      }
    },
    written: () => ({ created, updated, unchanged, kept, record: next }),
  };
}

function digestOf({ facets }: Pick<Declared, "facets">): string {
  return `sha256:${hash("sha256", plainFacets(facets), "hex")}`;
}

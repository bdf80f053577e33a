import { resolve } from "node:path";
import { type Problem, sortProblems } from "../model/problem.ts";
import type { Entity, State } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";
import { catalogFiles, displayName } from "./catalog-files.ts";
import { crossProblems } from "./checks/cross-checks.ts";
import type { Declaration, Collected } from "./declaration.ts";
import type { DeclaredReference } from "../model/reference.ts";
import { readManifestFile } from "./manifest-file.ts";
import { errorAt, wholeOf } from "./problem.ts";
import { defaultSettingsFile } from "./settings/settings.ts";
import { forEachYielding } from "./yaml/for-each-yielding.ts";

/** What manifests declare, put together. With an error among the problems it is not to be relied on. */
export interface DeclaredState {
  readonly state: State;
  /** What entities refer to in what a plan may add. */
  readonly references: readonly DeclaredReference[];
  /** All that was declared, before what a group says of its members was merged with their own manifests. */
  readonly declarations: readonly Declaration[];
  readonly problems: readonly Problem[];
  /** How many files were read, and how many manifests in them. */
  readonly files: number;
  readonly documents: number;
}

/** What the manifests of a directory declare. */
export interface Desired extends DeclaredState {
  /** Every manifest file that stands there, read or not, as it is called in messages. */
  readonly names: ReadonlySet<string>;
}

export interface ReadingOptions {
  readonly cwd: string;
  /** The settings file where it is not the default one: it is no manifest either. */
  readonly settings?: string | undefined;
  /** Absolute paths of the only files to read; the others are listed all the same. */
  readonly only?: ReadonlySet<string> | undefined;
}

/**
 * Reads every manifest below a directory, or only some. Whatever stands there, it does not throw: it is a problem.
 */
export async function readDesired(dir: string, options: ReadingOptions): Promise<Desired> {
  const { cwd, only } = options;
  const root = resolve(cwd, dir);
  const { files, problems } = catalogFiles(root, cwd, settingsFiles(root, options));
  const collected: Collected = {
    problems: [...problems],
    declarations: [],
    documents: 0,
    unreadable: problems.length,
  };
  const chosen = only ? files.filter(({ path }) => only.has(path)) : files;
  await forEachYielding(chosen, (file) => readManifestFile(file, collected));
  const empty = collected.documents === 0 && collected.problems.length === 0;
  if (empty && (!only || files.length === 0)) {
    const name = displayName(root, cwd);
    collected.problems.push(errorAt(wholeOf(name), "no-manifests", { dir: name, files: files.length }));
  }
  const names = new Set(files.map(({ name }) => name));
  return { ...desiredOf(collected, chosen.length, !only), names };
}

/** The files of a catalog directory that hold settings, there or not, and so no manifests. */
export function settingsFiles(root: string, { cwd, settings }: ReadingOptions): ReadonlySet<string> {
  const named = settings === undefined ? [] : [resolve(cwd, settings)];
  return new Set([defaultSettingsFile(root), ...named]);
}

/**
 * What was declared, with the checks between the declarations. What is declared nowhere is looked for only where
 * `whole` says that these are all.
 */
export function desiredOf(
  { declarations, problems, documents, unreadable }: Collected,
  files: number,
  whole = true,
): DeclaredState {
  const state = new Map<Urn, Entity>();
  const first: Declaration[] = [];
  const found: Problem[] = [...problems];
  for (const declaration of declarations.toSorted((a, b) => Number(a.inline) - Number(b.inline))) {
    const { entity, inline } = declaration;
    const before = state.get(entity.urn);
    if (!before) {
      state.set(entity.urn, entity);
      first.push(declaration);
    } else if (inline && agree(before, entity)) {
      state.set(entity.urn, { ...before, facets: new Map([...entity.facets, ...before.facets]) });
      first.push(declaration);
    } else if (entity.origin) {
      const { urn, kind } = entity;
      found.push(errorAt(entity.origin, "duplicate-entity", { kind, urn }, before.origin));
    }
  }
  found.push(...crossProblems(state, first, whole && unreadable === 0));
  const references = first.flatMap((declaration) => declaration.references);
  return { state, references, declarations, problems: sortProblems(found), files, documents };
}

/** Whether two declarations of one entity say the same where both say something. */
function agree(a: Entity, b: Entity): boolean {
  return [...b.facets].every(([name, value]) => {
    const other = a.facets.get(name);
    return (
      other === undefined ||
      (other.shape === "scalar" && value.shape === "scalar" && other.value === value.value)
    );
  });
}

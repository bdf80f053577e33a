/** Collects the declarations since the first known commit (the anchor) by replaying the later commits that contain no errors. */

import { emptyCollection } from "../../manifests/base/collected.ts";
import type { LineSince } from "../../git/commits-since.ts";
import { blobsOf, changesOn, treeOf } from "../../git/tree.ts";
import { desiredOf } from "../../manifests/documents/desired-state.ts";
import type { PathFilter } from "../../manifests/settings/environments.ts";
import { readManifestFile } from "../../manifests/documents/manifest.ts";
import { fileOf } from "../../model/packed-declarations.ts";
import { forEachYielding } from "../../manifests/yaml/for-each-yielding.ts";
import { yamlIn } from "../../manifests/yaml/yaml-file.ts";
import { groupBy } from "../../model/group-by.ts";
import { isError } from "../../model/problem.ts";
import type { Entity, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import type { Epoch } from "../../plan/rules/history.ts";
import { addDeclaration } from "../../plan/base/declared-before.ts";
import {
  type BaseFile,
  isUnchanged,
  manifestFiles,
  type CurrentManifests,
  requireCompleteWorkTree,
  filesWithoutErrors,
} from "./base-files.ts";
import { changesWithParts, environmentFilesAlong, type EnvironmentChanges } from "./environment-files.ts";
import { relatedFiles } from "./related-files.ts";
import { type FileDeclarations, ruleHistory } from "./rule-history.ts";
import type { DeclaredState } from "../../manifests/base/desired.ts";

/** A file's declarations in a commit, and whether the file itself contains errors. */
interface FileContent extends FileDeclarations {
  readonly isBroken: boolean;
}

/** The changes in a commit: manifest files with new content, and the names of removed files. */
interface Step {
  readonly declaresNothing: EnvironmentChanges["declaresNothing"];
  readonly changed: readonly BaseFile[];
  readonly removed: readonly string[];
}

/** The declarations in the anchor, and a filter for its files. */
interface Anchor extends DeclaredState {
  readonly part: PathFilter;
}

interface Since {
  /** The entities that a later commit declares in documents, with all their declarations up to that commit. */
  readonly later: State;
  readonly epochs: readonly Epoch[];
}

/**
 * Collects the declarations in the commits that follow the anchor on a first-parent line. A commit with errors declares nothing,
 * because it could not be applied.
 */
export async function declaredSince(line: LineSince, anchor: Anchor, now: CurrentManifests): Promise<Since> {
  const commits = await changesOn(now.root, line);
  const parts = await environmentFilesAlong(line, now);
  // An unchanged file can join the environment only if the settings have changed.
  const tree = parts.size > 0 ? await treeOf(now.root, line.fork) : [];
  const steps = stepsIn(changesWithParts(commits, parts, { part: anchor.part, tree }), now);
  // Nearly every scheduled plan returns here.
  if (steps.length === 0) return { later: new Map(), epochs: [] };
  return await replay(anchor, steps, await contentsOf(steps, now), now);
}

function stepsIn(commits: readonly EnvironmentChanges[], now: CurrentManifests): readonly Step[] {
  const steps: Step[] = [];
  for (const { changed, removed, declaresNothing, changesSettings } of commits) {
    const entries = removed.map((path) => ({ path, type: "file" as const, id: "" }));
    const deleted = manifestFiles(entries, now).map(({ name }) => name);
    const step = { changed: manifestFiles(changed, now), removed: deleted, declaresNothing };
    if (changesSettings || step.changed.length + step.removed.length > 0) steps.push(step);
  }
  return steps;
}

type Contents = ReadonlyMap<string, FileContent>;

/** Reads the declarations in each version of each file. Does not reparse versions that equal the current version. */
async function contentsOf(steps: readonly Step[], now: CurrentManifests): Promise<Contents> {
  const versions = new Map(steps.flatMap(({ changed }) => changed.map((file) => [versionOf(file), file])));
  const all = [...versions.values()];
  await requireCompleteWorkTree(all, now);
  const trusted = filesWithoutErrors(now.declared);
  const known = filesOf(now.declared);
  const contents = new Map<string, FileContent>();
  const unread: BaseFile[] = [];
  for (const file of all) {
    if (!trusted.has(file.name) || !isUnchanged(file, now.declared)) unread.push(file);
    else contents.set(versionOf(file), known.get(file.name) ?? emptyFile);
  }
  const blobs = await blobsOf(now.root, unread);
  await forEachYielding(
    blobs.entries(),
    ([index, bytes]) => {
      const file = unread[index];
      if (file) contents.set(versionOf(file), contentOf(file.name, bytes));
    },
    now.signal,
  );
  return contents;
}

function versionOf({ name, id }: BaseFile): string {
  return `${id} ${name}`;
}

function contentOf(name: string, bytes: Buffer): FileContent {
  const found = emptyCollection(true);
  readManifestFile(yamlIn(name, bytes), found);
  const { declarations, rules } = found;
  return { declarations, rules, isBroken: found.problems.some(isError) };
}

const emptyFile: FileContent = { declarations: [], rules: [], isBroken: false };

function filesOf({ declarations, rules }: DeclaredState): Map<string, FileContent> {
  const byFile = groupBy(declarations, fileOf);
  const rulesByFile = groupBy(rules, ({ origin }) => origin.file);
  const names = [...byFile.keys(), ...rulesByFile.keys()];
  return new Map(
    names.map((name) => {
      const own = { declarations: byFile.get(name) ?? [], rules: rulesByFile.get(name) ?? [] };
      return [name, { ...own, isBroken: false }];
    }),
  );
}

/** For each valid commit, adds the changes since the previous valid commit. */
async function replay(
  anchor: DeclaredState,
  steps: readonly Step[],
  contents: Contents,
  { signal }: CurrentManifests,
): Promise<Since> {
  const later = new Map<Urn, Entity>();
  const files = filesOf(anchor);
  const history = ruleHistory(files, contents.values());
  const relatedTo = relatedFiles([...files.values(), ...contents.values()]);
  const broken = new Set<string>();
  const fresh = new Set<string>();
  const touched = new Set<string>();
  let isSound = true;
  await forEachYielding(
    steps,
    ({ changed, removed, declaresNothing }) => {
      for (const name of removed) {
        files.delete(name);
        broken.delete(name);
        touched.add(name);
      }
      for (const file of changed) {
        const content = contents.get(versionOf(file)) ?? { ...emptyFile, isBroken: true };
        files.set(file.name, content);
        if (content.isBroken) broken.add(file.name);
        else broken.delete(file.name);
        fresh.add(file.name);
        touched.add(file.name);
      }
      // After a valid commit, a new error involves a changed file. Otherwise, the error may be in any file.
      const checked = isSound ? relatedTo(fresh, files) : files.keys();
      isSound =
        !declaresNothing &&
        broken.size === 0 &&
        isValid([...checked].flatMap((name) => files.get(name) ?? []));
      if (!isSound) return;
      for (const { entity } of [...fresh].flatMap((name) => files.get(name)?.declarations ?? []))
        addDeclaration(later, entity, later.get(entity.urn) ?? anchor.state.get(entity.urn));
      fresh.clear();
      history.note(files, touched);
      touched.clear();
    },
    signal,
  );
  return { later, epochs: history.epochs };
}

function isValid(files: readonly FileContent[]): boolean {
  const declarations = files.flatMap((each) => each.declarations);
  const rules = files.flatMap((each) => each.rules);
  return !desiredOf({ declarations, rules }, 0, false).problems.some(isError);
}

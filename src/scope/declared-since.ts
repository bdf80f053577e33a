import { nothingCollected } from "../manifests/collected.ts";
import type { LineSince } from "../git/line.ts";
import { blobsOf, changesOn, type CommitChanges, treeOf } from "../git/tree.ts";
import { type DeclaredState, desiredOf } from "../manifests/desired-state.ts";
import type { PathFilter } from "../manifests/settings/environments.ts";
import { readManifestBytes } from "../manifests/manifest.ts";
import { fileOf } from "../manifests/packed-declarations.ts";
import { forEachYielding } from "../manifests/yaml/for-each-yielding.ts";
import { groupBy } from "../model/group-by.ts";
import { isError } from "../model/problem.ts";
import type { Entity, State } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";
import type { Epoch } from "../plan/rules/history.ts";
import { addDeclared } from "../plan/sides/declared-before.ts";
import {
  type BaseFile,
  isDeleted,
  isUnchanged,
  manifestFiles,
  type CurrentManifests,
  refuseSparse,
  filesWithoutErrors,
} from "./base-files.ts";
import { changesWithParts, laterParts, type EnvironmentChanges } from "./earlier-parts.ts";
import { relatedFiles } from "./related-files.ts";
import { type FileDeclarations, ruleHistory } from "./rule-history.ts";

/** What a file of a commit declares, and whether it has errors of its own. */
interface FileContent extends FileDeclarations {
  readonly isBroken: boolean;
}

/** What a commit changed: the manifest files that it has otherwise, and the names of those that it no longer has. */
interface Step extends Pick<EnvironmentChanges, "declaresNothing"> {
  readonly changed: readonly BaseFile[];
  readonly removed: readonly string[];
}

/** What the commit before the line declared, and the part of its files that counted. */
interface Anchor extends DeclaredState {
  readonly part: PathFilter;
}

/** What was declared since, by documents, and by rules with the documents that they met. */
interface Since {
  /** The entities of documents that a later commit has, with all that was declared of them until then. */
  readonly later: State;
  readonly epochs: readonly Epoch[];
}

/** What the commits since the anchor declared. A commit with errors could not be applied and declares nothing. */
export async function declaredSince(
  root: string,
  line: LineSince,
  anchor: Anchor,
  now: CurrentManifests,
): Promise<Since> {
  const seen = await changesInEnvironment(root, await changesOn(root, line), { line, anchor, now });
  const steps = stepsIn(root, seen, now);
  // Nearly every scheduled plan: nothing that is kept need be gone through.
  if (steps.length === 0) return { later: new Map(), epochs: [] };
  return await replay(anchor, steps, await contentsOf(root, steps, now), now);
}

/** The changes as they count: all of them, or those that concern an environment. */
async function changesInEnvironment(
  root: string,
  commits: readonly CommitChanges[],
  {
    line,
    anchor,
    now,
  }: { readonly line: LineSince; readonly anchor: Anchor; readonly now: CurrentManifests },
): Promise<readonly EnvironmentChanges[]> {
  const parts = await laterParts(root, line, now);
  // Only where the settings have changed since, a file that did not change may have come in.
  const tree = parts.size > 0 ? await treeOf(root, line.fork) : [];
  return changesWithParts(commits, parts, { part: anchor.part, tree });
}

function stepsIn(
  root: string,
  commits: readonly EnvironmentChanges[],
  now: CurrentManifests,
): readonly Step[] {
  const steps: Step[] = [];
  for (const { changed, removed, declaresNothing, changesSettings } of commits) {
    const entries = removed.map((path) => ({ path, type: "file" as const, id: "" }));
    const gone = manifestFiles(root, entries, now).map(({ name }) => name);
    const step = { changed: manifestFiles(root, changed, now), removed: gone, declaresNothing };
    if (changesSettings || step.changed.length + step.removed.length > 0) steps.push(step);
  }
  return steps;
}

type Contents = ReadonlyMap<string, FileContent>;

/** What each version of each file declares. A version that is the same now is not parsed again. */
async function contentsOf(root: string, steps: readonly Step[], now: CurrentManifests): Promise<Contents> {
  const versions = new Map(steps.flatMap(({ changed }) => changed.map((file) => [versionOf(file), file])));
  const all = [...versions.values()];
  const gone = all.filter(({ name }) => isDeleted(name, now.declared));
  await refuseSparse(root, gone);
  const trusted = filesWithoutErrors(now.declared);
  const known = filesOf(now.declared);
  const contents = new Map<string, FileContent>();
  const unread: BaseFile[] = [];
  for (const file of all) {
    if (!trusted.has(file.name) || !isUnchanged(file, now.declared)) unread.push(file);
    else contents.set(versionOf(file), known.get(file.name) ?? emptyFile);
  }
  const blobs = await blobsOf(root, unread);
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

function versionOf({ name, id }: Pick<BaseFile, "name" | "id">): string {
  return `${id} ${name}`;
}

function contentOf(name: string, bytes: Buffer): FileContent {
  const found = nothingCollected(true);
  readManifestBytes(name, bytes, found);
  const { declarations, rules } = found;
  return { declarations, rules, isBroken: found.problems.some(isError) };
}

const emptyFile: FileContent = { declarations: [], rules: [], isBroken: false };

/** What is declared, by the files that declare it. */
function filesOf({
  declarations,
  rules,
}: Pick<DeclaredState, "declarations" | "rules">): Map<string, FileContent> {
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

/** Goes through the commits, and adds what each valid one changed since the valid one before it. */
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
      // A new error is one of what has changed; an old one may be anywhere.
      const looked = isSound ? relatedTo(fresh, files) : files.keys();
      isSound =
        !declaresNothing &&
        broken.size === 0 &&
        isValid([...looked].flatMap((name) => files.get(name) ?? []));
      if (!isSound) return;
      for (const { entity } of [...fresh].flatMap((name) => files.get(name)?.declarations ?? []))
        addDeclared(later, entity, later.get(entity.urn) ?? anchor.state.get(entity.urn));
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
  const found = { declarations, rules, problems: [], documents: 0, unreadable: 0 };
  return !desiredOf(found, 0, false).problems.some(isError);
}

import type { Urn } from "../model/urn.ts";
import { resolve } from "node:path";
import { compareText } from "../model/json.ts";
import type { Problem } from "../model/problem.ts";
import { type State, stateOver } from "../model/state.ts";
import type { Epoch } from "../plan/rules/history.ts";
import type { GitFault } from "../git/fault.ts";
import { baseFiles, type BaseFiles, knownBaseFiles, type Now } from "./base-files.ts";
import { declaredSince } from "./declared-since.ts";
import { type Collected, nothingCollected } from "../manifests/collected.ts";
import { type DeclaredState, type Desired, desiredOf } from "../manifests/desired-state.ts";
import { lineSince } from "../git/changes-since.ts";
import { blobsOf, commitOf } from "../git/commit.ts";
import type { Part } from "../manifests/settings/environments.ts";
import { fileOf, urnOf } from "../manifests/packed-declarations.ts";
import { readManifestBytes } from "../manifests/manifest-file.ts";
import { forEachYielding } from "../manifests/yaml/for-each-yielding.ts";
import { earlierPart } from "./earlier-parts.ts";
import { type BaseFault, baseProblem, type ChangesFault } from "./fault.ts";

/** What was declared before, or why that is not known. Unknown is never "nothing declared". */
export type BaseReading = KnownBase | UnknownBase;

/** What was declared before. */
export interface KnownBase {
  /** The commit that the ref names. */
  readonly commit: string;
  /** The merge base of that commit and HEAD. */
  readonly anchor: string;
  /** What the anchor declared, without an error. `files` and `documents` count only what had to be read of it. */
  readonly declared: DeclaredEarlier;
  /** All that documents declared before: those of the anchor, or of a later commit on HEAD's first-parent line. */
  readonly before: State;
  /** Of that the entities that a later commit has in its documents. */
  readonly later: State;
  /** What rules declared after the anchor, each time with the documents that they met; nothing where there were none. */
  readonly epochs: readonly Epoch[];
}

interface UnknownBase {
  /** The commit that the ref names; `null` when it names none. */
  readonly commit: string | null;
  readonly fault: BaseFault["fault"];
  /** The fault as a warning without a place. */
  readonly reason: Problem;
}

/**
 * What the manifests of a directory declared since the merge base of HEAD and a ref. Places are those of the first commit
 * that declared it. Unchanged files are taken from what is declared now. It throws only the reason of the signal, whatever git says.
 *
 * Of an environment, the settings of each commit decide which of its files count: a file that left the environment was
 * declared there before, as a deleted one was; one that came into it was not, whatever it declared; and a commit whose settings
 * are not valid or lack the environment declared nothing there.
 */
export async function readBase(dir: string, ref: string, options: Now): Promise<BaseReading> {
  const root = resolve(options.cwd, dir);
  const found = await commitOf(root, ref);
  if ("fault" in found) return unknown(ref, null, found);
  const { commit } = found;
  const line = await lineSince(root, commit);
  if ("fault" in line) return unknown(ref, commit, line);
  const anchor = line.fork;
  const start = await earlierPart(root, anchor, options);
  if ("fault" in start) return unknown(ref, commit, start);
  const { part } = start;
  if (!part) return unknown(ref, commit, withoutEnvironment(anchor, options));
  const declared = await declaredIn(root, anchor, part, options);
  if ("fault" in declared) return unknown(ref, commit, declared);
  const since = await declaredSince(root, line, { ...declared, part }, options);
  if ("fault" in since) return unknown(ref, commit, since);
  const { later, epochs } = since;
  const before = stateOver(declared.state, later, (_, entity) => entity);
  return { commit, anchor, declared, before, later, epochs };
}

function withoutEnvironment(commit: string, { environment = "" }: Now): BaseFault {
  return { fault: "without-environment", environment, commit: commit.slice(0, 12) };
}

function unknown(ref: string, commit: string | null, found: BaseFault): UnknownBase {
  return { commit, fault: found.fault, reason: baseProblem(ref, found) };
}

/** What was declared in a commit. */
export interface DeclaredEarlier extends DeclaredState {
  /** The entities that may be declared otherwise now: only of these the files differ. */
  readonly touched: ReadonlySet<Urn>;
}

/**
 * What the manifests of a directory declared in a commit, as far as it is known: with their errors, and without what git
 * does not know. Nothing of an environment that its settings lack.
 */
export async function declaredAt(
  root: string,
  commit: string,
  now: Now,
): Promise<DeclaredEarlier | ChangesFault> {
  const start = await earlierPart(root, commit, now);
  if ("fault" in start) return start;
  const files = await knownBaseFiles(root, commit, start.part ?? (() => false), now);
  if ("fault" in files) return files;
  return await declaredBy(root, files, now);
}

async function declaredBy(root: string, files: BaseFiles, now: Now): Promise<DeclaredEarlier | GitFault> {
  const findings = await findingsIn(root, files, now);
  if ("fault" in findings) return findings;
  return { ...putTogether(files, findings, now.declared), touched: touchedIn(files, findings, now) };
}

/** The entities that files declare which are not the same in both. */
function touchedIn({ unchanged }: BaseFiles, findings: Collected, { declared }: Now): ReadonlySet<Urn> {
  const changed = declared.declarations.filter((each) => !unchanged.has(fileOf(each)));
  return new Set([...findings.declarations, ...changed].map(urnOf));
}

async function declaredIn(
  root: string,
  commit: string,
  part: Part,
  now: Now,
): Promise<DeclaredEarlier | BaseFault> {
  const files = await baseFiles(root, commit, part, now);
  if ("fault" in files) return files;
  const declared = await declaredBy(root, files, now);
  if ("fault" in declared) return declared;
  return invalid(declared.problems, commit) ?? declared;
}

/** What the files declare that have changed since. */
async function findingsIn(
  root: string,
  { changed }: BaseFiles,
  { signal }: Now,
): Promise<Collected | GitFault> {
  const read = await blobsOf(root, changed);
  if ("fault" in read) return read;
  const findings = nothingCollected(true);
  await forEachYielding(
    read.blobs.entries(),
    ([index, bytes]) => readManifestBytes(changed[index]?.name ?? "", bytes, findings),
    signal,
  );
  return findings;
}

function putTogether({ unchanged, changed }: BaseFiles, findings: Collected, now: Desired): DeclaredState {
  const kept = now.declarations.filter((each) => unchanged.has(fileOf(each)));
  const declarations = [...kept, ...findings.declarations]
    .map((declaration) => ({ declaration, file: fileOf(declaration) }))
    .toSorted((a, b) => compareText(a.file, b.file))
    .map(({ declaration }) => declaration);
  const rules = now.rules.filter(({ origin }) => unchanged.has(origin.file));
  return desiredOf(
    { ...findings, declarations, rules: [...rules, ...findings.rules] },
    changed.length,
    false,
  );
}

function invalid(problems: readonly Problem[], commit: string): BaseFault | undefined {
  const errors = problems.filter(({ severity }) => severity === "error");
  const [first] = errors;
  if (!first) return undefined;
  const { file = "", line = 1, column = 1 } = first.origin ?? {};
  const short = commit.slice(0, 12);
  return {
    fault: "invalid",
    commit: short,
    count: errors.length,
    first: first.code,
    file,
    line,
    column,
  };
}

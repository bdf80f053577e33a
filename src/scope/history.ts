import { resolve } from "node:path";
import { compareText } from "../model/json.ts";
import type { Problem } from "../model/problem.ts";
import { baseFiles, type BaseFiles } from "./base-files.ts";
import type { Collected } from "../manifests/declaration.ts";
import { type DeclaredState, type Desired, desiredOf } from "../manifests/desired-state.ts";
import { blobsOf, commitOf } from "../git/commit.ts";
import { readManifestBytes } from "../manifests/manifest-file.ts";
import { forEachYielding } from "../manifests/yaml/for-each-yielding.ts";
import { type BaseFault, baseProblem } from "./fault.ts";

/** What the manifests of an earlier commit declared, or why that is not known. Unknown is never "nothing declared". */
export type BaseReading = KnownBase | UnknownBase;

export interface KnownBase {
  readonly commit: string;
  /** Without an error. `files` and `documents` count only what had to be read of the commit. */
  readonly declared: DeclaredState;
}

interface UnknownBase {
  /** The commit that the ref names; `null` when it names none. */
  readonly commit: string | null;
  readonly fault: BaseFault["fault"];
  /** The fault as a warning without a place. */
  readonly reason: Problem;
}

export interface BaseOptions {
  readonly cwd: string;
  readonly settings?: string | undefined;
  /** The same directory as it is now: files that have not changed are taken from it, and not parsed again. */
  readonly declared: Desired;
}

/**
 * What the manifests of a directory declared in a commit. Places are those of that commit. Where `declared` was read
 * in part, unchanged files outside of that part are left out. It does not throw, whatever git says.
 */
export async function readBase(dir: string, ref: string, options: BaseOptions): Promise<BaseReading> {
  const root = resolve(options.cwd, dir);
  const found = await commitOf(root, ref);
  if ("fault" in found) return unknown(ref, null, found);
  const { commit } = found;
  const declared = await declaredIn(root, commit, options);
  return "fault" in declared ? unknown(ref, commit, declared) : { commit, declared };
}

function unknown(ref: string, commit: string | null, found: BaseFault): UnknownBase {
  return { commit, fault: found.fault, reason: baseProblem(ref, found) };
}

async function declaredIn(
  root: string,
  commit: string,
  options: BaseOptions,
): Promise<DeclaredState | BaseFault> {
  const files = await baseFiles(root, commit, options);
  if ("fault" in files) return files;
  const findings = await findingsIn(root, files);
  if ("fault" in findings) return findings;
  const declared = putTogether(files, findings, options.declared);
  return invalid(declared.problems, commit) ?? declared;
}

/** What the files declare that have changed since. */
async function findingsIn(root: string, { changed }: BaseFiles): Promise<Collected | BaseFault> {
  const read = await blobsOf(root, changed);
  if ("fault" in read) return read;
  const findings: Collected = { problems: [], declarations: [], documents: 0, unreadable: 0 };
  await forEachYielding(read.blobs.entries(), ([index, bytes]) =>
    readManifestBytes(changed[index]?.name ?? "", bytes, findings),
  );
  return findings;
}

function putTogether({ unchanged, changed }: BaseFiles, findings: Collected, now: Desired): DeclaredState {
  const kept = now.declarations.filter(({ entity }) => unchanged.has(entity.origin?.file ?? ""));
  const declarations = [...kept, ...findings.declarations].toSorted((a, b) =>
    compareText(a.entity.origin?.file ?? "", b.entity.origin?.file ?? ""),
  );
  return desiredOf({ ...findings, declarations }, changed.length, false);
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

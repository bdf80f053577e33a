/** Reads earlier declarations, either since the merge base of HEAD and a ref, or in one commit. */

import type { Urn } from "../../model/urn.ts";
import { groupBy } from "../../model/group-by.ts";
import { compareText } from "../../model/json.ts";
import type { Origin } from "../../model/origin.ts";
import { isError, type Problem } from "../../model/problem.ts";
import { type State, stateOver } from "../../model/state.ts";
import type { Epoch } from "../../plan/rules/history.ts";
import {
  baseFiles,
  type BaseFiles,
  readDeclarations,
  knownBaseFiles,
  type CurrentManifests,
} from "./base-files.ts";
import { declaredSince } from "./declared-since.ts";
import { desiredOf } from "../../manifests/documents/desired-state.ts";
import { lineSince } from "../../git/commits-since.ts";
import { commitOf } from "../../git/commit.ts";
import { fileOf, urnOf } from "../../model/packed-declarations.ts";
import { environmentFilesAt } from "./environment-files.ts";
import { type BaseFault, baseProblem, faultOf, HistoryError } from "./fault.ts";
import type { DeclaredState } from "../../manifests/base/desired.ts";

/** The earlier declarations, or the reason why they are unknown. Unknown declarations must not be treated as empty. */
export type BaseReading = KnownBase | UnknownBase;

/** The earlier declarations. */
export interface KnownBase {
  /** The commit that the ref points to. */
  readonly commit: string;
  /** The merge base of that commit and HEAD. */
  readonly anchor: string;
  /** The error-free declarations in the anchor. `files` and `documents` count only the files that were read for the anchor. */
  readonly declared: DeclaredEarlier;
  /** All earlier declarations in documents, either in the anchor or in a later commit on HEAD's first-parent line. */
  readonly before: State;
  /** The entities in `before` that a later commit declares in documents. */
  readonly later: State;
  /** The rules and asset documents at later commits. Empty if there were no rules. */
  readonly epochs: readonly Epoch[];
}

interface UnknownBase {
  /** The commit that the ref points to, or `null` if there is none. */
  readonly commit: string | null;
  readonly fault: BaseFault["fault"];
  /** The fault as a warning without an origin. */
  readonly reason: Problem;
}

/**
 * Reads a directory's declarations since the merge base of HEAD and a ref. The settings in each commit determine which files
 * count. Declarations in a file that has left the environment count as earlier declarations, and those in a file that has joined
 * it do not. Throws only if the signal is aborted.
 */
export async function readBase(ref: string, now: CurrentManifests): Promise<BaseReading> {
  let commit: string | null = null;
  try {
    commit = await commitOf(now.root, ref);
    return await knownSince(commit, now);
  } catch (error) {
    const found = faultOf(error);
    return { commit, fault: found.fault, reason: baseProblem(ref, found) };
  }
}

async function knownSince(commit: string, now: CurrentManifests): Promise<KnownBase> {
  const line = await lineSince(now.root, commit);
  const anchor = line.fork;
  const part = await environmentFilesAt(anchor, now);
  if (!part) {
    const { environment = "" } = now;
    throw new HistoryError({ fault: "without-environment", environment, commit: anchor.slice(0, 12) });
  }
  const declared = await declaredBy(await baseFiles(anchor, part, now), now);
  refuseErrors(declared.problems, anchor);
  const { later, epochs } = await declaredSince(line, { ...declared, part }, now);
  const before = stateOver(declared.state, later, (_, entity) => entity);
  return { commit, anchor, declared, before, later, epochs };
}

/** A commit's declarations. */
export interface DeclaredEarlier extends DeclaredState {
  /** The entities whose declarations may have changed since the commit, because their files differ. */
  readonly touched: ReadonlySet<Urn>;
}

/**
 * Reads the known declarations of a directory in a commit. Throws `GitError` if git fails, and `HistoryError` if the path to the
 * directory contains a link.
 */
export async function declaredAt(commit: string, now: CurrentManifests): Promise<DeclaredEarlier> {
  const part = (await environmentFilesAt(commit, now)) ?? (() => false);
  return await declaredBy(await knownBaseFiles(commit, part, now), now);
}

async function declaredBy(
  { unchanged, changed }: BaseFiles,
  now: CurrentManifests,
): Promise<DeclaredEarlier> {
  const { declared } = now;
  const read = await readDeclarations(changed, now);
  const byUnchanged = groupBy(declared.declarations, (each) => unchanged.has(fileOf(each)));
  const declarations = [...(byUnchanged.get(true) ?? []), ...read.declarations]
    .map((declaration) => ({ declaration, file: fileOf(declaration) }))
    .toSorted((a, b) => compareText(a.file, b.file))
    .map(({ declaration }) => declaration);
  const withEarlier = <Each extends { readonly origin: Origin }>(
    current: readonly Each[],
    earlier: readonly Each[],
  ): readonly Each[] => [...current.filter(({ origin }) => unchanged.has(origin.file)), ...earlier];
  const rules = withEarlier(declared.rules, read.rules);
  const policies = withEarlier(declared.policies, read.policies);
  const waivers = withEarlier(declared.waivers, read.waivers);
  const touched = new Set([...read.declarations, ...(byUnchanged.get(false) ?? [])].map(urnOf));
  return {
    ...desiredOf({ ...read, declarations, rules, policies, waivers }, changed.length, false),
    touched,
  };
}

function refuseErrors(problems: readonly Problem[], commit: string): void {
  const errors = problems.filter(isError);
  const [first] = errors;
  if (!first) return;
  const { file = "", line = 1, column = 1 } = first.origin ?? {};
  const about = { commit: commit.slice(0, 12), count: errors.length, first: first.code };
  throw new HistoryError({ fault: "invalid", ...about, file, line, column });
}

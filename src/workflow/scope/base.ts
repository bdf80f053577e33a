/**
 * Finds a plan's base (the last applied commit, or the merge base for `--changed-since`), reads its declarations, and warns if
 * the base is unknown.
 */

import { type Ahead, aheadOf } from "../../git/commit.ts";
import type { Problem } from "../../model/problem.ts";
import { type CurrentManifests, currentManifests } from "./base-files.ts";
import { ScopeError } from "./errors.ts";
import { type BaseFault, faultOf } from "./fault.ts";
import { type BaseReading, declaredAt, type DeclaredEarlier, type KnownBase, readBase } from "./history.ts";
import type { ScopeRequest } from "./selection.ts";
import type { Desired } from "../../manifests/base/desired.ts";

/** The ref for the last applied commit, and that commit, or `null` if the ref does not exist. */
export interface BaseRef {
  readonly name: string;
  readonly commit: string | null;
  /** Present if HEAD's history does not contain the last applied commit. */
  readonly ahead?: Ahead | undefined;
}

/** The base of a plan, if it is known. */
interface FoundBase {
  readonly ref: BaseRef | undefined;
  readonly known: KnownBase | undefined;
  /** The declarations in the last applied commit, if HEAD's history does not contain this commit. */
  readonly ahead?: DeclaredEarlier | undefined;
  /** Warnings that the base is unknown or that HEAD does not contain the applied commit. */
  readonly problems: readonly Problem[];
}

// Faults that cause only a warning, even for a ref on the command line. A missing ref is tolerated only in the settings, because
// it may not exist yet.
const toleratedFaults: ReadonlySet<BaseFault["fault"]> = new Set([
  "invalid",
  "without-catalog",
  "without-environment",
  "link",
  "sparse",
  "no-merge-base",
]);

/**
 * Reads the declarations since the last applied commit or, if there is none, since the merge base with `changedSince`. Throws
 * `ScopeError` if a `--base` ref cannot be used, or if a prune has no base.
 */
export async function findBase(request: ScopeRequest, declared: Desired): Promise<FoundBase> {
  const { repository, selection, policy } = request;
  const name = selection.base ?? repository.settings.base;
  const since = selection.changedSince;
  if (name === undefined && since === undefined) {
    if (policy.prune !== undefined) throw new ScopeError({ code: "prune-without-base" });
    return { ref: undefined, known: undefined, problems: [] };
  }
  const now = currentManifests(repository, declared, request.signal);
  const found = name === undefined ? undefined : await readFrom(request, name, now);
  const ahead = await aheadIn(found, now);
  const ref = name === undefined || !found ? undefined : { name, commit: found.commit, ahead: ahead?.by };
  const warnings = ahead && name !== undefined ? [aheadProblem(request, name, ahead.by)] : [];
  const isFallback = found === undefined || ("reason" in found && found.fault === "missing");
  const used = isFallback && since !== undefined ? await readFrom(request, since, now) : found;
  if (used && !("reason" in used)) return { ref, known: used, ahead: ahead?.declared, problems: warnings };
  const reason = found && "reason" in found ? found.reason : used?.reason;
  const problems = [...warnings, ...(reason ? [reason] : [])];
  return { ref, known: undefined, ahead: ahead?.declared, problems };
}

interface AheadOfHead {
  readonly by: Ahead;
  readonly declared: DeclaredEarlier | undefined;
}

/** Returns the applied commits that are not in HEAD. Returns `undefined` if there are none or if this is unknown. */
async function aheadIn(
  base: BaseReading | undefined,
  now: CurrentManifests,
): Promise<AheadOfHead | undefined> {
  // With the fault `no-merge-base`, HEAD and the commit have no common history in this clone.
  if (!base || ("fault" in base && base.fault === "no-merge-base")) return undefined;
  const { commit } = base;
  if (commit === null) return undefined;
  const by = await aheadOf(now.root, "HEAD", commit).catch(faultOf);
  if (!by || "fault" in by) return undefined;
  const read = await declaredAt(commit, now).catch(faultOf);
  return { by, declared: "fault" in read ? undefined : read };
}

function aheadProblem({ repository, selection }: ScopeRequest, ref: string, ahead: Ahead): Problem {
  const { baseOrigin } = repository.settings;
  const origin = selection.base === undefined ? baseOrigin : undefined;
  return {
    code: ahead.isDescendant ? "older-commit" : "diverged-commit",
    severity: "warning",
    args: { ref, commit: ahead.commit.slice(0, 12), count: ahead.count },
    ...(origin && { origin }),
  };
}

async function readFrom(
  { repository: { settings }, selection }: ScopeRequest,
  ref: string,
  now: CurrentManifests,
): ReturnType<typeof readBase> {
  const base = await readBase(ref, now);
  if (!("reason" in base)) return base;
  const { reason } = base;
  if (ref === selection.base && !toleratedFaults.has(base.fault)) {
    throw new ScopeError({ code: "unknown-base", problem: { ...reason, severity: "error" } });
  }
  const origin = selection.base === undefined && ref === settings.base ? settings.baseOrigin : undefined;
  return { ...base, reason: { ...reason, ...(origin && { origin }) } };
}

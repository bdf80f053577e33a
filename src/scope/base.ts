import { resolve } from "node:path";
import { type Ahead, aheadOf } from "../git/commit.ts";
import type { Desired } from "../manifests/desired-state.ts";
import type { Problem } from "../model/problem.ts";
import { currentManifests } from "./base-files.ts";
import { ScopeError } from "./errors.ts";
import { type BaseFault, faultOf } from "./fault.ts";
import { type BaseReading, declaredAt, type DeclaredEarlier, type KnownBase, readBase } from "./history.ts";
import type { ScopeRequest } from "./selection.ts";

/** The ref that names the last applied commit, and the commit that it names where it names one. */
export interface BaseRef {
  readonly name: string;
  readonly commit: string | null;
  /** Where HEAD does not have that commit in its history. */
  readonly ahead?: Ahead | undefined;
}

/** What was declared before, as far as it is known. */
interface FoundBase {
  readonly ref: BaseRef | undefined;
  /** The commit from which on it is known; `null` where it is not. */
  readonly anchor: string | null;
  readonly known: KnownBase | undefined;
  /** What the last applied commit declares, where HEAD does not have it in its history. */
  readonly ahead?: DeclaredEarlier | undefined;
  /** Why it is not known, and that HEAD lacks what was applied. */
  readonly problems: readonly Problem[];
}

// What the settings name may not be there yet; what somebody names by hand must be.
const faultsOfMissingBase: ReadonlySet<BaseFault["fault"]> = new Set([
  "invalid",
  "without-catalog",
  "without-environment",
  "link",
  "sparse",
  "no-merge-base",
]);

/**
 * What was declared since the last applied commit, or without one since the merge base of `changedSince`. Throws `ScopeError`
 * where a ref of `--base` cannot be used, and where a prune has no base.
 */
export async function findBase(request: ScopeRequest, declared: Desired): Promise<FoundBase> {
  const { repository, selection, policy } = request;
  const name = selection.base ?? repository.settings.base;
  const since = selection.changedSince;
  if (name === undefined && since === undefined) {
    if (policy.prune !== undefined) throw new ScopeError({ code: "prune-without-base" });
    return { ref: undefined, anchor: null, known: undefined, problems: [] };
  }
  const found = name === undefined ? undefined : await readFrom(request, name, declared);
  const ahead = found && !isUnrelated(found) ? await aheadIn(request, found, declared) : undefined;
  const ref = name === undefined || !found ? undefined : { name, commit: found.commit, ahead: ahead?.by };
  const warnings = ahead && name !== undefined ? [aheadProblem(request, name, ahead.by)] : [];
  const isFallback = found === undefined || ("reason" in found && found.fault === "missing");
  const used = isFallback && since !== undefined ? await readFrom(request, since, declared) : found;
  if (!used || "reason" in used) {
    const reason = found && "reason" in found ? found.reason : used?.reason;
    const problems = [...warnings, ...(reason ? [reason] : [])];
    return { ref, anchor: null, known: undefined, ahead: ahead?.declared, problems };
  }
  return { ref, anchor: used.anchor, known: used, ahead: ahead?.declared, problems: warnings };
}

/** Whether HEAD and the commit have no history in common, as far as this clone knows. */
function isUnrelated(base: BaseReading): boolean {
  return "fault" in base && base.fault === "no-merge-base";
}

interface AheadOfHead {
  readonly by: Ahead;
  readonly declared: DeclaredEarlier | undefined;
}

/** What was applied and HEAD lacks; `undefined` where it lacks nothing, or that cannot be known. */
async function aheadIn(
  { repository, signal }: ScopeRequest,
  { commit }: Pick<BaseReading, "commit">,
  declared: Desired,
): Promise<AheadOfHead | undefined> {
  if (commit === null) return undefined;
  const root = resolve(repository.cwd, repository.directory);
  const by = await aheadOf(root, "HEAD", commit).catch(faultOf);
  if (!by || "fault" in by) return undefined;
  const read = await declaredAt(root, commit, currentManifests(repository, declared, signal)).catch(faultOf);
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
  { repository, selection, signal }: ScopeRequest,
  ref: string,
  declared: Desired,
): ReturnType<typeof readBase> {
  const { directory, settings } = repository;
  const base = await readBase(directory, ref, currentManifests(repository, declared, signal));
  if (!("reason" in base)) return base;
  const { reason } = base;
  if (ref === selection.base && !faultsOfMissingBase.has(base.fault)) {
    throw new ScopeError({ code: "unknown-base", problem: { ...reason, severity: "error" } });
  }
  const origin = selection.base === undefined && ref === settings.base ? settings.baseOrigin : undefined;
  return { ...base, reason: { ...reason, ...(origin && { origin }) } };
}

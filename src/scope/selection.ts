import { resolve } from "node:path";
import { forkOf } from "../git/commit.ts";
import type { Desired } from "../manifests/desired-state.ts";
import type { Shard } from "../model/plan.ts";
import type { State } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";
import { changedDeclarations } from "../plan/sides/changed-declarations.ts";
import { shardOf } from "../plan/shard.ts";
import { matching } from "../plan/sides/select.ts";
import { ScopeError } from "./errors.ts";
import { changesProblem } from "./fault.ts";
import { declaredAt } from "./history.ts";
import type { PolicyChoices } from "./policy.ts";
import type { Repository } from "./repository.ts";

/** The part of a repository that is looked at, and what it is compared with. Without any of these it is the whole. */
export interface Selection {
  /** Patterns of URNs, in which `*` matches any text: only entities that match one of them. */
  readonly targets?: readonly string[] | undefined;
  /** A ref: only entities whose declaration differs from that of the merge base of HEAD and this ref. */
  readonly changedSince?: string | undefined;
  /** Only the entities of this shard. It divides the whole, so it goes with neither `targets` nor `changedSince`. */
  readonly shard?: Shard | undefined;
  /** The ref of the last applied commit, where it is not the settings' `base`. */
  readonly base?: string | undefined;
}

/** What is to be looked at, and by which policy it is judged. */
export interface ScopeRequest {
  readonly repository: Repository;
  readonly policy: PolicyChoices;
  readonly selection: Selection;
  /** Ends the reading. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The entities that are selected, of those that are declared and those that were declared before; `undefined` where that
 * is all of them. Settings that changed concern every entity, so `changedSince` selects all of them then. Throws
 * `ScopeError` where git cannot tell, and where no target matches.
 */
export async function selectedOf(
  { repository, selection }: ScopeRequest,
  desired: Desired,
  before: State | undefined,
): Promise<ReadonlySet<Urn> | undefined> {
  const { targets, changedSince, shard } = selection;
  if (shard) return inShard(shard, [...desired.state.keys(), ...(before?.keys() ?? [])]);
  const since = repository.settingsChanges ? undefined : changedSince;
  const changed = since === undefined ? undefined : await changedIn(repository, since, desired);
  if (!targets) return changed;
  const matches = matching(targets);
  const all = changed ?? new Set([...desired.state.keys(), ...(before?.keys() ?? [])]);
  const selected = new Set([...all].filter(matches));
  if (selected.size === 0 && !changed) throw new ScopeError({ code: "no-match", targets });
  return selected;
}

function inShard({ index, of }: Shard, urns: readonly Urn[]): ReadonlySet<Urn> {
  return new Set(urns.filter((urn) => shardOf(urn, of) === index));
}

async function changedIn(
  { cwd, directory, settingsFile, environment }: Repository,
  ref: string,
  desired: Desired,
): Promise<ReadonlySet<Urn>> {
  const root = resolve(cwd, directory);
  const start = await forkOf(root, ref);
  const before =
    "fault" in start
      ? start
      : await declaredAt(root, start.commit, { cwd, settings: settingsFile, environment, declared: desired });
  if ("fault" in before) {
    throw new ScopeError({ code: "unknown-changes", problem: changesProblem(ref, before) });
  }
  return changedDeclarations(before.state, desired.state);
}

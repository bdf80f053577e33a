import type { ChangedFiles } from "./changed-since.ts";
import type { Desired } from "../manifests/desired-state.ts";
import { type BaseReading, type KnownBase, readBase } from "./history.ts";
import type { BaseFault } from "./fault.ts";
import type { Entity } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";
import type { Base, Declared } from "../plan/sides/base.ts";
import { isBeyond } from "../plan/checks/guards/guard.ts";
import { ScopeError } from "./errors.ts";
import type { All, ScopeRequest } from "./selection.ts";

/** Leaves of what is declared only what a plan looks at. */
export type Narrow = <T extends Declared>(declared: T) => T;

// What the settings name may not be there yet; what somebody names by hand must be.
const usual: ReadonlySet<BaseFault["fault"]> = new Set(["invalid", "without-catalog", "link", "sparse"]);

/** What a ref's commit declared. Throws `ScopeError` where somebody named the ref by hand and it cannot be used. */
export async function loadBase(
  { repository, selection }: ScopeRequest,
  ref: string,
  declared: Desired,
): Promise<BaseReading> {
  const { cwd, directory, settingsFile, settings } = repository;
  const base = await readBase(directory, ref, { cwd, settings: settingsFile, declared });
  if (!("reason" in base)) return base;
  const { reason } = base;
  if (selection.base !== undefined && !usual.has(base.fault)) {
    throw new ScopeError({ code: "unknown-base", problem: { ...reason, severity: "error" } });
  }
  const origin = selection.base === undefined ? settings.baseOrigin : undefined;
  return { ...base, reason: { ...reason, ...(origin && { origin }) } };
}

interface Found {
  readonly known: KnownBase;
  readonly desired: Desired;
  readonly changed: ChangedFiles | undefined;
  readonly narrow: Narrow;
  readonly all: All;
}

/** The part of the base that is looked at: all of it, or what stood in the files that have changed. */
export async function baseOf(request: ScopeRequest, found: Found): Promise<Base> {
  const { known, desired, changed, narrow, all } = found;
  const { limits } = request.policy;
  const { state } = narrow(known.declared);
  if (!changed) return { state, size: state.size };
  const isLookedAt = (urn: Urn, { origin }: Entity): boolean =>
    desired.state.has(urn) || changed.names.has(origin?.file ?? "");
  const part = new Map([...state].filter(([urn, entity]) => isLookedAt(urn, entity)));
  const missing = [...part.keys()].filter((urn) => !desired.state.has(urn));
  // A file that has not changed here may declare it since another one did in base.
  const now = missing.length > 0 ? await all() : desired;
  const gone = missing.filter((urn) => !now.state.has(urn));
  for (const urn of missing) if (now.state.has(urn)) part.delete(urn);
  // Base declares as much at least; only where that does not settle it all of it is counted.
  const isSettled = !isBeyond(gone.length, limits.vanished.max_percent, part.size);
  const size = isSettled ? part.size : await wholeSize(request, found, now, new Set(part.keys()));
  return { state: part, size };
}

/** How many entities base declares in all. Errors in files that have not changed are not this plan's. */
async function wholeSize(
  request: ScopeRequest,
  { known, changed, narrow }: Pick<Found, "known" | "changed" | "narrow">,
  now: Desired,
  part: ReadonlySet<Urn>,
): Promise<number> {
  const whole = await loadBase(request, known.commit, now);
  if ("declared" in whole) return narrow(whole.declared).state.size;
  const others = [...narrow(now).state.values()].filter(
    ({ urn, origin }) => !part.has(urn) && !changed?.names.has(origin?.file ?? ""),
  );
  return part.size + others.length;
}

import type { ScalarChange } from "../../src/model/change.ts";
import type { Plan } from "../../src/model/plan.ts";
import type { Report } from "../../src/model/report.ts";
import { maxSpans, writesIn } from "../../src/plan/notes/fights.ts";
import { pendingIn, heldBackIn } from "../../src/model/held-back.ts";
import { operationsOf } from "../../src/plan/order/operations.ts";
import { fought } from "./noted.ts";
import { datasetNamed } from "./states.ts";
import { skippedOutcomes } from "../../src/plan/order/skipped-outcomes.ts";
import type { FightRules, PastWrite } from "../../src/plan/base/policy.ts";

const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Somebody who sets a value of their own again and again. */
interface Opponent {
  readonly every: number;
  /** When they do not care. */
  readonly pause?: readonly [from: number, to: number];
}

/** What becomes of a month, all by time in milliseconds: commits, hours without applies, and applies of which a part fails. */
export interface Month {
  readonly days: number;
  readonly opponents: readonly Opponent[];
  readonly commits: readonly { readonly at: number; readonly place: number; readonly value: string }[];
  readonly outages: readonly (readonly [from: number, to: number])[];
  readonly failures: readonly { readonly at: number; readonly place: number }[];
}

/** The value of all opponents. */
export const theirs = "urn:li:domain:theirs";
export const ours = "urn:li:domain:ours";

/** One place, as the catalog and the manifests have it, and what an oracle remembers of it. */
interface PlaceState {
  live: string;
  declared: string;
  /** What was declared when it was applied or written last, and the times of the writes since then. */
  seen: string | undefined;
  since: number[];
}

/** A place that the ledger and the oracle see differently. */
interface Difference {
  readonly at: number;
  readonly place: number;
  readonly isHeld: boolean;
}

/** How often each place was written, was held back, and would have been written without a ledger. */
interface Played {
  readonly writes: readonly number[];
  readonly held: readonly number[];
  readonly differences: readonly Difference[];
}

const [times, within, every] = [3, day, 15 * minute] as const;

/**
 * Applies every 15 minutes against opponents. The ledger sees only reports and the last applied commit; the oracle knows
 * each commit. The decisions of both are compared.
 */
export function play({ days, opponents, commits, outages, failures }: Month): Played {
  const places = opponents.map((): PlaceState => ({ live: "", declared: ours, seen: undefined, since: [] }));
  const writes = places.map(() => 0);
  const held = places.map(() => 0);
  const differences: Difference[] = [];
  let past: readonly PastWrite[] = [];
  let [head, applied] = [0, { commit: "none", declared: places.map((): string | undefined => undefined) }];
  for (let at = 0; at < days * day; at += every) {
    for (const [place, { every: rhythm, pause: [from, to] = [0, 0] }] of opponents.entries()) {
      const state = places[place];
      if (state && at % rhythm === 0 && !(at >= from && at < to)) state.live = theirs;
    }
    for (const { place, value } of commits.filter((commit) => commit.at >= at && commit.at < at + every)) {
      const state = places[place];
      if (state && state.declared !== value) [state.declared, head] = [value, head + 1];
    }
    if (outages.some(([from, to]) => at >= from && at < to)) continue;
    const changes = places.flatMap((state, place) => {
      const before = applied.declared[place];
      return state.live === state.declared ? [] : [changeOf(place, state, before === state.declared)];
    });
    const rules: FightRules = { writes: past, times, within, now: at, base: applied.commit };
    const planned = fought(changes, rules);
    const failing = new Set(
      failures.filter((each) => each.at >= at && each.at < at + every).map(({ place }) => place),
    );
    for (const change of planned) {
      const place = placeIn(change);
      const state = places[place];
      if (!state) continue;
      const isHeld = change.fights !== undefined;
      if (isHeld !== isHeldByOracle(state, at)) differences.push({ at, place, isHeld });
      if (isHeld) held[place] = (held[place] ?? 0) + 1;
      else if (!failing.has(place)) {
        writes[place] = (writes[place] ?? 0) + 1;
        state.live = state.declared;
        state.since = state.seen === state.declared ? [...state.since, at] : [at];
        state.seen = state.declared;
      }
    }
    past = [
      ...past.filter((write) => write.at > at - maxSpans * within),
      ...writesIn(reportOf(planned, failing, applied.commit), at),
    ];
    const isFailed = planned.some((change) => change.fights === undefined && failing.has(placeIn(change)));
    if (isFailed) continue;
    applied = { commit: `${head}`, declared: places.map(({ declared }) => declared) };
    for (const state of places)
      if (state.seen !== state.declared) [state.seen, state.since] = [state.declared, [Number.NaN]];
  }
  return { writes, held, differences };
}

/** Three reversals within a day, the last one less than a day ago; the first write of a declaration is none. */
function isHeldByOracle({ seen, declared, since }: PlaceState, now: number): boolean {
  if (seen !== declared) return false;
  const reversals = since.slice(1);
  const [first, last] = [reversals.at(-times), reversals.at(-1)];
  return first !== undefined && last !== undefined && now - last < within && last - first <= within;
}

function changeOf(place: number, { live, declared }: PlaceState, reverts: boolean): ScalarChange {
  return {
    action: "update",
    shape: "scalar",
    kind: "Dataset",
    urn: datasetNamed(`${place}`),
    facet: "domain",
    before: live === "" ? null : live,
    after: declared,
    fingerprint: "",
    ...(reverts && { reverts: [declared] }),
  };
}

function placeIn({ urn }: ScalarChange): number {
  return Number(/,(\d+),PROD/.exec(urn)?.[1]);
}

function reportOf(changes: readonly ScalarChange[], failing: ReadonlySet<number>, base: string): Report {
  const pending = pendingIn(changes);
  const skipped = heldBackIn(changes);
  const sent = operationsOf({ changes: pending }).map((operation) => {
    const isFailed = operation.changes.some((change) => failing.has(placeIn(change as ScalarChange)));
    return isFailed
      ? ({ status: "failed", operation, error: "refused" } as const)
      : ({ status: "applied", operation } as const);
  });
  const plan = { changes, git: { commit: null, dirty: false, base } } as unknown as Plan;
  return { plan, outcomes: [...sent, ...skippedOutcomes({ changes: skipped })] };
}

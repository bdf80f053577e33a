/** Keeps statistics about the rounds of a watch, for its exit code, health, readiness and metrics. */

import { type Measured, metricsText } from "../../report/metrics.ts";
import type { Round } from "../../model/round.ts";
import { roundMetricsText } from "../../report/watch-metrics.ts";
import { type ExitCode, exitCodes, highestPrecedence } from "../exit-code.ts";

/** A finished round and its measurements. */
export interface EndedRound {
  readonly round: Round & { readonly exitCode: ExitCode };
  readonly measured: Measured;
  /** Whether the round failed in a way that suggests that the server is down. */
  readonly isServerDown: boolean;
  /** Whether the server rejected the token. */
  readonly isTokenRefused?: boolean;
}

/** Statistics about a watch. Plans and reports are not retained. */
export interface Tally {
  note(ended: EndedRound): void;
  /** Returns the number of consecutive failed rounds in which the server may have been down. */
  failures(): number;
  /** Returns the worst exit code of all rounds, ignoring drift. */
  worst(): ExitCode;
  /** Whether a round succeeded within the last two intervals. */
  isReady(now: Date): boolean;
  /** Returns false if the server rejected the token in two consecutive rounds. The process should then be restarted. */
  isHealthy(): boolean;
  /** Returns the totals and the metrics of the last round in Prometheus text format. */
  metrics(): string;
}

/** The exit codes of rounds that produced a result. */
const goodCodes: ReadonlySet<ExitCode> = new Set([
  exitCodes.done,
  exitCodes.changes,
  exitCodes.violated,
  exitCodes.blocked,
  exitCodes.conflict,
]);

/** The minimum interval for readiness, in milliseconds. Even with a shorter interval, a round needs some time. */
const minInterval = 30_000;

/**
 * The watch is unhealthy after this number of consecutive rounds with a rejected token. An orchestrator can then restart the
 * process with a new token.
 */
const maxRefusals = 2;

/** Creates an empty tally for a watch whose interval is `every` milliseconds. */
export function createTally(every: number): Tally {
  const rounds = new Map<ExitCode, number>([[exitCodes.done, 0]]);
  let [applied, failures, refusals, interval] = [0, 0, 0, Math.max(every, minInterval)];
  let lastGood: Date | undefined;
  let text = roundMetricsText({ rounds, applied, last: undefined, lastGood });
  return {
    note: ({ round, measured, isServerDown, isTokenRefused = false }) => {
      const { exitCode } = round;
      const isGood = goodCodes.has(exitCode);
      rounds.set(exitCode, (rounds.get(exitCode) ?? 0) + 1);
      applied += round.applied;
      failures = isServerDown ? failures + 1 : 0;
      refusals = isTokenRefused ? refusals + 1 : 0;
      if (isGood) {
        lastGood = measured.endedAt;
        interval = Math.max(every, minInterval, measured.seconds * 1000);
      }
      text =
        roundMetricsText({ rounds, applied, last: measured.plan && round, lastGood }) + metricsText(measured);
    },
    failures: () => failures,
    worst: () => highestPrecedence([...rounds.keys()].filter((code) => code !== exitCodes.changes)),
    isReady: (now) => lastGood !== undefined && now.getTime() - lastGood.getTime() <= 2 * interval,
    isHealthy: () => refusals < maxRefusals,
    metrics: () => text,
  };
}

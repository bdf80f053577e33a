/** Counts a watch's rounds for its exit code, health, readiness and metrics. */

import { type Measured, metricsText } from "../../report/metrics.ts";
import type { Round } from "../../model/round.ts";
import { roundMetricsText } from "../../report/watch-metrics.ts";
import { type ExitCode, exitCodes, highestPrecedence } from "../exit-code.ts";

/** A finished round and its measurements. */
export interface EndedRound {
  readonly round: Round & { readonly exitCode: ExitCode };
  readonly measured: Measured;
  /** Whether the round failed, possibly because the server is down. */
  readonly isServerDown: boolean;
  /** Whether the server refused the token. */
  readonly isTokenRefused?: boolean;
}

/** A watch's totals, without plans and reports. */
export interface Tally {
  note(ended: EndedRound): void;
  /** Returns the number of consecutive rounds that failed because the server may be down. */
  failures(): number;
  /** Returns the worst exit code that was not drift. */
  worst(): ExitCode;
  /** Whether there was a good round within two intervals. */
  isReady(now: Date): boolean;
  /** Whether the process can do its work. False if the server refused the token in two consecutive rounds. */
  isHealthy(): boolean;
  /** Returns the totals and the last round in Prometheus text format. */
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

/** The minimum interval in milliseconds. For readiness, a shorter interval counts as this one, because a round needs time. */
const minInterval = 30_000;

/** The number of rounds with a refused token after which an orchestrator should restart the process with the current token. */
const maxRefusals = 2;

/** Creates an empty tally for a watch with an interval of `every` milliseconds. */
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

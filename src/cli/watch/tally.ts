import { type Measured, metricsText } from "../../report/metrics.ts";
import type { Round } from "../../model/round.ts";
import { roundMetricsText } from "../../report/watch-metrics.ts";
import { type ExitCode, exitCodes, worst } from "../exit-code.ts";

/** A round that has ended, and what it was measured by. */
export interface EndedRound {
  readonly round: Round & { readonly exitCode: ExitCode };
  readonly measured: Measured;
  /** Whether the server may be why it failed. */
  readonly isServerDown: boolean;
  /** Whether the server refused the token. */
  readonly isTokenRefused?: boolean;
}

/** What the rounds of a watch came to. It keeps no plan and no report. */
export interface Tally {
  note(ended: EndedRound): void;
  /** How many rounds have failed, one after the other, because the server may be down. */
  failures(): number;
  /** The worst exit code that was not drift. */
  worst(): ExitCode;
  /** Whether there was a good round within two intervals. */
  isReady(now: Date): boolean;
  /** Whether the process can do its work: not where the token was refused in two rounds, one after the other. */
  isHealthy(): boolean;
  /** All rounds and the last one, in the text format of Prometheus. */
  metrics(): string;
}

/** The exit codes of rounds that came to a result, whatever they found. */
const goodCodes: ReadonlySet<ExitCode> = new Set([
  exitCodes.done,
  exitCodes.changes,
  exitCodes.violated,
  exitCodes.blocked,
  exitCodes.conflict,
]);

/** An interval that is shorter counts as this one: a round takes its time. In milliseconds. */
const shortestInterval = 30_000;

/** After so many rounds with a refused token an orchestrator should start the process anew, with the token of now. */
const maxRefusals = 2;

/** Starts to count the rounds of a watch, whose interval is `every` milliseconds. */
export function createTally(every: number): Tally {
  const rounds = new Map<ExitCode, number>([[exitCodes.done, 0]]);
  let [applied, failures, refusals, interval] = [0, 0, 0, Math.max(every, shortestInterval)];
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
        interval = Math.max(every, shortestInterval, measured.seconds * 1000);
      }
      text =
        roundMetricsText({ rounds, applied, last: measured.plan && round, lastGood }) + metricsText(measured);
    },
    failures: () => failures,
    worst: () => worst([...rounds.keys()].filter((code) => code !== exitCodes.changes)),
    isReady: (now) => lastGood !== undefined && now.getTime() - lastGood.getTime() <= 2 * interval,
    isHealthy: () => refusals < maxRefusals,
    metrics: () => text,
  };
}

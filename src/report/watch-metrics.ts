/** Prints the metrics of `watch` in Prometheus text format. */

import type { Round } from "../model/round.ts";
import { metricTexts } from "./metrics.ts";

/** The totals for all rounds since a `watch` command started. */
export interface RoundTotals {
  /** The number of rounds, keyed by exit code. */
  readonly rounds: ReadonlyMap<number, number>;
  /** The number of operations that all rounds have applied. */
  readonly applied: number;
  /** The last round, if it had a plan. Without a plan, the number of differences is unknown. */
  readonly last: Round | undefined;
  /** When the last successful round ended. */
  readonly lastGood: Date | undefined;
}

/** Prints the totals as metrics (text format 0.0.4). */
export function roundMetricsText({ rounds, applied, last, lastGood }: RoundTotals): string {
  const counters = metricTexts("counter", [
    ["watch_rounds_total", "Rounds, by exit code.", { exit_code: Object.fromEntries(rounds) }],
    ["watch_applied_total", "Operations applied in all rounds.", applied],
  ]);
  const gauges = metricTexts("gauge", [
    ["watch_differs", "Changes that the last round found.", last?.differs],
    ["watch_held", "Changes that the last round held back.", last?.held],
    [
      "watch_last_good_timestamp_seconds",
      "Unix time when the last successful round ended.",
      lastGood && lastGood.getTime() / 1000,
    ],
  ]);
  return counters + gauges;
}

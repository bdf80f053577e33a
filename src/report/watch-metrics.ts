/** Prints the metrics of `watch` in Prometheus text format. */

import type { Round } from "../model/round.ts";
import { metricText } from "./metrics.ts";

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
  const codes = Object.fromEntries([...rounds].map(([code, number]) => [String(code), number]));
  return [
    metricText(
      "watch_rounds_total",
      { type: "counter", help: "Rounds, by exit code." },
      { exit_code: codes },
    ),
    metricText(
      "watch_applied_total",
      { type: "counter", help: "Operations applied in all rounds." },
      applied,
    ),
    metricText("watch_differs", { type: "gauge", help: "Changes that the last round found." }, last?.differs),
    metricText("watch_held", { type: "gauge", help: "Changes that the last round held back." }, last?.held),
    metricText(
      "watch_last_good_timestamp_seconds",
      { type: "gauge", help: "Unix time when the last successful round ended." },
      lastGood && lastGood.getTime() / 1000,
    ),
  ].join("");
}

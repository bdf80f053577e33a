import type { Round } from "../model/round.ts";
import { metricText } from "./metrics.ts";

/** What the rounds of a `watch` came to until now. */
export interface RoundTotals {
  /** How many rounds ended with each exit code. */
  readonly rounds: ReadonlyMap<number, number>;
  /** How many operations they applied together. */
  readonly applied: number;
  /** The last one, where it had a plan: without one it is not known what differs. */
  readonly last: Round | undefined;
  /** When the last good one ended. */
  readonly lastGood: Date | undefined;
}

/** The rounds of a `watch` in the text format of Prometheus (version 0.0.4). */
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
      { type: "counter", help: "Operations that were applied in all rounds." },
      applied,
    ),
    metricText("watch_differs", { type: "gauge", help: "Changes that the last round found." }, last?.differs),
    metricText("watch_held", { type: "gauge", help: "What the last round held back." }, last?.held),
    metricText(
      "watch_last_good_timestamp_seconds",
      { type: "gauge", help: "Unix time of the end of the last good round." },
      lastGood && lastGood.getTime() / 1000,
    ),
  ].join("");
}

/**
 * Runs the rounds of `watch` until it is interrupted or finished, prints one line for each round, and serves its state over HTTP.
 */

import { setTimeout as wait } from "node:timers/promises";
import type { ExplanationFormat } from "../../report/format.ts";
import { roundPrinters } from "../../report/printers.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { note } from "../output/messages.ts";
import { requireUpstream } from "./follow.ts";
import { type Address, listenAt } from "./listener.ts";
import { type RoundRequest, runRound } from "./round.ts";
import { pauseAfter } from "./schedule.ts";
import { createTally, type Tally } from "./tally.ts";

/** The options for a watch. */
export interface WatchRequest extends RoundRequest {
  readonly format: ExplanationFormat;
  /** The interval between the starts of consecutive rounds, in milliseconds. */
  readonly every: number;
  /** The number of rounds. By default, the watch runs until it is interrupted. */
  readonly rounds?: number | undefined;
  readonly listen?: Address | undefined;
}

/** The pause after the first failed round, in milliseconds. */
const firstPause = 1_000;

/**
 * Runs rounds one after another, and prints one line for each round. Returns the worst exit code, ignoring drift. Throws
 * `UsageError` if every round would fail, and `RunError` if it cannot listen on the address. If the watch is interrupted, throws
 * the reason.
 */
export async function watch(request: WatchRequest, io: Io): Promise<ExitCode> {
  const { dir, pull, every, listen, options } = request;
  if (pull) await requireUpstream(dir, io);
  const tally = createTally(every);
  const status = { ...tally, isReady: () => tally.isReady(io.now()) };
  const listener = listen && (await listenAt(listen, status));
  if (listener && options.quiet !== true)
    note(`Listening on ${listener.url}: /healthz, /readyz, /metrics`, io);
  try {
    return await runRounds(request, tally, io);
  } finally {
    listener?.close();
  }
}

async function runRounds(request: WatchRequest, tally: Tally, io: Io): Promise<ExitCode> {
  const { every, rounds, format } = request;
  for (let number = 1; ; number += 1) {
    const started = performance.now();
    const ended = await runRound(request, number, io);
    tally.note(ended);
    io.stdout.write(roundPrinters[format](ended.round));
    if (ended.round.exitCode === exitCodes.interrupted) return exitCodes.interrupted;
    await io.stdout.flush();
    // If stdout is lost, the results of further rounds would not be visible.
    if (number === rounds || io.stdout.loss()) return tally.worst();
    const took = performance.now() - started;
    const failures = tally.failures();
    const pause = { every, took, failures, firstPause: io.retryDelay ?? firstPause, chance: Math.random() };
    await wait(pauseAfter(pause), undefined, { signal: io.interrupted });
  }
}

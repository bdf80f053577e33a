#!/usr/bin/env node
import { homedir } from "node:os";
import { createInterface } from "node:readline";
import { isatty } from "node:tty";
import type { Io } from "./cli/io.ts";
import { outputOf } from "./cli/output/process-output.ts";
import { run } from "./cli/program.ts";

const interruption = new AbortController();
const interrupt = (): void => interruption.abort(new Error("interrupted"));

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (interruption.signal.aborted) process.exit(130);
    interrupt();
  });
}

// A terminal that is closed may say so twice: by itself, and by its shell.
process.on("SIGHUP", interrupt);

const stderr = outputOf(process.stderr, 2);

const io: Io = {
  stdout: outputOf(process.stdout, 1),
  stderr,
  env: process.env,
  cwd: process.cwd(),
  home: homedir(),
  isInteractive: isatty(0) && isatty(2),
  ask: (question) => {
    stderr.write(question);
    return answer(interruption.signal);
  },
  interrupted: interruption.signal,
  now: () => new Date(),
};

process.exitCode = await run(process.argv.slice(2), io);

/** Reads a line from the terminal; the end of the input is an empty one. Throws the reason of the signal. */
function answer(signal: AbortSignal): Promise<string> {
  // The terminal edits the line and turns Ctrl-C into a signal. Whoever did that himself would have to set it back.
  const lines = createInterface({ input: process.stdin, terminal: false });
  return new Promise<string>((answered, failed) => {
    lines.once("line", answered);
    lines.once("close", () => answered(""));
    // A terminal that was closed cannot be read.
    lines.once("error", () => answered(""));
    signal.addEventListener("abort", () => failed(interruption.signal.reason), { once: true });
    if (signal.aborted) failed(signal.reason);
  }).finally(() => lines.close());
}

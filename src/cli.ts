#!/usr/bin/env node
import { homedir } from "node:os";
import { createInterface } from "node:readline/promises";
import type { Io, Output } from "./cli/io.ts";
import { run } from "./cli/program.ts";

const interruption = new AbortController();

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    if (interruption.signal.aborted) process.exit(130);
    interruption.abort(new Error("interrupted"));
  });
}

// A reader that has seen enough (`| head`) is no error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}

const io: Io = {
  stdout: outputOf(process.stdout),
  stderr: outputOf(process.stderr),
  env: process.env,
  cwd: process.cwd(),
  home: homedir(),
  isInteractive: Boolean(process.stdin.isTTY && process.stderr.isTTY),
  ask: async (question) => {
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    terminal.on("SIGINT", () => interruption.abort(new Error("interrupted")));
    try {
      return await terminal.question(question, { signal: interruption.signal });
    } finally {
      terminal.close();
    }
  },
  interrupted: interruption.signal,
  now: () => new Date(),
};

process.exitCode = await run(process.argv.slice(2), io);

function outputOf(stream: NodeJS.WriteStream): Output {
  return {
    write: (text) => {
      stream.write(text);
    },
    // Undefined on a pipe, whatever its type says.
    isTTY: Boolean(stream.isTTY),
    columns: stream.columns > 0 ? stream.columns : 80,
  };
}

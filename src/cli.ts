#!/usr/bin/env node
import { homedir } from "node:os";
import { createInterface } from "node:readline/promises";
import { isatty } from "node:tty";
import type { Io, Output } from "./cli/io.ts";
import { run } from "./cli/program.ts";

const interruption = new AbortController();

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    if (interruption.signal.aborted) process.exit(130);
    interruption.abort(new Error("interrupted"));
  });
}

// A closed pipe (`| head`) is not an error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}

const io: Io = {
  stdout: outputOf(process.stdout, 1),
  stderr: outputOf(process.stderr, 2),
  env: process.env,
  cwd: process.cwd(),
  home: homedir(),
  isInteractive: isatty(0) && isatty(2),
  ask: async (question) => {
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    terminal.on("SIGINT", () => interruption.abort(new Error("interrupted")));
    try {
      return await terminal.question(question, { signal: interruption.signal });
    } catch (error) {
      // Ctrl-D ends the input. It does not count as approval.
      if (!interruption.signal.aborted) return "";
      throw error;
    } finally {
      terminal.close();
    }
  },
  interrupted: interruption.signal,
  now: () => new Date(),
};

process.exitCode = await run(process.argv.slice(2), io);

function outputOf(stream: NodeJS.WriteStream, fd: number): Output {
  return {
    write: (text) => {
      stream.write(text);
    },
    isTTY: isatty(fd),
    columns: stream.columns > 0 ? stream.columns : 80,
  };
}

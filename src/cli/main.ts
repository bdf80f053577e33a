/** Connects the command line to the real process: signals, terminal, streams, working directory and exit code. */

import { closeSync } from "node:fs";
import { homedir } from "node:os";
import { createInterface } from "node:readline";
import { isatty } from "node:tty";
import type { Io } from "./io.ts";
import { outputOf } from "./output/process-output.ts";
import { run } from "./program.ts";

const interruption = new AbortController();
const interrupt = (): void => interruption.abort(new Error("interrupted"));
let isPaging = false;

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    // If this process exited before the pager, the pager would keep running on the terminal.
    if (interruption.signal.aborted && !isPaging) process.exit(130);
    interrupt();
  });
}

// When a terminal is closed, the signal may arrive twice: once from the terminal and once from its shell.
process.on("SIGHUP", interrupt);

// At exit, Node.js resets its terminals, and aborts if a terminal has disappeared. Closing the terminal's file descriptor first
// prevents this.
const terminals = [0, 1, 2].filter((fd) => isatty(fd));
process.once("exit", () => {
  for (const fd of terminals) if (!isatty(fd)) closeSync(fd);
});

const stderr = outputOf(process.stderr, 2);

const io: Io = {
  stdout: outputOf(process.stdout, 1),
  stderr,
  env: process.env,
  ...workingDirectory(),
  home: homeDirectory(),
  isInteractive: isatty(0) && isatty(2),
  ask: (question) => {
    stderr.write(question);
    return answer(interruption.signal);
  },
  page: async (command, text) => {
    const { page } = await import("./output/pager.ts");
    isPaging = true;
    return await page(command, text, io).finally(() => {
      isPaging = false;
    });
  },
  openFile: async (file) => {
    const { default: open } = await import("open");
    await open(file);
  },
  interrupted: interruption.signal,
  now: () => new Date(),
};

process.exitCode = await run(process.argv.slice(2), io);

function workingDirectory(): Pick<Io, "cwd" | "isDirectoryMissing"> {
  try {
    return { cwd: process.cwd() };
  } catch {
    return { cwd: "/", isDirectoryMissing: true };
  }
}

// `homedir` throws if HOME is not set and the system has no entry for the user.
function homeDirectory(): string {
  try {
    return homedir();
  } catch {
    return "";
  }
}

/** Reads a line from the terminal. The end of input counts as an empty line. If the signal is aborted, throws its reason. */
function answer(signal: AbortSignal): Promise<string> {
  // The terminal itself handles line editing and turns Ctrl-C into a signal, so this process does not change the terminal's mode.
  const lines = createInterface({ input: process.stdin, terminal: false });
  return new Promise<string>((answered, failed) => {
    const end = (): void => (isatty(0) ? answered("") : interrupt());
    lines.once("line", answered).once("close", end).once("error", end);
    const fail = (): void => failed(signal.reason);
    if (signal.aborted) fail();
    else signal.addEventListener("abort", fail, { once: true });
  }).finally(() => lines.close());
}

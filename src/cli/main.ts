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
    // If this process ended before the pager, it would leave it behind on the terminal.
    if (interruption.signal.aborted && !isPaging) process.exit(130);
    interrupt();
  });
}

// A closed terminal may send the signal twice: by itself, and by its shell.
process.on("SIGHUP", interrupt);

// Node sets terminals back when it ends, and aborts where one of them was closed meanwhile; a closed file it passes over.
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

// Where HOME is not set, the system may not know the user.
function homeDirectory(): string {
  try {
    return homedir();
  } catch {
    return "";
  }
}

/** Reads a line from the terminal; the end of the input is an empty one. Throws the reason of the signal. */
function answer(signal: AbortSignal): Promise<string> {
  // The terminal edits the line and turns Ctrl-C into a signal. Otherwise this process would have to reset the terminal.
  const lines = createInterface({ input: process.stdin, terminal: false });
  return new Promise<string>((answered, failed) => {
    const end = (): void => (isatty(0) ? answered("") : interrupt());
    lines.once("line", answered).once("close", end).once("error", end);
    const fail = (): void => failed(signal.reason);
    if (signal.aborted) fail();
    else signal.addEventListener("abort", fail, { once: true });
  }).finally(() => lines.close());
}

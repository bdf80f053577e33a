/** Runs a pager and writes text to it. */

import { type ChildProcess, spawn } from "node:child_process";
import type { Writable } from "node:stream";
import type { Io } from "../io.ts";

/**
 * Shows text in a pager until the pager exits. An interruption closes the pager's input. Returns an error message if the pager
 * could not be started.
 */
export async function page(
  command: string,
  text: Iterable<string>,
  { cwd, env, interrupted }: Io,
): Promise<string | undefined> {
  const needsShell = shellCharacter.test(command);
  const pager = spawn(command, {
    cwd,
    env: { ...pagerDefaults, ...env },
    shell: needsShell,
    stdio: ["pipe", "inherit", "inherit"],
  });
  const ended = endOf(pager);
  await write(text, pager.stdin, interrupted);
  return await ended;
}

/** Git's default options for pagers. With these options, `less` shows colors, and exits if the text fits on one screen. */
const pagerDefaults = { LESS: "FRX", LV: "-c" };

// As in Git, the shell is used only for commands with one of these characters. For other commands, the system itself reports a
// missing program.
const shellCharacter = /[|&;<>()$`\\"' \t\n*?[#~=%]/;

/** Waits until a process exits. Returns an error message if the process could not be started. */
function endOf(pager: ChildProcess): Promise<string | undefined> {
  return new Promise((ended) => {
    pager.once("error", ({ message }) => ended(message));
    pager.once("exit", (code) => ended(code === null ? undefined : shellFailures.get(code)));
  });
}

/** The exit codes that a shell returns if a program cannot be started. */
const shellFailures: ReadonlyMap<number, string> = new Map([
  [126, "it is not executable"],
  [127, "it was not found"],
]);

async function write(text: Iterable<string>, pager: Writable, interrupted: AbortSignal): Promise<void> {
  // A pager that exits early closes the pipe, which is not an error.
  pager.on("error", () => {});
  const close = (): void => void pager.destroy();
  interrupted.addEventListener("abort", close, { once: true });
  for (const piece of text) {
    if (pager.destroyed) break;
    if (!pager.write(piece)) await drained(pager);
  }
  pager.end();
}

/** Waits until a stream accepts more data or is closed. */
function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const goOn = (): void => {
      stream.off("drain", goOn).off("close", goOn);
      resolve();
    };
    stream.once("drain", goOn).once("close", goOn);
  });
}

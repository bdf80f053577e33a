import { type ChildProcess, spawn } from "node:child_process";
import type { Writable } from "node:stream";
import type { Io } from "../io.ts";

/** Shows a text with a pager until the pager or an interruption ends it. Returns why the pager could not be started. */
export async function page(
  command: string,
  text: Iterable<string>,
  { cwd, env, interrupted }: Pick<Io, "cwd" | "env" | "interrupted">,
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

/** What Git sets for pagers where it is not set: `less` ends after a text of one screen, and shows colors. */
const pagerDefaults = { LESS: "FRX", LV: "-c" };

// As in Git, a command without any of these is a program, so the system reports one that does not exist.
const shellCharacter = /[|&;<>()$`\\"' \t\n*?[#~=%]/;

/** Why a process could not be started, or nothing, when it has ended. */
function endOf(pager: ChildProcess): Promise<string | undefined> {
  return new Promise((ended) => {
    pager.once("error", ({ message }) => ended(message));
    pager.once("exit", (code) => ended(code === null ? undefined : shellFailures.get(code)));
  });
}

/** The exit codes of a shell that cannot start a program. */
const shellFailures: ReadonlyMap<number, string> = new Map([
  [126, "it cannot be run"],
  [127, "it was not found"],
]);

async function write(text: Iterable<string>, pager: Writable, interrupted: AbortSignal): Promise<void> {
  // A pager that does not read to the end closes the pipe.
  pager.on("error", () => {});
  const close = (): void => void pager.destroy();
  interrupted.addEventListener("abort", close, { once: true });
  for (const piece of text) {
    if (pager.destroyed) break;
    if (!pager.write(piece)) await roomIn(pager);
  }
  pager.end();
}

/** Waits until a stream takes more, or nothing any more. */
function roomIn(stream: Writable): Promise<void> {
  return new Promise((taken) => {
    const goOn = (): void => {
      stream.off("drain", goOn).off("close", goOn);
      taken();
    };
    stream.once("drain", goOn).once("close", goOn);
  });
}

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import { asCommand } from "./command-process.ts";
import type { Site } from "./site.ts";

/** Runs a line of a shell on a terminal that ends with the process that is returned. Its height is not known. */
export function onTerminal(
  line: string,
  { root }: Pick<Site, "root">,
  env: Readonly<Record<string, string>>,
): ChildProcessWithoutNullStreams {
  const terminal = spawn("script", ["--quiet", "--return", "--command", `${asCommand}${line}`, "/dev/null"], {
    cwd: root,
    env: { ...process.env, SHELL: "/bin/bash", CI: "", ...env },
  });
  onTestFinished(() => void terminal.kill("SIGKILL"));
  return terminal;
}

/** Waits until the terminal shows a text. */
export function shown(text: string, terminal: ChildProcessWithoutNullStreams): Promise<void> {
  let output = "";
  return new Promise((done) => {
    terminal.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes(text)) done();
    });
  });
}

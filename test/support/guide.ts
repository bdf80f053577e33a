import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { join } from "node:path";
import { expect } from "vitest";
import { commandAt } from "../workflows/command.ts";
import { temporaryDirectory } from "./catalog.ts";

/** Runs blocks of shell of a guide in a directory, and answers with what they print. Each has to end well. */
export async function shellOf(
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<(block: string) => Promise<string>> {
  const bin = await commandAt(join(temporaryDirectory(), "bin"));
  const PATH = `${bin}:${process.env["PATH"] ?? ""}`;
  return async (block) => {
    const shell = spawn("bash", ["-e", "-o", "pipefail", "-c", block], {
      cwd,
      env: { ...process.env, ...env, PATH },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = new Promise((done) => shell.on("close", done));
    const [stdout, stderr] = await Promise.all([text(shell.stdout), text(shell.stderr)]);
    expect({ block, code: await ended, stderr }).toMatchObject({ code: 0 });
    return stdout;
  };
}

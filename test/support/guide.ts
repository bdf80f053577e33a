import { join } from "node:path";
import { expect } from "vitest";
import { commandAt } from "../workflows/command.ts";
import { temporaryDirectory } from "./catalog.ts";
import { quoted, runLine } from "./spawner.ts";

/** Runs blocks of shell of a guide in a directory, and answers with what they print. Each has to end well. */
export async function shellOf(
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<(block: string) => Promise<string>> {
  const bin = await commandAt(join(temporaryDirectory(), "bin"));
  const PATH = `${bin}:${process.env["PATH"] ?? ""}`;
  return async (block) => {
    const line = `exec ${quoted("bash", "-e", "-o", "pipefail", "-c", block)}`;
    const { code, output, said } = await runLine(line, { cwd, env: { ...process.env, ...env, PATH } });
    expect({ block, code, stderr: said.toString() }).toMatchObject({ code: 0 });
    return output.toString();
  };
}

import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import { runCli } from "../support/command-line.ts";

/**
 * Makes a directory with a command `datahub-gitops` for the path of a shell. It hands on what it is called with, and this
 * process runs the command line: to start Node for each command took most of the time of these tests.
 */
export async function commandAt(bin: string): Promise<string> {
  const server = createServer((socket) => void serve(socket));
  await new Promise<void>((started) => server.listen(0, "127.0.0.1", started));
  onTestFinished(() => void server.close());
  mkdirSync(bin, { recursive: true });
  const command = join(bin, "datahub-gitops");
  writeFileSync(command, scriptFor((server.address() as AddressInfo).port));
  chmodSync(command, 0o755);
  return bin;
}

function scriptFor(port: number): string {
  return `#!/usr/bin/env bash
exec 3<>/dev/tcp/127.0.0.1/${port}
{ printf '%s\\0' "$PWD" "$#" "$@"; env -0; printf '\\0'; } >&3
read -r code <&3
IFS= read -r -d '' words <&3
printf %s "$words" >&2
cat <&3
exit "$code"
`;
}

interface Call {
  readonly cwd: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

async function serve(socket: Socket): Promise<void> {
  const { cwd, argv, env } = await callFrom(socket);
  // It is git that looks at these, and only for this command.
  for (const name of ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"]) vi.stubEnv(name, env[name]);
  const { code, stdout, stderr } = await runCli(argv, { cwd, env, home: env["HOME"] ?? "" });
  vi.unstubAllEnvs();
  socket.end(`${code}\n${stderr}\0${stdout}`);
}

/** The directory, the number of arguments, the arguments, and the environment up to an empty text. */
async function callFrom(socket: Socket): Promise<Call> {
  let received = Buffer.alloc(0);
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    received = Buffer.concat([received, chunk as Buffer]);
    const [cwd = "", count = "", ...rest] = received.toString("utf8").split("\0");
    const argv = rest.slice(0, Number(count));
    const set = rest.slice(argv.length);
    const end = set.indexOf("");
    // What follows the last NUL is not yet a text.
    if (end < 0 || end === set.length - 1) continue;
    const env = set.slice(0, end).map((text) => /^(.*?)=(.*)$/s.exec(text)?.slice(1) ?? [text, ""]);
    return { cwd, argv, env: Object.fromEntries(env) as Record<string, string> };
  }
  throw new Error("the command did not say what it was called with");
}

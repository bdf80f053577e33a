import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Io, Output } from "../../src/cli/io.ts";
import { run } from "../../src/cli/program.ts";
import { refuseToken } from "./refuse-token.ts";

/** What a command printed and how it ended. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a command is run: nothing of the machine's own environment reaches it. */
export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly home?: string;
  /** The answers that somebody at a terminal gives; without any there is no terminal. */
  readonly answers?: readonly string[];
  /** What happens while a question stands open. */
  readonly meanwhile?: () => Promise<unknown>;
  readonly columns?: number;
  /** Outputs in place of those that keep what is written. */
  readonly stdout?: Output;
  readonly stderr?: Output;
  readonly isDirectoryMissing?: boolean;
  readonly interrupted?: AbortSignal;
  readonly now?: () => Date;
  /** Opens a page. */
  readonly openFile?: Io["openFile"];
  /** The first wait before something is tried or looked at again, in milliseconds. */
  readonly retryDelay?: number;
}

/** Runs a command line in process, at a fixed width and time. */
export async function runCli(argv: readonly string[], options: RunOptions): Promise<Ran> {
  const { cwd, env = {}, home = "/nonexistent", answers, columns = 80 } = options;
  const remaining = [...(answers ?? [])];
  const stdout = capture(columns);
  const stderr = capture(columns);
  const io: Io = {
    stdout: options.stdout ?? stdout,
    stderr: options.stderr ?? stderr,
    isDirectoryMissing: options.isDirectoryMissing ?? false,
    env: { SOURCE_DATE_EPOCH: "0", ...env },
    cwd,
    home,
    isInteractive: answers !== undefined,
    ask: async (question) => {
      io.stderr.write(question);
      await options.meanwhile?.();
      return remaining.shift() ?? "";
    },
    ...(options.openFile && { openFile: options.openFile }),
    interrupted: options.interrupted ?? new AbortController().signal,
    now: options.now ?? (() => new Date(0)),
    retryDelay: options.retryDelay ?? 1,
  };
  const code = await run(argv, io);
  const ran = { code, stdout: stdout.text(), stderr: stderr.text() };
  const outputs = [ran.stdout, ran.stderr, ...filesOf(argv, cwd)];
  for (const name of ["DATAHUB_GMS_TOKEN", "GITHUB_TOKEN"]) refuseToken(env[name], outputs);
  return ran;
}

/** What a command wrote into the files that its flags name. */
function filesOf(argv: readonly string[], cwd: string): readonly string[] {
  return argv.flatMap((flag, index) => {
    const path = resolve(cwd, (argv[index + 1] ?? "").replace(/^(?:text|json|markdown)=/, ""));
    const isFile =
      ["--report", "--out", "--snapshot", "--metrics"].includes(flag) &&
      statSync(path, { throwIfNoEntry: false })?.isFile();
    return isFile ? [readFileSync(path, "utf8")] : [];
  });
}

/** An output of so many columns that keeps what is written. */
export function capture(columns: number): Output & { text(): string } {
  const written: string[] = [];
  return {
    write: (text) => {
      written.push(text);
    },
    loss: () => undefined,
    flush: async () => {},
    isTTY: false,
    columns,
    text: () => written.join(""),
  };
}

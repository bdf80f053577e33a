import childProcess, { type ChildProcess, execFileSync, fork, type SpawnOptions } from "node:child_process";
import { EventEmitter } from "node:events";
import { mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// A small process starts git for a worker of the tests. To start a process copies the page tables of the one that starts it
// (fork), and a worker is large: ten thousand times 20 ms were a third of the time of the suite. The programs are the same.

interface Ended {
  readonly id: number;
  readonly output: string;
  readonly said: string;
  readonly code?: number | null;
  readonly signal?: string | null;
  readonly error?: { readonly code: string; readonly message: string };
}

type Answer = { readonly output: string } | { readonly error: { readonly message: string } };

interface Spawner {
  /** As `execFileSync` with piped streams. */
  run(command: string, cwd: string, args: readonly string[]): string;
}

// The name of a program of the system, which no package brings.
const makePipes = "mkfifo";

// The workers do not isolate test files, and each file would start one more.
const key = Symbol.for("datahub-gitops.spawner");
const known = globalThis as { [key]?: Spawner };
const spawner = (known[key] ??= startSpawner());

/** Runs a program in a directory and answers with what it printed. Throws what it said where it failed. */
export function runSync(command: string, cwd: string, ...args: readonly string[]): string {
  return spawner.run(command, cwd, args);
}

function startSpawner(): Spawner {
  const dir = mkdtempSync(join(tmpdir(), "spawner-"));
  const pipes = ["questions", "answers"].map((name) => join(dir, name));
  execFileSync(makePipes, pipes);
  const program = fileURLToPath(new URL("spawner-process.mjs", import.meta.url));
  const child = fork(program, pipes, { execArgv: [] });
  // Opening waits for the other end.
  const [questions = -1, answers = -1] = pipes.map((pipe, index) => openSync(pipe, index === 0 ? "w" : "r"));
  rmSync(dir, { recursive: true });
  takeOver(child);
  child.unref();
  child.channel?.unref();
  return {
    run: (command, cwd, args) => {
      const options = { cwd, env: process.env, encoding: "utf8", stdio: "pipe" };
      writeSync(questions, `${JSON.stringify({ command, args, options })}\n`);
      const answer = JSON.parse(lineFrom(answers)) as Answer;
      if ("error" in answer) throw Object.assign(new Error(answer.error.message), answer.error);
      return answer.output;
    },
  };
}

function takeOver(child: ChildProcess): void {
  const { spawn } = childProcess;
  const running = new Map<number, Started>();
  let last = 0;
  child.on("message", (ended: Ended) => {
    running.get(ended.id)?.end(ended);
    running.delete(ended.id);
  });
  const start = (command: string, args: readonly string[], options: SpawnOptions): Started => {
    const id = (last += 1);
    const started = new Started((input) => child.send({ id, command, args, options, input }));
    running.set(id, started);
    return started;
  };
  Object.assign(childProcess, {
    spawn: (command: string, args: readonly string[], options: SpawnOptions) =>
      command === "git" ? start(command, args, options) : spawn(command, args, options),
  });
  syncBuiltinESMExports();
}

/** As much of a `ChildProcess` as is used of git: all input at once, all output at the end. */
class Started extends EventEmitter {
  readonly stdout = new EventEmitter();
  readonly stderr = new EventEmitter();
  readonly stdin;

  constructor(send: (input: string) => void) {
    super();
    this.stdin = Object.assign(new EventEmitter(), { end: (input = "") => send(input) });
  }

  end({ output, said, code, signal, error }: Ended): void {
    if (error) {
      this.emit("error", Object.assign(new Error(error.message), error));
      return;
    }
    for (const [stream, text] of [
      [this.stdout, output],
      [this.stderr, said],
    ] as const)
      if (text !== "") stream.emit("data", Buffer.from(text, "base64"));
    this.emit("close", code, signal);
  }
}

function lineFrom(file: number): string {
  const chunks: Buffer[] = [];
  const chunk = Buffer.alloc(2 ** 16);
  while (chunks.at(-1)?.at(-1) !== 10) {
    const read = readSync(file, chunk);
    if (read === 0) throw new Error("the process that starts others has ended");
    chunks.push(Buffer.from(chunk.subarray(0, read)));
  }
  return Buffer.concat(chunks).toString();
}

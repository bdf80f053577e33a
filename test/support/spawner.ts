import childProcess, { execFileSync, type SpawnOptions } from "node:child_process";
import { EventEmitter } from "node:events";
import {
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { Socket } from "node:net";
import { Writable } from "node:stream";
import { tmpdir } from "node:os";
import { join } from "node:path";

// A shell starts git for a worker of the tests, one process after the other. To start one copies the page tables of the
// process that starts it (fork), and a worker is large: ten thousand times 20 ms were a third of the time of the suite.
// A small process of Node takes as long for it as git runs, a shell a tenth of that. The programs are the same.

type Environment = Readonly<Record<string, string | undefined>>;

interface Asked {
  /** A line of a shell. */
  readonly line: string;
  readonly env: Environment;
  readonly cwd?: string;
  readonly input?: string;
  /** The path of two pipes, `.in` and `.out`, in place of files for what it reads and writes. */
  readonly pipe?: string;
}

interface Shell {
  /** Runs it when all before it has ended. */
  runAndWait(asked: Asked): Ended;
  /** Runs it beside others. */
  run(asked: Asked): Promise<Ended>;
}

/** How what a shell ran has ended, and what it wrote to stdout and stderr. */
export interface Ended {
  readonly code: number;
  readonly output: Buffer;
  readonly said: Buffer;
}

// The name of a program of the system, which no package brings.
const makePipes = "mkfifo";

// A longer command may not fit into one argument of a program, and it is for the system to say so.
const longest = 100_000;

/** Whom the shell tells that a process has ended: its open files. */
const told = { later: 3, waiting: 4 };

// The workers do not isolate test files, and each file would start one more.
const key = Symbol.for("datahub-gitops.spawner");
const known = globalThis as { [key]?: Shell };
const shell = (known[key] ??= startShell());

/** Runs a program in a directory and answers with what it printed. Throws what it said where it failed. */
export function runSync(command: string, cwd: string, ...args: readonly string[]): string {
  return runLineSync(`exec ${quoted(command, ...args)}`, cwd);
}

/** Runs a line of a shell in a directory and answers with what it printed. Throws what it said where it failed. */
export function runLineSync(line: string, cwd: string): string {
  const { code, output, said } = shell.runAndWait({ line, cwd, env: process.env });
  if (code === 0) return output.toString();
  const [stdout, stderr] = [output.toString(), said.toString()];
  throw Object.assign(new Error(`Command failed: ${line}\n${stderr}`), { status: code, stdout, stderr });
}

/** Runs a line of a shell, with nothing on its stdin. */
export async function runLine(line: string, options: { cwd: string; env: Environment }): Promise<Ended> {
  return await shell.run({ line, ...options });
}

function startShell(): Shell {
  const dir = mkdtempSync(join(tmpdir(), "spawner-"));
  const pipes = ["lines", "later", "waiting"].map((name) => join(dir, name));
  execFileSync(makePipes, pipes);
  const free = new Array<string>();
  let madePipes = 0;
  const base = { ...process.env };
  const open = `exec sh -s <"$0" ${told.later}>"$1" ${told.waiting}>"$2"`;
  childProcess.spawn("sh", ["-c", open, ...pipes], { stdio: "inherit" }).unref();
  // Opening waits for the other end. When the worker ends, however it does, the shell ends too.
  const [lines = -1, later = -1, waiting = -1] = pipes.map((pipe, at) =>
    openSync(pipe, at === 0 ? "w" : "r"),
  );
  writeSync(lines, `trap 'rm -r "${dir}"' EXIT; trap exit HUP INT TERM\n`);
  let last = 0;
  const start = ({ line, env, cwd, input, pipe: own }: Asked, pipe: number, end = "\n"): number => {
    const path = join(dir, `${(last += 1)}`);
    if (input) writeFileSync(`${path}.in`, input);
    const [from, to] = [input ? `${path}.in` : "/dev/null", `${path}.out`];
    const streams = `<${own ? `${own}.in` : from} >${own ? `${own}.out` : to} 2>${path}.err 3>&- 4>&-`;
    const before = changesOf(base, env) + (cwd === undefined ? "" : `cd -P ${quoted(cwd)} && `);
    writeSync(lines, `{ (${before}${line}) ${streams}; echo "${last} $?" >&${pipe}; }${end}`);
    return last;
  };
  const running = endings(later, dir);
  const runAndWait = (asked: Asked): Ended => {
    start(asked, told.waiting);
    return endedIn(dir, lineFrom(waiting));
  };
  const newPipe = (): string => {
    const pipe = join(dir, `pipe${(madePipes += 1)}`);
    runAndWait({ line: `${makePipes} ${pipe}.in ${pipe}.out`, env: process.env });
    return pipe;
  };
  takeOver(base, {
    start: (asked, ended) => running.set(start(asked, told.later), ended),
    converse: (asked) => {
      const pipe = free.pop() ?? newPipe();
      const conversation = new Conversation(pipe);
      const ended = (how: Ended): void => {
        free.push(pipe);
        conversation.end(how);
      };
      running.set(start({ ...asked, pipe }, told.later, " &\n"), ended);
      return conversation;
    },
  });
  return {
    runAndWait,
    run: (asked) => new Promise((ended) => running.set(start(asked, told.later, " &\n"), ended)),
  };
}

/** Who waits for the end of what runs, by its number. */
function endings(later: number, dir: string): Map<number, (ended: Ended) => void> {
  const running = new Map<number, (ended: Ended) => void>();
  const answers = new Socket({ fd: later, writable: false }).unref().setEncoding("utf8");
  let rest = "";
  answers.on("data", (text: string) => {
    const all = (rest + text).split("\n");
    rest = all.pop() ?? "";
    for (const answer of all) {
      const id = Number.parseInt(answer, 10);
      running.get(id)?.(endedIn(dir, answer));
      running.delete(id);
    }
  });
  return running;
}

interface Starts {
  readonly start: (asked: Asked, ended: (how: Ended) => void) => void;
  readonly converse: (asked: Asked) => Conversation;
}

/** Has the shell run git for the sources, where it can. */
function takeOver(base: Environment, { start, converse }: Starts): void {
  const { spawn } = childProcess;
  const begin = (asked: Asked): Started => {
    const started = new Started((input) => start({ ...asked, input }, (how) => started.end(how)));
    return started;
  };
  Object.assign(childProcess, {
    spawn: (command: string, args: readonly string[], options: SpawnOptions) => {
      const line = `exec ${quoted(command, ...args)}`;
      const { env = process.env } = options;
      const canTell = line.length < longest && !line.includes("\0") && env["PATH"] === base["PATH"];
      if (command !== "git" || !canTell) return spawn(command, args, options);
      return args.includes("--batch") ? converse({ line, env }) : begin({ line, env });
    },
  });
  syncBuiltinESMExports();
}

/** As much of a `ChildProcess` as is used of git: it starts when all input is there, and all output comes at the end. */
class Started extends EventEmitter {
  readonly stdout = new EventEmitter();
  readonly stderr = new EventEmitter();
  readonly stdin;

  constructor(send: (input: string) => void) {
    super();
    const input: Buffer[] = [];
    this.stdin = new Writable({
      write: (chunk: Buffer, _, written) => {
        input.push(chunk);
        written();
      },
      final: (finished) => {
        send(Buffer.concat(input).toString());
        finished();
      },
    });
  }

  /** It has ended when its output comes. */
  kill(): void {}

  end({ output, said, code }: Ended): void {
    if (output.length > 0) this.stdout.emit("data", output);
    if (said.length > 0) this.stderr.emit("data", said);
    this.emit("close", code, null);
  }
}

/** The same of a process that answers while it is asked. */
class Conversation extends EventEmitter {
  readonly stdin: Socket;
  readonly stdout: Socket;
  readonly stderr = Object.assign(new EventEmitter(), { ref: () => {}, unref: () => {} });

  constructor(pipe: string) {
    super();
    // Opened for both ends, so that opening waits for nobody.
    this.stdin = new Socket({ fd: openSync(`${pipe}.in`, "r+"), readable: false });
    this.stdout = new Socket({ fd: openSync(`${pipe}.out`, "r+"), writable: false });
  }

  ref(): void {}

  unref(): void {}

  end({ said, code }: Ended): void {
    this.stdin.destroy();
    this.stdout.destroy();
    if (said.length > 0) this.stderr.emit("data", said);
    this.emit("close", code, null);
  }
}

/** What a process left behind that the shell says has ended: `12 0`. */
function endedIn(dir: string, answer: string): Ended {
  const [id = "", code] = answer.split(" ");
  const [output, said] = [taken(join(dir, `${id}.out`)), taken(join(dir, `${id}.err`))];
  rmSync(join(dir, `${id}.in`), { force: true });
  return { code: Number(code), output, said };
}

function taken(file: string): Buffer {
  if (!existsSync(file)) return Buffer.alloc(0);
  const content = readFileSync(file);
  rmSync(file);
  return content;
}

/** Sets the variables that are not as the shell got them. One whose name is none for a shell it passes on to nobody. */
function changesOf(base: Environment, env: Environment): string {
  const names = Object.keys({ ...base, ...env }).filter(
    (name) => base[name] !== env[name] && /^\w+$/.test(name),
  );
  const set = names.flatMap((name) => (env[name] === undefined ? [] : `${name}=${quoted(env[name])}`));
  const unset = names.filter((name) => env[name] === undefined);
  return [
    ...(set.length > 0 ? [`export ${set.join(" ")}; `] : []),
    ...(unset.length > 0 ? [`unset ${unset.join(" ")}; `] : []),
  ].join("");
}

/** Words as a shell takes them for what they are. */
export function quoted(...words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
}

function lineFrom(file: number): string {
  const chunk = Buffer.alloc(64);
  const read = readSync(file, chunk);
  if (read === 0) throw new Error("the shell that starts processes has ended");
  return chunk.toString("utf8", 0, read).trimEnd();
}

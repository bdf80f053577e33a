/** Reads git objects and resolves commit names. Runs one `git cat-file --batch` process for each directory. */

import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { GitError, faultOf, unreadable } from "./fault.ts";
import { waitForExit, maxDuration, start } from "./git.ts";

/** A commit, tree, blob or tag. */
export interface GitObject {
  readonly id: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** A git object, or the reason why a name does not resolve to one. */
type Lookup = GitObject | { readonly fault: "missing" | "ambiguous" };

interface Pending {
  readonly answer: (found: Lookup) => void;
  readonly fail: (error: GitError) => void;
}

/** The idle time in milliseconds after which the git process is stopped. */
const maxIdle = 5000;

/**
 * Returns the git object for a name that git-rev-parse accepts, such as an id, a ref, `main^{commit}` or `HEAD:./tags.yaml`.
 * While idle, the git process does not keep this process alive. Throws `GitError` if git fails.
 */
export async function objectOf(dir: string, name: string): Promise<Lookup> {
  // Git reads one name per line, so no object can have a name with a line break or a NUL character.
  if (/[\n\0]/.test(name)) return { fault: "missing" };
  return await readerOf(dir)(name);
}

/** Returns the full id of the commit that a name refers to; `undefined` if there is no such commit or the name is ambiguous. */
export async function commitIdOf(dir: string, name: string): Promise<string | undefined> {
  const found = await objectOf(dir, `${name}^{commit}`);
  return "id" in found ? found.id : undefined;
}

const readers = new Map<string, Reader>();

/** Asks a running git process for the object with a name. */
type Reader = (name: string) => Promise<Lookup>;

function readerOf(dir: string): Reader {
  const { PATH, GIT_DIR, GIT_WORK_TREE } = process.env;
  const key = JSON.stringify([dir, PATH, GIT_DIR, GIT_WORK_TREE]);
  const known = readers.get(key);
  if (known) return known;
  const started = start(dir, ["cat-file", "--batch"]);
  if ("failure" in started) throw new GitError(faultOf(started.failure));
  const reader = readerBy(started.running, () => {
    if (readers.get(key) === reader) readers.delete(key);
  });
  readers.set(key, reader);
  return reader;
}

/** Creates a reader that uses a running git process. Calls `ended` when the process no longer accepts names. */
function readerBy(running: ChildProcessWithoutNullStreams, ended: () => void): Reader {
  const pending: Pending[] = [];
  const received = createReceived();
  const use = inUse(running, ended);
  running.stdout.on("data", (chunk: Buffer) => {
    received.add(chunk);
    for (let first = pending[0]; first; first = pending[0]) {
      const found = received.take();
      if (!found) return;
      pending.shift();
      first.answer(found);
    }
    use.idle();
  });
  const failPending = async (): Promise<void> => {
    const failure = await waitForExit(running);
    use.end();
    const fault = failure ? faultOf(failure) : unreadable("git exited before it responded");
    for (const { fail } of pending.splice(0)) fail(new GitError(fault));
  };
  void failPending();
  return (name) =>
    new Promise((answer, fail) => {
      use.busy();
      pending.push({ answer, fail });
      running.stdin.write(`${name}\n`);
    });
}

interface Use {
  /** Keeps this process alive until git answers. */
  readonly busy: () => void;
  /** Allows this process to exit, because git has answered all requests. */
  readonly idle: () => void;
  readonly end: () => void;
}

/**
 * Stops a git process that is idle for too long or does not answer. While idle, the git process does not keep this process alive.
 */
function inUse(running: ChildProcessWithoutNullStreams, ended: () => void): Use {
  let timer: NodeJS.Timeout | undefined;
  const within = (time: number, then: () => void): void => {
    clearTimeout(timer);
    timer = setTimeout(then, time).unref();
  };
  const end = (): void => {
    clearTimeout(timer);
    ended();
    running.stdin.end();
  };
  return {
    busy: () => {
      for (const each of handlesOf(running)) each.ref();
      within(maxDuration, () => running.kill());
    },
    idle: () => {
      for (const each of handlesOf(running)) each.unref();
      within(maxIdle, end);
    },
    end,
  };
}

interface Handle {
  ref(): unknown;
  unref(): unknown;
}

function handlesOf(running: ChildProcessWithoutNullStreams): readonly Handle[] {
  // The pipes of a child process are sockets, which have `ref` and `unref`.
  return [running, running.stdin, running.stdout, running.stderr] as unknown as readonly Handle[];
}

interface Received {
  readonly add: (chunk: Buffer) => void;
  /** Removes and returns the next answer, if it is complete. */
  readonly take: () => Lookup | undefined;
}

// An answer is a line `<id> <type> <size>`, followed by the content and a line end; or a line `<name> missing` or `<name>
// ambiguous`.
const header = /^([0-9a-f]+) ([a-z]+) (\d+)$/;

const lineEnd = 10;

function createReceived(): Received {
  let chunks: Buffer[] = [];
  let length = 0;
  let needed = 1;
  return {
    add: (chunk) => {
      chunks.push(chunk);
      length += chunk.length;
    },
    take: () => {
      // Large content arrives in many chunks. They are joined only after all of them have arrived.
      if (length < needed) return undefined;
      const all = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
      chunks = [all];
      const end = all.indexOf(lineEnd);
      if (end < 0) return undefined;
      const line = all.toString("utf8", 0, end);
      const [, id, type = "", size = ""] = header.exec(line) ?? [];
      const after = id === undefined ? end + 1 : end + 1 + Number(size) + 1;
      if (length < after) {
        needed = after;
        return undefined;
      }
      chunks = [all.subarray(after)];
      length -= after;
      needed = 1;
      if (id === undefined) return { fault: line.endsWith(" ambiguous") ? "ambiguous" : "missing" };
      return { id, type, bytes: all.subarray(end + 1, after - 1) };
    },
  };
}

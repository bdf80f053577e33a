import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryDirectory } from "./catalog.ts";
import { runLineSync, runSync } from "./spawner.ts";

// Neither the tests nor what they test may see how git is set up on this machine.
process.env["GIT_CONFIG_GLOBAL"] = fileURLToPath(new URL("gitconfig", import.meta.url));
process.env["GIT_CONFIG_SYSTEM"] = "/dev/null";

/** A new git repository without commits, and what tests do in it. */
export interface TestRepository {
  readonly root: string;
  /** Runs git in it and answers with what it prints. */
  readonly git: (...args: readonly string[]) => string;
  /** Writes files; one without content is removed. */
  readonly write: (files: Readonly<Record<string, string | Buffer | undefined>>) => void;
  readonly move: (from: string, to: string) => void;
  /** Writes files, commits all that stands there and answers with the commit. */
  readonly commit: (files?: Readonly<Record<string, string | Buffer | undefined>>) => string;
}

/** Makes a repository in a new directory, or opens the one that stands in `root`. */
export function testRepository(root = newRepository()): TestRepository {
  const git = (...args: readonly string[]) => gitIn(root, ...args);
  const write: TestRepository["write"] = (files) => {
    for (const [name, content] of Object.entries(files)) writeOne(join(root, name), content);
  };
  return {
    root,
    git,
    write,
    move: (from, to) => {
      mkdirSync(dirname(join(root, to)), { recursive: true });
      renameSync(join(root, from), join(root, to));
    },
    commit: (files = {}) => {
      write(files);
      const said = runLineSync(committing, root);
      return /\b([0-9a-f]{40,})\]/.exec(said)?.[1] ?? "";
    },
  };
}

/** Runs git in a directory and answers with what it prints. */
export function gitIn(dir: string, ...args: readonly string[]): string {
  return run("git", dir, ...args);
}

const committing = 'git add --all && git -c core.abbrev=no commit --allow-empty --message "a change"';

function run(command: string, cwd: string, ...args: readonly string[]): string {
  return runSync(command, cwd, ...args).trim();
}

// What `git init` makes, apart from its templates. To start git three times for it was a third of a test's time.
function newRepository(): string {
  const root = temporaryDirectory();
  for (const folder of ["objects", "refs"]) mkdirSync(join(root, ".git", folder), { recursive: true });
  writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(root, ".git/config"), "[core]\n\trepositoryformatversion = 0\n\tbare = false\n");
  return root;
}

function writeOne(path: string, content: string | Buffer | undefined): void {
  if (content === undefined) return rmSync(path);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import fc from "fast-check";
import { expect } from "vitest";
import { anyCharacter } from "../support/any-text.ts";
import { temporaryDirectory } from "../support/catalog.ts";
import { testRepository } from "../support/git-repository.ts";
import { tag } from "../support/history.ts";
import { runLineSync } from "../support/spawner.ts";

/** Stands in each file that nobody who reads the repository may see. */
export const canary = "canary-6d1f";
const makePipes = "mkfifo";

/** What stands at a place of a repository. `outside`, `marks` are directories beside it. */
type What =
  | { readonly text: string }
  | { readonly link: string }
  | { readonly size: number }
  | { readonly repository: "embedded" | "submodule" | "bare" }
  | "pipe"
  | "folder";

const names = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom("a.yaml", "b.yml", "team", "datahub-gitops.yaml", "x.YAML", "sub"),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "-rf.yaml",
      "--upload-pack=x.yaml",
      "two\nlines.yaml",
      "x\n::error::fooled.yaml",
      "##[error]x.yaml",
      "\u001B[2Jx.yaml",
      "\u202Elmay.a.yaml",
      "..yaml",
      "...",
      ".hidden.yaml",
      ":(top)x.yaml",
      "*.yaml",
      '"quoted".yaml',
      "\\x.yaml",
      "HEAD",
      "config",
      " .yaml",
      "🦆.yaml",
      `${"n".repeat(250)}.yaml`,
    ),
  },
  {
    weight: 1,
    arbitrary: fc.string({ unit: anyCharacter, minLength: 1, maxLength: 12 }).map((text) => `${text}.yaml`),
  },
);
const isName = (name: string): boolean =>
  !/[/\0]|\p{Surrogate}/u.test(name) && name !== "." && name !== ".." && Buffer.byteLength(name) <= 255;

const place = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.array(names.filter(isName), { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/")),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 20, max: 300 }).map((depth) => `${"d/".repeat(depth)}deep.yaml`),
  },
);

const settings = [
  "version: 1\n",
  "version: 1\nbase: HEAD\n",
  "version: 1\nbase: refs/datahub-gitops/applied\nmanage: { tags: merge }\n",
  `version: 1\nbase: "--upload-pack=touch x"\n`,
  `version: 1\nserver: "http://user:${canary}@127.0.0.1:9"\n`,
  `version: 1\nserver: http://127.0.0.1:9/?token=${canary}\n`,
  `version: 1\nignore: [{ urn: "${"*a".repeat(200)}", reason: x }]\n`,
  "version: &a [*a, *a]\n",
  "version: 1\nignore: !!js/function 'x'\n",
  "{".repeat(5000),
  "version: 1\n__proto__: { x: 1 }\nconstructor: 1\n",
];
const texts = fc.oneof(
  fc.constantFrom(
    tag("a"),
    tag("b", "\u202E ::error:: ##[error]"),
    "kind: Dataset\nurn: x\n",
    "- &a [*a]\n",
    "\0",
    "[".repeat(900),
  ),
  fc.constantFrom(...settings),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
);

const what: fc.Arbitrary<What> = fc.oneof(
  { weight: 4, arbitrary: texts.map((text) => ({ text })) },
  {
    weight: 5,
    arbitrary: fc
      .constantFrom(
        "OUTSIDE/secret",
        "OUTSIDE/o.yaml",
        "OUTSIDE",
        "OUTSIDE/way",
        "../outside/o.yaml",
        "../../outside",
        "/dev/zero",
        "/dev/null",
        "/dev/full",
        "/proc/self/environ",
        "/proc/self/fd/0",
        "/proc/self/cwd",
        "/",
        "/etc",
        "a.yaml",
        "../a.yaml",
        ".",
        "..",
        "../..",
        "gone",
        "x.yaml",
        "../.git/config",
        "../.git",
        ".git/config",
        "catalog",
        "../catalog/a.yaml",
        "x".repeat(255),
        "ROOT/catalog",
        "ROOT/.git/config",
        "ROOT/../outside/o.yaml",
      )
      .map((link) => ({ link })),
  },
  { weight: 1, arbitrary: fc.constantFrom(10_000_001, 100_000_000_000).map((size) => ({ size })) },
  {
    weight: 2,
    arbitrary: fc.constantFrom("embedded", "submodule", "bare").map((repository) => ({ repository })),
  },
  { weight: 1, arbitrary: fc.constant("pipe") },
  { weight: 1, arbitrary: fc.constant("folder") },
);

/** Repositories as somebody who wants to do harm would make them, and how they are looked at. */
export const trees = fc.record({
  items: fc.array(fc.tuple(place, what), { minLength: 1, maxLength: 10 }),
  isRepository: fc.boolean(),
  isCommitted: fc.boolean(),
  linkedCatalog: fc.option(fc.constantFrom("OUTSIDE", "../outside", "elsewhere", "/", ".git"), { freq: 8 }),
  format: fc.constantFrom("text", "json", "markdown"),
  isAction: fc.boolean(),
});
type Tree = typeof trees extends fc.Arbitrary<infer Value> ? Value : never;

/** A repository, a directory beside it that it may not reach, and one for the marks of programs that ran. */
export interface Surroundings {
  readonly root: string;
  readonly outside: string;
  readonly marks: string;
}

/** Programs that would leave a mark, in each place of git's configuration that names one. */
function configOf(marks: string, worktree: string): string {
  const mark = (name: string): string => `"touch ${join(marks, name)}; cat"`;
  return [
    "[core]\n\trepositoryformatversion = 0\n\tbare = false",
    `\tworktree = ${worktree}`,
    `\tfsmonitor = ${mark("fsmonitor")}\n\tpager = ${mark("pager")}\n\teditor = ${mark("editor")}`,
    `\thooksPath = hooks\n\tsshCommand = ${mark("ssh")}\n\talternateRefsCommand = ${mark("alternate")}`,
    `[filter "x"]\n\tclean = ${mark("clean")}\n\tsmudge = ${mark("smudge")}\n\tprocess = ${mark("process")}\n\trequired`,
    `[diff "x"]\n\ttextconv = ${mark("textconv")}\n\tcommand = ${mark("diff")}`,
    ...["status", "ls-files", "cat-file", "rev-parse", "merge-base"].map(
      (command) => `[alias]\n\t${command} = !touch ${join(marks, command)}`,
    ),
    `[http]\n\textraheader = "AUTHORIZATION: basic ${canary}"\n`,
  ].join("\n");
}

function makeRepository(git: string, { marks }: Surroundings): void {
  for (const folder of ["objects/info", "refs/heads", "hooks"])
    mkdirSync(join(git, folder), { recursive: true });
  writeFileSync(join(git, "HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(git, "config"), configOf(marks, basename(git) === ".git" ? ".." : "."));
  for (const hook of ["post-index-change", "reference-transaction", "pre-commit", "fsmonitor-watchman"]) {
    writeFileSync(join(git, "hooks", hook), `#!/bin/sh\ntouch ${join(marks, hook)}\n`);
    chmodSync(join(git, "hooks", hook), 0o755);
  }
}

function makeOutside(around: Surroundings): void {
  writeFileSync(join(around.outside, "secret"), `//registry/:_authToken: ${canary}\n`);
  writeFileSync(join(around.outside, "o.yaml"), tag(canary, canary));
  writeFileSync(join(around.outside, "datahub-gitops.yaml"), `version: 1\nserver: "${canary}"\n`);
  symlinkSync("secret", join(around.outside, "way"));
}

/** Whether a path, or what is nearest above it, is in the repository: links to `/` and to all else outside are never followed. */
function isInside(path: string, { root }: Pick<Surroundings, "root">): boolean {
  try {
    const real = realpathSync(path);
    return real === root || real.startsWith(`${root}/`);
  } catch {
    return !isThere(path) && isInside(dirname(path), { root });
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** Makes what can be made: one item may stand where another one would need a folder. */
function make(path: string, item: What, around: Surroundings): void {
  if (!isInside(path, around) || !isInside(dirname(path), around)) return;
  try {
    mkdirSync(dirname(path), { recursive: true });
    if (item === "folder") mkdirSync(path);
    else if (item === "pipe") execFileSync(makePipes, ["--", path], { stdio: "ignore" });
    else if ("text" in item) writeFileSync(path, item.text, { flag: "wx" });
    else if ("link" in item)
      symlinkSync(item.link.replace("OUTSIDE", around.outside).replace("ROOT", around.root), path);
    else if ("size" in item) {
      writeFileSync(path, "", { flag: "wx" });
      truncateSync(path, item.size);
    } else makeEmbedded(path, item.repository, around);
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code ?? "exit status").toMatch(
      /^(?:EEXIST|ENOTDIR|ENAMETOOLONG|ELOOP|ENOENT|EISDIR|EACCES|EPERM|ENXIO|ENODEV|EINVAL|exit status)$/,
    );
  }
}

// Always in a new directory, which holds no link that could be followed.
function makeEmbedded(path: string, kind: string, around: Surroundings): void {
  mkdirSync(path);
  writeFileSync(join(path, ".gitattributes"), "* filter=x diff=x\n");
  writeFileSync(join(path, "e.yaml"), tag("embedded"));
  makeRepository(kind === "bare" ? path : join(path, ".git"), around);
  if (kind !== "submodule") return;
  const git = (...args: readonly string[]): string =>
    execFileSync("git", args, { cwd: path, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  // Without its configuration, which would run what is looked for.
  writeFileSync(join(path, ".git/config"), "[core]\n\trepositoryformatversion = 0\n\tbare = false\n");
  git("add", "e.yaml");
  git("-c", "user.name=x", "-c", "user.email=x", "commit", "--quiet", "--message", "x");
  const commit = git("rev-parse", "HEAD");
  makeRepository(join(path, ".git"), around);
  writeFileSync(join(path, "e.yaml"), tag("changed"));
  execFileSync(
    "git",
    ["update-index", "--add", "--cacheinfo", `160000,${commit},${path.slice(around.root.length + 1)}`],
    {
      cwd: around.root,
      stdio: "ignore",
    },
  );
}

/** Makes a repository. Nothing is made outside of it, and nothing has run. */
export function build({ items, isRepository, isCommitted, linkedCatalog }: Tree): Surroundings {
  const around = { root: temporaryDirectory(), outside: temporaryDirectory(), marks: temporaryDirectory() };
  makeOutside(around);
  // Without a repository, it is the user who makes the catalog directory a link.
  const linked = isRepository ? linkedCatalog?.replace("OUTSIDE", around.outside) : undefined;
  if (linked === undefined) make(join(around.root, "catalog/a.yaml"), { text: tag("a") }, around);
  else symlinkSync(linked, join(around.root, "catalog"));
  const repository = isRepository ? startRepository(around.root) : undefined;
  const hasCatalog = linked === undefined;
  const isEmbedded = ([, item]: readonly [string, What]): boolean =>
    typeof item === "object" && "repository" in item;
  const makeAll = (some: Tree["items"]): void => {
    for (const [at, item] of hasCatalog ? some : []) make(join(around.root, "catalog", at), item, around);
  };
  makeAll(items.filter((item) => !isEmbedded(item)));
  if (isCommitted) repository?.();
  makeAll(items.filter(isEmbedded));
  // To make a repository in another one may run what that one names.
  for (const mark of readdirSync(around.marks)) rmSync(join(around.marks, mark));
  return around;
}

/** Makes the first commit, and answers with what makes another one. */
function startRepository(root: string): () => void {
  for (const folder of ["objects", "refs"]) mkdirSync(join(root, ".git", folder), { recursive: true });
  writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(root, ".git/config"), `[core]\n\trepositoryformatversion = 0\n[x]\n\ty = ${canary}\n`);
  const { git } = testRepository(root);
  const commit = (): void => {
    // What git does not take, such as files that are too large, stays as it is.
    runLineSync(
      "timeout 20 git add --all --ignore-errors -- ':!*.yaml' 'catalog/a.yaml' >/dev/null 2>&1 || true",
      root,
    );
    git("commit", "--quiet", "--allow-empty", "--message", "x");
  };
  commit();
  return commit;
}

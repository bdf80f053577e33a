import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "./support/catalog.ts";

const root = join(import.meta.dirname, "..");
const linter = join(root, "node_modules/.bin/oxlint");

/** What the folders of `src`, and the files beside them, may import: other folders, and libraries. */
interface Arrows {
  readonly folders: readonly string[];
  readonly libraries: readonly string[];
}

const core = ["model", "kinds", "facets", "plan"];
const node = [
  "node:fs",
  "node:fs/promises",
  "node:path",
  "node:crypto",
  "node:util",
  "node:zlib",
  "node:child_process",
];
const everything = [
  ...core,
  "files",
  "report",
  "manifests",
  "git",
  "scope",
  "datahub",
  "run",
  "library",
  "github",
  "local-catalog",
];

const arrows: Readonly<Record<string, Arrows>> = {
  model: { folders: [], libraries: [] },
  files: { folders: ["model"], libraries: node },
  kinds: { folders: ["model"], libraries: [] },
  facets: { folders: ["model", "kinds"], libraries: [] },
  plan: { folders: ["model", "kinds", "facets"], libraries: ["node:crypto", "@marcbachmann/cel-js"] },
  report: { folders: core, libraries: ["ajv", "diff", "node:util", "node:zlib"] },
  page: { folders: ["report"], libraries: ["lit-html"] },
  manifests: { folders: [...core, "files"], libraries: ["ajv", "yaml", ...node] },
  git: { folders: ["model"], libraries: node },
  scope: { folders: [...core, "files", "manifests", "git"], libraries: ["node:fs", "node:path"] },
  datahub: {
    folders: ["model", "files"],
    libraries: ["graphql", "graphql-request", "p-limit", "p-retry", "undici", "yaml", ...node],
  },
  run: { folders: [...core, "datahub"], libraries: ["graphql", "p-limit"] },
  library: {
    folders: [...core, "files", "manifests", "scope", "datahub", "run", "report"],
    libraries: ["node:fs"],
  },
  github: {
    folders: ["model"],
    libraries: ["@octokit/core", "@octokit/request-error", "@octokit/types", "p-retry", "yauzl"],
  },
  cli: { folders: everything, libraries: ["commander", "open", ...node] },
  "local-catalog": {
    folders: ["model", "files"],
    libraries: ["@graphql-yoga/render-graphiql", "ajv", "graphql", "graphql-yoga", "libsql", "yaml", ...node],
  },
  "reconcile.ts": { folders: ["model", "plan", "manifests", "datahub", "run"], libraries: [] },
  "index.ts": { folders: ["model", "scope", "datahub", "run", "library"], libraries: [] },
  "cli.ts": { folders: [...everything, "cli"], libraries: ["commander", "open", ...node] },
};

/** A file in which each line is one import. */
interface Planted {
  /** Its path below `src`. */
  readonly path: string;
  readonly imports: readonly string[];
}

const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly devDependencies: Readonly<Record<string, string>>;
};
const allLibraries = new Set([
  ...Object.keys(devDependencies),
  ...Object.values(arrows).flatMap((arrow) => arrow.libraries),
]);
const entries = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true });
const folders = entries
  .filter((entry) => entry.isDirectory())
  .map(({ parentPath, name }) => relative(join(root, "src"), join(parentPath, name)).replaceAll(sep, "/"));
const topFolders = folders.filter((folder) => !folder.includes("/"));
const topFiles = entries
  .filter((entry) => entry.isFile() && entry.parentPath === join(root, "src"))
  .map(({ name }) => name);

/** The folder, or the file beside the folders, whose arrows hold for a path. */
function ownerOf(path: string): string {
  return path.split("/")[0] ?? "";
}

/** Imports of every other folder and of every library, in a file at that path. */
function planted(path: string): Planted {
  const others = topFolders.filter((folder) => folder !== ownerOf(path));
  const relatives = others.map((folder) => {
    const to = posix.relative(posix.dirname(path), `${folder}/any.ts`);
    return to.startsWith(".") ? to : `./${to}`;
  });
  return { path, imports: [...relatives, ...allLibraries] };
}

/** The imports that a file may not have. */
function forbidden({ path, imports }: Planted): readonly string[] {
  const { folders: near, libraries } = arrows[ownerOf(path)] ?? { folders: [], libraries: [] };
  const allowed = new Set([
    ...libraries,
    ...near.map((folder) => posix.relative(posix.dirname(path), `${folder}/any.ts`)),
  ]);
  return imports.filter((each) => !allowed.has(each) && !allowed.has(each.replace(/^\.\//, "")));
}

/** What the linter reports of files that are planted in a copy of the folders, as `path import`. */
function reportedIn(files: readonly Planted[]): ReadonlySet<string> {
  const copy = temporaryDirectory();
  copyFileSync(join(root, ".oxlintrc.json"), join(copy, ".oxlintrc.json"));
  for (const { path, imports } of files) {
    const file = join(copy, "src", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, imports.map((each) => `import ${JSON.stringify(each)};\n`).join(""));
  }
  const importsOf = new Map(files.map(({ path, imports }) => [`src/${path}`, imports]));
  return new Set(
    lint(copy)
      .filter(({ code }) => code === "eslint(no-restricted-imports)")
      .map(({ filename, labels }) => {
        const line = labels[0]?.span.line ?? 0;
        return `${filename.replace(/^src\//, "")} ${importsOf.get(filename)?.[line - 1]}`;
      }),
  );
}

interface Diagnostic {
  readonly code: string;
  readonly filename: string;
  readonly labels: readonly { readonly span: { readonly line: number } }[];
}

function lint(cwd: string): readonly Diagnostic[] {
  let output: string;
  try {
    const options = { cwd, encoding: "utf8", stdio: "pipe", maxBuffer: 16_000_000 } as const;
    output = execFileSync(linter, ["--format", "json", "src"], options);
  } catch (error) {
    // It ends with 1 when it reports something.
    output = (error as { readonly stdout: string }).stdout;
  }
  return (JSON.parse(output) as { readonly diagnostics: readonly Diagnostic[] }).diagnostics;
}

test("the linter reports each import that a folder may not have, and no other", () => {
  const files = [...folders.map((folder) => `${folder}/planted.ts`), ...topFiles].map(planted);

  const expected = files.flatMap((file) => forbidden(file).map((each) => `${file.path} ${each}`));

  expect([...reportedIn(files)].toSorted()).toEqual(expected.toSorted());
});

test("in a folder without an allow-list the linter reports nothing, which fails the test above", () => {
  expect(reportedIn([planted("new-folder/planted.ts")])).toEqual(new Set());
});

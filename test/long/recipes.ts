import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { temporaryDirectory } from "../support/catalog.ts";

const root = join(import.meta.dirname, "../..");

/** What somebody writes for a recipe: a new file, or a change of one. */
interface Piece {
  readonly file: string;
  readonly isChange: boolean;
  readonly text: string;
}

/** How something is added, as CONTRIBUTING.md says. */
export interface Recipe {
  readonly title: string;
  /** How failures name what is added: one of these. */
  readonly names: readonly string[];
  readonly pieces: readonly Piece[];
}

/** The recipes of CONTRIBUTING.md: its blocks whose info string names a file, below each heading. */
export function recipes(): readonly Recipe[] {
  const [, chapter = ""] = readFileSync(join(root, "CONTRIBUTING.md"), "utf8").split("\n## Recipes\n");
  const [recipesText = ""] = chapter.split("\n## ");
  const sections = recipesText.split("\n### ").slice(1);
  return sections.map((section) => {
    const pieces = [...section.matchAll(/^```(\w+) (\S+)\n(.*?)^```$/gms)].map(
      ([, language, file = "", text = ""]) => ({ file, isChange: language === "diff", text }),
    );
    return { title: section.split("\n")[0] ?? "", names: namesOf(pieces), pieces };
  });
}

function namesOf(pieces: readonly Piece[]): readonly string[] {
  const source = pieces.find(({ file }) => file.endsWith(".ts"));
  const [, name] = /^ {2}name: "(\w+)"/m.exec(source?.text ?? "") ?? [];
  const [, base] = /([\w-]+)\.ts$/.exec(source?.file ?? "") ?? [];
  return [name, base].filter((each) => each !== undefined);
}

/** A copy of the repository, with the tracked files as they are now. */
export interface Copy {
  /** Writes pieces. Throws where the text that one replaces is not there once. */
  write(pieces: readonly Piece[]): void;
  /** Runs a line of a shell, in which the commands of the packages are known; answers with its exit code and all that it printed. */
  run(line: string): { readonly code: number | null; readonly output: string };
  readText(file: string): string;
}

/** Makes a copy with the packages that are installed. It is removed after the test. */
export function copyRepository(): Copy {
  const folder = temporaryDirectory();
  const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" })
    .split("\0")
    .filter((file) => file !== "" && existsSync(join(root, file)));
  for (const file of tracked) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(join(root, file), join(folder, file));
  }
  const packages = join(root, "node_modules");
  mkdirSync(join(folder, "node_modules"));
  for (const name of readdirSync(packages))
    if (name !== ".cache") symlinkSync(join(packages, name), join(folder, "node_modules", name));
  return {
    write: (pieces) => {
      for (const piece of pieces) writePiece(folder, piece);
    },
    run: (line) => {
      // Those of this run are not for the copy.
      const own = /^(?:NODE_OPTIONS|VITEST.*|RUNS|LAW_SEED)$/;
      const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
      const { status, stdout, stderr } = spawnSync("sh", ["-c", line], {
        cwd: folder,
        encoding: "utf8",
        env: { ...env, PATH: [join(packages, ".bin"), env["PATH"]].join(delimiter) },
        maxBuffer: 64 * 1024 * 1024,
      });
      return { code: status, output: stdout + stderr };
    },
    readText: (file) => readFileSync(join(folder, file), "utf8"),
  };
}

function writePiece(folder: string, { file, isChange, text }: Piece): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, isChange ? changed(readFileSync(path, "utf8"), text, file) : text);
}

/** A file after a change: its imports are added below the first sentence, its other lines replace text that is there once. */
function changed(source: string, diff: string, file: string): string {
  const lines = diff.trimEnd().split("\n");
  const imports = lines.filter((line) => line.startsWith("+import "));
  const others = lines.filter((line) => !imports.includes(line));
  const textOf = (sign: string): string =>
    others
      .filter((line) => line.startsWith(" ") || line.startsWith(sign))
      .map((line) => line.slice(1))
      .join("\n");
  const before = textOf("-");
  const parts = source.split(new RegExp(`(?<!\\w)${before.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&")}`));
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times “${before}”`);
  const added = imports.map((line) => `${line.slice(1)}\n`);
  const result = parts.join(textOf("+"));
  const [sentence = ""] = /^\/\*\*[^]*?\*\/\n\n/.exec(result) ?? [];
  return sentence + added.join("") + result.slice(sentence.length);
}

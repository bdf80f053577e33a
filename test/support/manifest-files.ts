import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readDesired } from "../../src/manifests/documents/desired-state.ts";
import { sourceLines } from "../../src/manifests/yaml/source-lines.ts";
import type { Problem } from "../../src/model/problem.ts";
import { problemsPrinted } from "../report/print.ts";
import { argOf } from "./problem-args.ts";
import type { Desired } from "../../src/manifests/base/desired.ts";

/** Files of a working directory by name; a name that ends in `/` is an empty folder. */
export type Files = Readonly<Record<string, string | Buffer>>;

/** Runs something in a new working directory that holds these files, and removes it. */
export async function withFiles<Result>(
  files: Files,
  run: (cwd: string) => Promise<Result> | Result,
): Promise<Result> {
  const cwd = mkdtempSync(join(tmpdir(), "manifests-"));
  try {
    for (const [name, content] of Object.entries(files)) writeOne(join(cwd, name), content);
    return await run(cwd);
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

function writeOne(path: string, content: string | Buffer): void {
  if (path.endsWith("/")) {
    mkdirSync(path, { recursive: true });
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** What the manifests in `catalog/` declare. */
export async function desiredFrom(files: Files): Promise<Desired> {
  return await withFiles(files, (cwd) => readDesired("catalog", { cwd }));
}

/** What one manifest file declares. */
export async function desiredOf(text: string | Buffer): Promise<Desired> {
  return await desiredFrom({ "catalog/a.yaml": text });
}

/** Problems as `file:line:column code`, with what is suggested. */
export function briefly(problems: readonly Problem[]): readonly string[] {
  return problems.map((problem) => {
    const { code, origin, related } = problem;
    const hint = argOf(problem, "suggestion") ?? argOf(problem, "write");
    const also = related ? ` & ${related.file}:${related.line}:${related.column}` : "";
    return `${origin?.file}:${origin?.line}:${origin?.column} ${code}${also}${typeof hint === "string" ? ` (${hint})` : ""}`;
  });
}

/** The problems of one file as a person sees them. */
export async function shownFor(files: Files, width = 80): Promise<string> {
  return await withFiles(files, async (cwd) => {
    const { problems } = await readDesired("catalog", { cwd });
    return problemsPrinted(problems, { lineOf: sourceLines(cwd), width });
  });
}

/** Problems of one file, the file left out. */
export function inOneFile(problems: readonly Problem[]): readonly string[] {
  return briefly(problems).map((line) => line.replaceAll("catalog/a.yaml:", ""));
}

/** Compares a directory's manifest files with their canonical formatting, and lists the files that differ. */

import { resolve } from "node:path";
import { readContainedFile } from "../../../files/read-file.ts";
import { appendTo } from "../../../model/append.ts";
import { isJsonList } from "../../../model/json.ts";
import { type Problem, sortProblems } from "../../../model/problem.ts";
import { type CatalogFile, catalogFiles, displayName } from "../../base/catalog-files.ts";
import { type ReadingOptions, settingsFiles } from "../../documents/desired-state.ts";
import { errorAt, fileOrigin } from "../../base/problem.ts";
import { forEachYielding } from "../../yaml/for-each-yielding.ts";
import { readYamlFile } from "../../yaml/yaml-file.ts";
import { formatted } from "./formatted.ts";

/** A manifest file that is not formatted canonically. */
export interface UnformattedFile extends CatalogFile {
  readonly before: string;
  readonly after: string;
}

/** The result of comparing files with their canonical formatting. */
export interface FormatFindings {
  /** The number of files that were checked. */
  readonly files: number;
  readonly unformatted: readonly UnformattedFile[];
  /** Valid files that cannot be formatted canonically without losing content. */
  readonly kept: readonly CatalogFile[];
  /** Problems with unreadable files and folders, and with files that are not valid YAML. */
  readonly problems: readonly Problem[];
}

interface Found {
  readonly root: string;
  readonly unformatted: UnformattedFile[];
  readonly kept: CatalogFile[];
  readonly problems: Problem[];
  manifests: number;
}

/** Compares every manifest file below a directory. Throws only the signal's abort reason. */
export async function formatFiles(dir: string, options: ReadingOptions): Promise<FormatFindings> {
  const root = resolve(options.cwd, dir);
  const { files, problems } = catalogFiles(root, options.cwd, settingsFiles(root, options));
  const found: Found = { root, unformatted: [], kept: [], problems: [...problems], manifests: 0 };
  await forEachYielding(files, (file) => formatFile(file, found), options.signal);
  if (found.manifests === 0 && found.problems.length === 0) {
    const name = displayName(root, options.cwd);
    found.problems.push(errorAt(fileOrigin(name), "no-manifests", { dir: name, files: files.length }));
  }
  return { ...found, files: files.length, problems: sortProblems(found.problems) };
}

function formatFile(file: CatalogFile, found: Found): void {
  let before = "";
  const { documents, problems } = readYamlFile(file, (path) => {
    const bytes = readContainedFile(path, undefined, found.root);
    before = bytes.toString("utf8");
    return bytes;
  });
  appendTo(found.problems, problems);
  for (const { root } of documents) found.manifests += isJsonList(root) ? root.length : 1;
  if (problems.length > 0) return;
  const after = canonicalFile(before);
  if (after === undefined) found.kept.push(file);
  else if (after !== before) found.unformatted.push({ ...file, before, after });
}

/** Formats a file canonically. Keeps the line endings, and removes a byte order mark. */
function canonicalFile(text: string): string | undefined {
  const hasReturns = /^[^\n]*\r\n/.test(text);
  const result = formatted(text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n"));
  return hasReturns ? result?.replaceAll("\n", "\r\n") : result;
}

import { readFileSync } from "node:fs";
import type { Problem } from "../../model/problem.ts";
import { type CatalogFile, reasonOf } from "../catalog-files.ts";
import { errorAt, wholeOf } from "../problem.ts";
import { yamlDocuments } from "./documents.ts";
import { fileText } from "./file-text.ts";
import { parseDocument } from "./parse-document.ts";
import type { ParsedDocument } from "./parsed-document.ts";

/** What a YAML file holds: the documents that can be used, and what is wrong with the others. */
export interface YamlFile {
  readonly documents: readonly ParsedDocument[];
  readonly problems: readonly Problem[];
  /** Why the file could not be read, as the system names it: `ENOENT`, `EACCES`, … */
  readonly unreadable?: string;
}

/**
 * Reads a YAML file. It does not throw: a file that cannot be read is a problem. It blocks, because a file that the
 * system has at hand takes 7 µs this way, and 45 µs the other.
 */
export function readYamlFile({ path, name }: CatalogFile): YamlFile {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const reason = reasonOf(error);
    const problem = errorAt(wholeOf(name), "unreadable", { reason });
    return { documents: [], problems: [problem], unreadable: reason };
  }
  return yamlIn(name, bytes);
}

/** The YAML in the bytes of a file, wherever they come from. `name` is what messages call it. */
export function yamlIn(name: string, bytes: Buffer): YamlFile {
  const text = fileText(name, bytes);
  if ("problem" in text) return { documents: [], problems: [text.problem] };
  const stream = yamlDocuments(text.source);
  const problems = [...stream.problems];
  const documents = stream.documents.flatMap(
    (document) => parseDocument(document, text.source, (problem) => problems.push(problem)) ?? [],
  );
  return { documents, problems };
}

/** Reads YAML files with the fast parser if possible, and otherwise with the library. Converts all errors to problems. */

import { FileError } from "../../files/file-error.ts";
import { maxInputBytes } from "../../files/read-file.ts";
import { type CatalogFile, reasonOf, unreadableProblem } from "../base/catalog-files.ts";
import { type ParsedText, yamlDocuments } from "./documents.ts";
import { fastDocuments } from "./fast-documents.ts";
import { fileText } from "./file-text.ts";
import { tokensProblem } from "./tokens-problem.ts";

/** The valid documents in a YAML file, and all problems. */
export interface YamlFile extends ParsedText {
  /** The reason why the file could not be read: the system's error code, such as `ENOENT` or `EACCES`. */
  readonly unreadable?: string;
}

/** Reads a YAML file. Reports an unreadable or refused file as a problem, and never throws. */
export function readYamlFile({ path, name }: CatalogFile, read: (path: string) => Buffer): YamlFile {
  let bytes: Buffer;
  try {
    bytes = read(path);
  } catch (error) {
    return { documents: [], problems: [unreadableProblem(name, error)], unreadable: reasonOf(error) };
  }
  return yamlIn(name, bytes);
}

/** Parses the bytes of a file, which can come from any source. `name` is the file name for messages. */
export function yamlIn(name: string, bytes: Buffer): YamlFile {
  // The size of a file that was read from a commit has not been checked yet.
  if (bytes.length > maxInputBytes)
    return { documents: [], problems: [unreadableProblem(name, new FileError("too-large"))] };
  const text = fileText(name, bytes);
  if ("problem" in text) return { documents: [], problems: [text.problem] };
  const tooMany = tokensProblem(text.source);
  if (tooMany) return { documents: [], problems: [tooMany] };
  const documents = fastDocuments(text.source);
  return documents ? { documents, problems: [] } : yamlDocuments(text.source);
}

import { FileError } from "../../files/file-error.ts";
import { maxInput, readRegularFile } from "../../files/read-file.ts";
import { type CatalogFile, reasonOf, unreadableProblem } from "../catalog-files.ts";
import { type ParsedText, yamlDocuments } from "./documents.ts";
import { fastDocuments } from "./fast-documents.ts";
import { fileText } from "./file-text.ts";
import { tokensProblem } from "./tokens-problem.ts";

/** The documents of a YAML file that can be used, and what is wrong with the others. */
export interface YamlFile extends ParsedText {
  /** Why the file could not be read, as the system names it: `ENOENT`, `EACCES`, … */
  readonly unreadable?: string;
}

/** Reads a YAML file. It does not throw: a file that cannot be read, or is not to be read, is a problem. */
export function readYamlFile(
  { path, name }: CatalogFile,
  read: (path: string) => Buffer = readRegularFile,
): YamlFile {
  let bytes: Buffer;
  try {
    bytes = read(path);
  } catch (error) {
    return { documents: [], problems: [unreadableProblem(name, error)], unreadable: reasonOf(error) };
  }
  return yamlIn(name, bytes);
}

/** The YAML in the bytes of a file, wherever they come from. `name` is what messages call it. */
export function yamlIn(name: string, bytes: Buffer): YamlFile {
  // A file of a commit has not been checked when it was opened.
  if (bytes.length > maxInput)
    return { documents: [], problems: [unreadableProblem(name, new FileError("too-large"))] };
  const text = fileText(name, bytes);
  if ("problem" in text) return { documents: [], problems: [text.problem] };
  const tooMany = tokensProblem(text.source);
  if (tooMany) return { documents: [], problems: [tooMany] };
  const documents = fastDocuments(text.source);
  return documents ? { documents, problems: [] } : yamlDocuments(text.source);
}

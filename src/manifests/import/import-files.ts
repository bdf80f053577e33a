/**
 * Reads the files that are passed to `import`: recognizes each format, converts entries to declarations, and collects values that
 * no manifest can declare.
 */

import { resolve } from "node:path";
import { readContainedFile } from "../../files/read-file.ts";
import { appendTo } from "../../model/append.ts";
import { isJsonList, isJsonObject, type JsonObject } from "../../model/json.ts";
import type { Origin } from "../../model/origin.ts";
import { type Problem, sortProblems } from "../../model/problem.ts";
import type { References } from "../../model/reference.ts";
import type { State } from "../../model/state.ts";
import { type CatalogFile, displayName } from "../base/catalog-files.ts";
import { type Collected, emptyCollection } from "../base/collected.ts";
import { uniqueDocuments } from "../base/declared-once.ts";
import { desiredOf } from "../documents/desired-state.ts";
import { readManifests } from "../documents/manifest.ts";
import { errorAt, fileOrigin, foundTypeOf } from "../base/problem.ts";
import { schemaErrors } from "../schema/schema-check.ts";
import { schemaProblems } from "../schema/schema-problems.ts";
import { addList, opened } from "../yaml/open-document.ts";
import { elementsIn, originIn, type ParsedDocument, type PlacedValue } from "../yaml/parsed-document.ts";
import { readYamlFile } from "../yaml/yaml-file.ts";
import type { ImportFormat, Importing, ImportOptions, LeftOut } from "../import-formats/format.ts";
import { importFormats } from "../import-formats/formats.ts";
import { type OtherFormat, otherFormat, otherText } from "../import-formats/other-formats.ts";
import { withoutRepeatedEntries } from "./repeated-entries.ts";

/** The declarations from imported files. They are incomplete if the problems include an error. */
export interface Imported {
  readonly state: State;
  readonly references: References;
  /** The values that no manifest can declare, in the order of the files. */
  readonly leftOut: readonly LeftOut[];
  readonly problems: readonly Problem[];
}

/** The number of bytes used to recognize the format of a file that is not valid YAML. */
const startLength = 4_096;

/** Reads files in any of the import formats. Reports errors as problems, and never throws. */
export function readImports(files: readonly string[], cwd: string, options: ImportOptions): Imported {
  const leftOut: LeftOut[] = [];
  const collected = emptyCollection();
  for (const file of files) {
    const path = resolve(cwd, file);
    const documents = documentsIn({ path, name: displayName(path, cwd) }, collected.problems);
    for (const document of documents) readDocument(document, collected, options, leftOut);
  }
  const once = withoutRepeatedEntries(collected.declarations, options.keep);
  const unique = uniqueDocuments(once.declarations, "--keep");
  const { state, references, problems: found } = desiredOf(unique, files.length, false);
  const problems = sortProblems([...collected.problems, ...found]);
  return { state, references, leftOut: [...leftOut, ...once.leftOut], problems };
}

/** Parses a file, and reports the problems. Returns no documents if the file is in a known format that is not YAML. */
function documentsIn(file: CatalogFile, problems: Problem[]): readonly ParsedDocument[] {
  let start = "";
  const read = readYamlFile(file, (path) => {
    const bytes = readContainedFile(path);
    start = bytes.toString("utf8", 0, startLength);
    return bytes;
  });
  const other = read.problems.length > 0 ? otherText(start) : undefined;
  if (other || read.documents.length + read.problems.length === 0)
    problems.push(notImportable(fileOrigin(file.name), other));
  else appendTo(problems, read.problems);
  return other ? [] : read.documents;
}

function readDocument(
  document: ParsedDocument,
  collected: Collected,
  options: ImportOptions,
  leftOut: LeftOut[],
): void {
  const { root: value, rootPlace: place } = document;
  const isList = isJsonList(value);
  const entries = isList ? elementsIn(document, value) : [{ value, place }];
  const format = importFormats.find(
    (each) =>
      each.isList === isList && entries.some((entry) => isMapping(entry) && each.matches(entry.value)),
  );
  const { problems } = collected;
  if (!format) {
    problems.push(notImportable(originIn(document, place.value), otherFormat(value)));
    return;
  }
  const open = opened(document);
  const importing = { ...options, document: open, problems, leftOut };
  const manifests = entries.flatMap((entry) => manifestsOf(format, importing, entry));
  const declared = { ...collected, problems: [] };
  readManifests({ ...open, root: addList(open, manifests) }, declared);
  appendTo(problems, eachOnce(declared.problems));
}

function notImportable(origin: Origin, other: OtherFormat | undefined): Problem {
  return errorAt(origin, "not-importable", { what: other?.what, use: other?.use });
}

/** Checks an entry. Returns its manifests, or none if the entry has problems. */
function manifestsOf(
  format: ImportFormat,
  importing: Importing,
  entry: PlacedValue,
): readonly PlacedValue<JsonObject>[] {
  const { document, problems } = importing;
  const start = entry.place.value;
  if (!isMapping(entry)) {
    const found = foundTypeOf(entry.value);
    problems.push(errorAt(originIn(document, start), "not-a-record", { found }));
    return [];
  }
  const checked = { document, value: entry.value, start, what: format.noun };
  const invalid = schemaProblems(checked, schemaErrors(format.name, entry.value));
  appendTo(problems, invalid);
  return invalid.length > 0 ? [] : format.read(importing, entry);
}

function isMapping(entry: PlacedValue): entry is PlacedValue<JsonObject> {
  return isJsonObject(entry.value);
}

/** Removes repeated problems. A value that several manifests inherit, such as owners, causes the same problem in each of them. */
function eachOnce(problems: readonly Problem[]): readonly Problem[] {
  const byPlace = new Map(
    problems.map((each) => [`${each.origin?.line}:${each.origin?.column}:${each.code}`, each]),
  );
  return [...byPlace.values()];
}

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
import { displayName } from "../base/catalog-files.ts";
import { type Collected, emptyCollection } from "../base/collected.ts";
import { collectUnique } from "../base/declared-once.ts";
import { desiredOf } from "../documents/desired-state.ts";
import { readManifests } from "../documents/manifest.ts";
import { errorAt, fileOrigin, foundTypeOf } from "../base/problem.ts";
import { schemaErrors } from "../schema/schema-check.ts";
import { schemaProblems } from "../schema/schema-problems.ts";
import { addList, opened } from "../yaml/open-document.ts";
import { elementsIn, originIn, type ParsedDocument, type PlacedValue } from "../yaml/parsed-document.ts";
import { readYamlFile } from "../yaml/yaml-file.ts";
import type { ImportFormat, ImportOptions, LeftOut } from "../import-formats/format.ts";
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
  const problems: Problem[] = [];
  const readings = files.flatMap((file) => {
    const path = resolve(cwd, file);
    const name = displayName(path, cwd);
    let start = "";
    const read = readYamlFile({ path, name }, (from) => {
      const bytes = readContainedFile(from);
      start = bytes.toString("utf8", 0, startLength);
      return bytes;
    });
    const other = read.problems.length > 0 ? otherText(start) : undefined;
    if (other || read.documents.length + read.problems.length === 0)
      problems.push(notImportable(fileOrigin(name), other));
    else appendTo(problems, read.problems);
    return other ? [] : read.documents.map((document) => readDocument(document, options, leftOut));
  });
  const once = withoutRepeatedEntries(readings, options.keep);
  const declared = collectUnique(once.declarations, readings.length, "--keep");
  const { state, references, problems: found } = desiredOf(declared, files.length);
  const all = [...problems, ...readings.flatMap((reading) => reading.problems), ...found];
  return { state, references, leftOut: [...leftOut, ...once.leftOut], problems: sortProblems(all) };
}

function readDocument(document: ParsedDocument, options: ImportOptions, leftOut: LeftOut[]): Collected {
  const { root: value, rootPlace: place } = document;
  const isList = isJsonList(value);
  const entries = isList ? elementsIn(document, value) : [{ value, place }];
  const format = importFormats.find(
    (each) =>
      each.isList === isList && entries.some((entry) => isMapping(entry) && each.matches(entry.value)),
  );
  const collected = emptyCollection();
  if (format) readEntries({ format, document, options, leftOut }, entries, collected);
  else collected.problems.push(notImportable(originIn(document, place.value), otherFormat(value)));
  return collected;
}

function notImportable(origin: Origin, other: OtherFormat | undefined): Problem {
  return errorAt(origin, "not-importable", { what: other?.what, use: other?.use });
}

interface Given {
  readonly format: ImportFormat;
  readonly document: ParsedDocument;
  readonly options: ImportOptions;
  readonly leftOut: LeftOut[];
}

function readEntries(
  { format, document, options, leftOut }: Given,
  entries: readonly PlacedValue[],
  collected: Collected,
): void {
  const open = opened(document);
  const manifests: PlacedValue[] = [];
  for (const entry of entries) {
    const problems = entryProblems(format, document, entry);
    appendTo(collected.problems, problems);
    if (problems.length > 0 || !isMapping(entry)) continue;
    const reading = format.read(open, entry, options);
    appendTo(leftOut, reading.leftOut);
    appendTo(collected.problems, reading.problems);
    appendTo(manifests, reading.manifests);
  }
  const declared = { ...collected, problems: [] };
  readManifests({ ...open, root: addList(open, manifests) }, declared);
  appendTo(collected.problems, eachOnce(declared.problems));
}

function entryProblems(
  { name, noun: what }: ImportFormat,
  document: ParsedDocument,
  entry: PlacedValue,
): readonly Problem[] {
  const start = entry.place.value;
  if (!isMapping(entry))
    return [errorAt(originIn(document, start), "not-a-record", { found: foundTypeOf(entry.value) })];
  const checked = { document, value: entry.value, start, what, canUnset: () => false };
  return schemaProblems(checked, schemaErrors(name, entry.value));
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

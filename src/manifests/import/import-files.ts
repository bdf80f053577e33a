import { resolve } from "node:path";
import { readContainedFile } from "../../files/read-file.ts";
import { appendTo } from "../../model/append.ts";
import { isJsonObject, type JsonObject } from "../../model/json.ts";
import { type Problem, sortProblems } from "../../model/problem.ts";
import type { State } from "../../model/state.ts";
import { displayName } from "../catalog-files.ts";
import { type Collected, nothingCollected } from "../collected.ts";
import { declaredOnce } from "../declared-once.ts";
import { desiredOf } from "../desired-state.ts";
import { readManifests } from "../manifest.ts";
import { errorAt, fileOrigin } from "../problem.ts";
import { schemaErrors } from "../schema/schema-check.ts";
import { schemaProblems } from "../schema/schema-problems.ts";
import { addList, opened } from "../yaml/open-document.ts";
import { originIn, type ParsedDocument } from "../yaml/parsed-document.ts";
import { readYamlFile } from "../yaml/yaml-file.ts";
import type { ImportFormat, ImportOptions, LeftOut } from "./format.ts";
import { importFormats } from "./formats.ts";

/** What files of other formats declare. With an error among the problems it is not complete. */
export interface Imported {
  readonly state: State;
  /** What they say that no manifest can declare, in the order of the files. */
  readonly leftOut: readonly LeftOut[];
  readonly problems: readonly Problem[];
}

/** Reads files of other formats. Does not throw: what is wrong is a problem. */
export function readImports(files: readonly string[], cwd: string, options: ImportOptions): Imported {
  const leftOut: LeftOut[] = [];
  const problems: Problem[] = [];
  const readings = files.flatMap((file) => {
    const path = resolve(cwd, file);
    const name = displayName(path, cwd);
    const read = readYamlFile({ path, name }, readContainedFile);
    appendTo(problems, read.problems);
    if (read.documents.length + read.problems.length === 0)
      problems.push(errorAt(fileOrigin(name), "not-importable", {}));
    return read.documents.map((document) => readDocument(document, options, leftOut));
  });
  const { state, problems: found } = desiredOf(declaredOnce(readings), files.length);
  const all = [...problems, ...readings.flatMap((reading) => reading.problems), ...found];
  return { state, leftOut, problems: sortProblems(all) };
}

function readDocument(document: ParsedDocument, options: ImportOptions, leftOut: LeftOut[]): Collected {
  const { root, rootPlace } = document;
  const format = isJsonObject(root) ? importFormats.find((each) => each.matches(root)) : undefined;
  const collected = nothingCollected();
  if (format && isJsonObject(root)) readRoot(format, { document, root, options }, { collected, leftOut });
  else collected.problems.push(errorAt(originIn(document, rootPlace.value), "not-importable", {}));
  return collected;
}

interface Given {
  readonly document: ParsedDocument;
  readonly root: JsonObject;
  readonly options: ImportOptions;
}

interface Found {
  readonly collected: Collected;
  readonly leftOut: LeftOut[];
}

function readRoot(
  format: ImportFormat,
  { document, root, options }: Given,
  { collected, leftOut }: Found,
): void {
  const errors = schemaErrors(format.name, root);
  const checked = { document, value: root, start: document.rootPlace.value, what: format.name };
  appendTo(collected.problems, schemaProblems({ ...checked, canUnset: () => false }, errors));
  if (errors.length > 0) return;
  const open = opened(document);
  const { manifests, leftOut: left, problems } = format.read(open, root, options);
  appendTo(leftOut, left);
  const declared = { ...collected, problems: [] };
  readManifests({ ...open, root: addList(open, manifests) }, declared);
  appendTo(collected.problems, [...problems, ...eachOnce(declared.problems)]);
}

/** What several manifests take over from one place, such as owners, has its problems in each. */
function eachOnce(problems: readonly Problem[]): readonly Problem[] {
  const byPlace = new Map(
    problems.map((each) => [`${each.origin?.line}:${each.origin?.column}:${each.code}`, each]),
  );
  return [...byPlace.values()];
}

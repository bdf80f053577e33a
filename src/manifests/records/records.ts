/** Reads record files for DataHub's commands, such as `datahub group upsert`. */

import { resolve } from "node:path";
import { readContainedFile } from "../../files/read-file.ts";
import type { Kind } from "../../kinds/kind.ts";
import { isJsonList, isJsonObject, type Json } from "../../model/json.ts";
import { hasTrait, isError, type Problem, sortProblems } from "../../model/problem.ts";
import { displayName } from "../base/catalog-files.ts";
import { type Collected, emptyCollection } from "../base/collected.ts";
import { uniqueDocuments } from "../base/declared-once.ts";
import { desiredOf } from "../documents/desired-state.ts";
import { readManifests } from "../documents/manifest.ts";
import { errorAt, foundTypeOf, fileOrigin } from "../base/problem.ts";
import { type OpenDocument, opened } from "../yaml/open-document.ts";
import { elementsIn, originIn, type ParsedDocument, type SourcePlace } from "../yaml/parsed-document.ts";
import { readYamlFile } from "../yaml/yaml-file.ts";
import { manifestOf } from "./record-manifest.ts";
import type { Desired } from "../base/desired.ts";

/** The declarations from the valid records in a file, and all problems. */
export interface Records {
  readonly state: Desired["state"];
  readonly references: Desired["references"];
  readonly problems: Desired["problems"];
}

/** Reads records of one kind, which are manifests without `kind`. Skips records that have errors. */
export function readRecords(file: string, kind: Kind, cwd: string): Records {
  const path = resolve(cwd, file);
  const name = displayName(path, cwd);
  const { documents, problems } = readYamlFile({ path, name }, readContainedFile);
  const readings = problems.length > 0 ? [] : documents.flatMap((document) => readDocument(document, kind));
  const found = [...problems, ...readings.flatMap((reading) => reading.problems)];
  if (found.length + readings.length === 0) found.push(errorAt(fileOrigin(name), "no-records", {}));
  const valid = readings.filter((reading) => !reading.problems.some(isError));
  const declarations = valid.flatMap((reading) => reading.declarations);
  const declared = desiredOf(uniqueDocuments(declarations), 1, false);
  return { ...declared, problems: sortProblems([...declared.problems, ...found]) };
}

/** Returns one result for each record. */
function readDocument(parsed: ParsedDocument, kind: Kind): readonly Collected[] {
  const { root, rootPlace } = parsed;
  const document = opened(parsed);
  const records = isJsonList(root) ? elementsIn(document, root) : [{ value: root, place: rootPlace }];
  return records.map(({ value, place }) => readRecord(document, value, place, kind));
}

function readRecord(document: OpenDocument, value: Json, place: SourcePlace, kind: Kind): Collected {
  const collected = emptyCollection();
  const { problems } = collected;
  if (isJsonObject(value)) {
    const root = manifestOf(document, value, kind, problems);
    readManifests({ ...document, root, rootPlace: place }, collected);
  } else {
    problems.push(errorAt(originIn(document, place.value), "not-a-record", { found: foundTypeOf(value) }));
  }
  return { ...collected, problems: problems.map(withoutModes) };
}

// Removes `manage` from a problem's list of known fields, because records have no modes.
function withoutModes(problem: Problem): Problem {
  if (!hasTrait(problem, "lists-fields") || !problem.args.known) return problem;
  const known = problem.args.known.filter((name) => name !== "manage");
  return { ...problem, args: { ...problem.args, known } };
}

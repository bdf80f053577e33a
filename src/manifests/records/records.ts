import { appendTo } from "../../model/append.ts";
import { declarationList, nothingCollected } from "../declarations.ts";
import { resolve } from "node:path";
import { readContainedFile } from "../../files/read-file.ts";
import type { Kind } from "../../kinds/kind.ts";
import { isJsonList, isJsonObject, type Json } from "../../model/json.ts";
import { type Problem, sortProblems } from "../../model/problem.ts";
import { hasTrait } from "../../model/problem-traits.ts";
import type { Entity } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { displayName } from "../catalog-files.ts";
import type { Collected } from "../declaration.ts";
import { type Desired, desiredOf } from "../desired-state.ts";
import { readManifests } from "../manifest.ts";
import { errorAt, foundTypeOf, wholeOf } from "../problem.ts";
import { asManifest, type Rewriting, rewritingOf } from "./record-manifest.ts";
import { originIn, type SourcePlace, type ParsedDocument } from "../yaml/parsed-document.ts";
import { readYamlFile, type YamlFile } from "../yaml/yaml-file.ts";

/** What the valid records of a file declare. Records with an error are left out; `problems` names the errors. */
export interface Records extends Pick<Desired, "state" | "references" | "problems"> {
  /** Whether the whole file cannot be used: it is unreadable, is not YAML, or holds no records. */
  readonly broken: boolean;
}

/**
 * Reads a file of records of one kind, as DataHub's own commands take it: manifests without `kind`, one or a list.
 * A record with an error spoils no other. It does not throw: what is wrong is a problem.
 */
export function readRecords(file: string, kind: Kind, cwd: string): Records {
  const path = resolve(cwd, file);
  const name = displayName(path, cwd);
  return recordsIn(name, readYamlFile({ path, name }, readContainedFile), kind);
}

function brokenBy(problems: readonly Problem[]): Records {
  const nothing = { state: new Map(), references: [] };
  return { ...nothing, problems: sortProblems(problems), broken: true };
}

function recordsIn(name: string, file: YamlFile, kind: Kind): Records {
  if (file.problems.length > 0) return brokenBy(file.problems);
  const readings = file.documents.flatMap((document) => readDocument(document, kind));
  if (readings.length === 0) return brokenBy([errorAt(wholeOf(name), "no-records", {})]);
  if (readings.every((reading) => reading.documents === 0)) {
    return brokenBy(readings.flatMap((reading) => reading.problems));
  }
  const sound = readings.filter(({ problems }) => problems.every(({ severity }) => severity !== "error"));
  const { state, references, problems } = desiredOf(withoutRepeated(together(sound)), 1);
  const refused = readings.filter((reading) => !sound.includes(reading)).flatMap((each) => each.problems);
  return { state, references, problems: sortProblems([...problems, ...refused]), broken: false };
}

/** One reading per record. */
function readDocument(document: ParsedDocument, kind: Kind): readonly Collected[] {
  const { root, rootPlace } = document;
  const rewriting = rewritingOf(document);
  if (!isJsonList(root)) return [readRecord(rewriting, root, rootPlace, kind)];
  const places = document.listPlaces.get(root) ?? [];
  return root.map((item, index) => readRecord(rewriting, item, places[index] ?? rootPlace, kind));
}

function readRecord(rewriting: Rewriting, value: Json, place: SourcePlace, kind: Kind): Collected {
  const collected = nothingCollected();
  if (isJsonObject(value)) {
    const root = asManifest(rewriting, value, kind, collected.problems);
    readManifests({ ...rewriting.document, root, rootPlace: place }, collected);
  } else {
    collected.problems.push(
      errorAt(originIn(rewriting.document, place.value), "not-a-record", { found: foundTypeOf(value) }),
    );
  }
  return { ...collected, problems: collected.problems.map(withoutModes) };
}

// Records have no modes, so `manage` is not listed among their fields.
function withoutModes(problem: Problem): Problem {
  if (!hasTrait(problem, "lists-fields") || !problem.args.known) return problem;
  const known = problem.args.known.filter((name) => name !== "manage");
  return { ...problem, args: { ...problem.args, known } };
}

/** A record is a whole entity, so a second record of one is left out even where it gives no field again. */
function withoutRepeated(collected: Collected): Collected {
  const first = new Map<Urn, Entity>();
  const problems: Problem[] = [...collected.problems];
  const declarations = declarationList();
  for (const declaration of collected.declarations) {
    const { entity, inline } = declaration;
    const { urn, kind, origin } = entity;
    const before = inline ? undefined : first.get(urn);
    if (!inline && !before) first.set(urn, entity);
    if (before && origin) problems.push(errorAt(origin, "duplicate-entity", { kind, urn }, before.origin));
    if (!before) declarations.push(declaration);
  }
  return { ...collected, declarations, problems };
}

// Records refer to entities in the catalog, so there is no warning for what the file does not declare.
function together(readings: readonly Collected[]): Collected {
  const declarations = declarationList();
  for (const reading of readings) appendTo(declarations, reading.declarations);
  const problems = readings.flatMap((reading) => reading.problems);
  return { ...nothingCollected(), declarations, problems, documents: readings.length, unreadable: 1 };
}

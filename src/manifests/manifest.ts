import type { ErrorObject } from "ajv";
import { refuseUrn } from "../facets/parsing.ts";
import { findKind, kindOf, kinds } from "../kinds/index.ts";
import type { Kind } from "../kinds/kind.ts";
import { appendTo } from "../model/append.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject, textOf } from "../model/json.ts";
import type { Problem } from "../model/problem.ts";
import type { DeclaredReference } from "../model/reference.ts";
import type { Urn } from "../model/urn.ts";
import { hiddenCharacters } from "./checks/hidden-characters.ts";
import type { Collected } from "./collected.ts";
import { canBeUnset } from "./declaration.ts";
import { exemptionsIn, facetValues, modesIn, startOf } from "./declared-fields.ts";
import { type FieldReading, type InlineEntity, readingOf } from "./facet-value.ts";
import { errorAt, foundTypeOf, warningAt } from "./problem.ts";
import { refusalProblem } from "./refusal-problem.ts";
import { readRule } from "./rules/read-rule.ts";
import { ruleKind } from "./rules/rule-schema.ts";
import { schemaErrors } from "./schema/schema-check.ts";
import { badFields, type Checked, fieldOf, schemaProblems } from "./schema/schema-problems.ts";
import { closest } from "../model/text/suggestion.ts";
import {
  originIn,
  type SourcePlace,
  placesIn,
  sourceAt,
  type ParsedDocument,
} from "./yaml/parsed-document.ts";
import { type YamlFile, yamlIn } from "./yaml/yaml-file.ts";

/** Reads the manifests in the bytes of a file, wherever they come from. `name` is what messages call it. */
export function readManifestBytes(name: string, bytes: Buffer, collected: Collected): void {
  readManifestFile(yamlIn(name, bytes), collected);
}

/** Reads the manifests of a file. What is wrong with it is among the findings. */
export function readManifestFile({ documents, problems }: YamlFile, collected: Collected): void {
  appendTo(collected.problems, problems);
  collected.unreadable += problems.length;
  for (const document of documents) readManifests(document, collected);
}

/** Reads the manifests of one YAML document: a mapping, or a list of mappings. */
export function readManifests(document: ParsedDocument, collected: Collected): void {
  const { root, rootPlace } = document;
  appendTo(collected.problems, hiddenCharacters(document));
  if (!isJsonList(root)) return readManifest(document, root, rootPlace.value, collected);
  const places = document.listPlaces.get(root) ?? [];
  root.forEach((item, index) =>
    readManifest(document, item, places[index]?.value ?? rootPlace.value, collected),
  );
}

function readManifest(document: ParsedDocument, value: Json, at: number, collected: Collected): void {
  collected.documents++;
  if (!isJsonObject(value)) {
    collected.unreadable++;
    collected.problems.push(errorAt(originIn(document, at), "not-a-manifest", { found: foundTypeOf(value) }));
    return;
  }
  const start = startOf(document, value, at);
  if (value["kind"] === ruleKind) {
    readRule({ document, value, start }, collected);
    return;
  }
  const kind = kindOfManifest(document, value, start, collected);
  if (!kind) {
    collected.unreadable++;
    return;
  }
  const unsettable = (field: string) => canBeUnset(kind, field);
  readKind(kind, { document, value, start, what: kind.name, unsettable }, collected);
}

function kindOfManifest(
  document: ParsedDocument,
  value: JsonObject,
  start: number,
  collected: Collected,
): Kind | undefined {
  const name = value["kind"];
  const kind = typeof name === "string" ? findKind(name) : undefined;
  if (kind) return kind;
  const place = placesIn(document, value).get("kind");
  collected.problems.push(place ? unknownKind(document, name, place) : missingKind(document, value, start));
  return undefined;
}

const kindNames = [...kinds.map(({ name }) => name), ruleKind];

function missingKind(document: ParsedDocument, value: JsonObject, start: number): Problem {
  const near = Object.keys(value).find((key) => closest(key, ["kind"]));
  const at = near === undefined ? start : (placesIn(document, value).get(near)?.key ?? start);
  return errorAt(originIn(document, at), "missing-kind", {
    known: kindNames,
    ...(near !== undefined && { near, suggestion: "kind" }),
  });
}

function unknownKind(document: ParsedDocument, name: Json | undefined, place: SourcePlace): Problem {
  if (name === null) {
    return errorAt(originIn(document, place.key), "null-value", { field: "kind", expected: "identity" });
  }
  const origin = originIn(document, place.value);
  const kind = typeof name === "string" ? name : sourceAt(document, place);
  const suggestion = closest(kind, kindNames) ?? closest(kind.replace(/s$/, ""), kindNames);
  return errorAt(origin, "unknown-kind", { kind, known: kindNames, suggestion });
}

function readKind(kind: Kind, checked: Checked, collected: Collected): void {
  const { document, value } = checked;
  const errors = schemaErrors(kind.name, value);
  if (errors.length > 0) appendTo(collected.problems, schemaProblems(checked, errors));
  const urn = errors.some((error) => hidesIdentity(kind, error))
    ? undefined
    : identityOf(kind, checked, collected);
  if (urn === undefined) {
    collected.unreadable++;
    return;
  }
  const bad = badFields(errors);
  const reading = readingOf({ checked, bad, problems: collected.problems });
  const entity = {
    urn,
    kind: kind.name,
    facets: facetValues(kind, reading),
    ...modesIn(kind, reading),
    origin: originIn(document, namePlace(kind, checked)),
  };
  const references = referencesFrom(urn, reading);
  const exempt = kind.matchedBy && exemptionsIn(reading);
  const declaration = { entity, references, inline: false };
  collected.declare(exempt && exempt.size > 0 ? { ...declaration, exempt } : declaration);
  for (const inline of reading.inline) declareInline(inline, document, collected);
}

// Its fields have been checked with those of the entity that lists it.
function declareInline(
  { kind: name, urn, value, start }: InlineEntity,
  document: ParsedDocument,
  collected: Collected,
): void {
  const kind = kindOf(name);
  const unsettable = (field: string) => canBeUnset(kind, field);
  const checked: Checked = { document, value, start, what: kind.name, unsettable };
  const reading = readingOf({ checked, bad: new Set(), problems: collected.problems });
  const entity = {
    urn,
    kind: kind.name,
    facets: facetValues(kind, reading),
    origin: originIn(document, start),
  };
  const references = referencesFrom(urn, reading);
  collected.declare({ entity, references, inline: true });
}

function referencesFrom(from: Urn, { references }: FieldReading): readonly DeclaredReference[] {
  // Written out: there are many of them, and to spread an object takes several times as long.
  return references.map(({ urn, entityType, facet, path, origin }) =>
    path === undefined
      ? { urn, entityType, from, facet, origin }
      : { urn, entityType, from, facet, path, origin },
  );
}

// At the top only what identifies is required.
function hidesIdentity(kind: Kind, error: ErrorObject): boolean {
  const field = fieldOf(error);
  if (field === "") return error.keyword === "required";
  return kind.fields[field] !== undefined;
}

/** Where an asset is named, since that may be wrong; else where the manifest begins. */
function namePlace({ namedBy = [] }: Kind, { document, value, start }: Checked): number {
  const places = placesIn(document, value);
  const [place] = namedBy.flatMap((field) => places.get(field) ?? []);
  return place?.key ?? start;
}

function doubtsAbout(kind: Kind, { document, value, start }: Checked): readonly Problem[] {
  const doubt = kind.doubtAbout?.(value);
  if (!doubt) return [];
  const { field } = doubt;
  const at = placesIn(document, value).get(field)?.value ?? start;
  return [warningAt(originIn(document, at), "looks-wrong", { ...doubt, text: textOf(value[field]) })];
}

function identityOf(kind: Kind, checked: Checked, collected: Collected): Urn | undefined {
  const { value, document, start } = checked;
  const result = kind.urnOf(value);
  if ("urn" in result) {
    appendTo(collected.problems, doubtsAbout(kind, checked));
    return result.urn;
  }
  const { field, fault } = result;
  const at = placesIn(document, value).get(field)?.value ?? start;
  const { refusal } = refuseUrn(textOf(value[field]), fault);
  collected.problems.push(refusalProblem(refusal, originIn(document, at), field));
  return undefined;
}

import type { ErrorObject } from "ajv";
import { refuseUrn } from "../facets/facet.ts";
import { facetsOf } from "../facets/index.ts";
import { findKind, kindOf, kinds } from "../kinds/index.ts";
import type { Kind } from "../kinds/kind.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject, textOf } from "../model/json.ts";
import type { Modes } from "../model/settings.ts";
import type { Problem } from "../model/problem.ts";
import type { FacetValue } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";
import { canBeUnset, type Findings } from "./declaration.ts";
import { facetValue, type FieldReading, type InlineEntity, readingOf } from "./facet-value.ts";
import { errorAt } from "./problem.ts";
import { refusalProblem } from "./refusal-problem.ts";
import { manifestCheck } from "./schema/schema-check.ts";
import { badFields, type Checked, fieldOf, schemaProblems } from "./schema/schema-problems.ts";
import { closest } from "../text/suggestion.ts";
import { originIn, type Place, placesIn, sourceAt, type Written } from "./yaml/written.ts";

/** Reads the manifests of one YAML document: a mapping, or a list of mappings. */
export function readManifests(written: Written, findings: Findings): void {
  const { root, rootPlace } = written;
  if (!isJsonList(root)) return readManifest(written, root, rootPlace.value, findings);
  const places = written.ofList.get(root) ?? [];
  root.forEach((item, index) =>
    readManifest(written, item, places[index]?.value ?? rootPlace.value, findings),
  );
}

function readManifest(written: Written, value: Json, at: number, findings: Findings): void {
  findings.documents++;
  if (!isJsonObject(value)) {
    findings.unreadable++;
    const found = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
    findings.problems.push(errorAt(originIn(written, at), "not-a-manifest", { found }));
    return;
  }
  const kind = kindOfManifest(written, value, at, findings);
  if (kind) readKind(kind, written, value, at, findings);
  else findings.unreadable++;
}

function kindOfManifest(
  written: Written,
  value: JsonObject,
  at: number,
  findings: Findings,
): Kind | undefined {
  const name = value["kind"];
  const kind = typeof name === "string" ? findKind(name) : undefined;
  if (kind) return kind;
  const place = placesIn(written, value).get("kind");
  findings.problems.push(
    place ? unknownKind(written, name, place) : missingKind(written, value, startOf(written, value, at)),
  );
  return undefined;
}

const kindNames = kinds.map(({ name }) => name);

function missingKind(written: Written, value: JsonObject, start: number): Problem {
  const near = Object.keys(value).find((key) => closest(key, ["kind"]));
  const at = near === undefined ? start : (placesIn(written, value).get(near)?.key ?? start);
  return errorAt(originIn(written, at), "missing-kind", {
    known: kindNames,
    ...(near !== undefined && { near, suggestion: "kind" }),
  });
}

function unknownKind(written: Written, name: Json | undefined, place: Place): Problem {
  if (name === null) {
    return errorAt(originIn(written, place.key), "null-value", { field: "kind", expected: "identity" });
  }
  const origin = originIn(written, place.value);
  const kind = typeof name === "string" ? name : sourceAt(written, place);
  const suggestion = closest(kind, kindNames) ?? closest(kind.replace(/s$/, ""), kindNames);
  return errorAt(origin, "unknown-kind", { kind, known: kindNames, suggestion });
}

function readKind(kind: Kind, written: Written, value: JsonObject, at: number, findings: Findings): void {
  const start = startOf(written, value, at);
  const unsettable = (field: string) => canBeUnset(kind, field);
  const checked: Checked = { written, value, start, what: kind.name, unsettable };
  const errors = manifestCheck(kind.name)(value);
  if (errors.length > 0) findings.problems.push(...schemaProblems(checked, errors));
  const urn = errors.some((error) => hidesIdentity(kind, error))
    ? undefined
    : identityOf(kind, checked, findings);
  if (urn === undefined) {
    findings.unreadable++;
    return;
  }
  const bad = badFields(errors);
  const reading = readingOf({ checked, urn, bad, problems: findings.problems });
  const entity = {
    urn,
    kind: kind.name,
    facets: facetValues(kind, reading),
    ...modesIn(reading),
    origin: originIn(written, start),
  };
  findings.declarations.push({ entity, references: reading.references, inline: false });
  for (const inline of reading.inline) declareInline(inline, written, findings);
}

// Its fields have been checked with those of the entity that lists it.
function declareInline(
  { kind: name, urn, value, start }: InlineEntity,
  written: Written,
  findings: Findings,
): void {
  const kind = kindOf(name);
  const unsettable = (field: string) => canBeUnset(kind, field);
  const checked: Checked = { written, value, start, what: kind.name, unsettable };
  const reading = readingOf({ checked, urn, bad: new Set(), problems: findings.problems });
  const entity = {
    urn,
    kind: kind.name,
    facets: facetValues(kind, reading),
    origin: originIn(written, start),
  };
  findings.declarations.push({ entity, references: reading.references, inline: true });
}

function facetValues(kind: Kind, reading: FieldReading): ReadonlyMap<string, FacetValue> {
  const values = new Map<string, FacetValue>();
  for (const facet of facetsOf(kind.name)) {
    const value = facetValue(facet, reading);
    if (value) values.set(facet.name, value);
  }
  return values;
}

function modesIn({ bad, checked }: FieldReading): { readonly manage?: Modes } {
  const { manage } = checked.value;
  return manage === undefined || bad.has("manage") ? {} : { manage: manage as Modes };
}

// At the top only what identifies is required.
function hidesIdentity(kind: Kind, error: ErrorObject): boolean {
  const field = fieldOf(error);
  if (field === "") return error.keyword === "required";
  return kind.fields[field] !== undefined;
}

function identityOf(kind: Kind, checked: Checked, findings: Findings): Urn | undefined {
  const { value, written, start } = checked;
  const result = kind.urnOf(value);
  if ("urn" in result) return result.urn;
  const { field, fault } = result;
  const at = placesIn(written, value).get(field)?.value ?? start;
  const { refusal } = refuseUrn(textOf(value[field]), fault);
  findings.problems.push(refusalProblem(refusal, originIn(written, at), field));
  return undefined;
}

/** Where the first key of a mapping stands. */
function startOf(written: Written, value: JsonObject, at: number): number {
  const [first] = placesIn(written, value).values();
  return first && first.key >= at ? first.key : at;
}

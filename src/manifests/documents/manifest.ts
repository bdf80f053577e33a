/**
 * Reads YAML documents as manifests: determines each kind, checks the schema, and collects declarations, rules, policies and
 * problems.
 */

import type { ErrorObject } from "ajv";
import { refuseUrn } from "../../facets/parsing.ts";
import { findKind, kindOf, kinds } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { appendTo } from "../../model/append.ts";
import { isJsonList, isJsonObject, type Json, textOf } from "../../model/json.ts";
import type { Origin } from "../../model/origin.ts";
import type { Problem } from "../../model/problem.ts";
import type { DeclaredReference } from "../../model/reference.ts";
import type { Urn } from "../../model/urn.ts";
import { hiddenCharacters } from "../checks/hidden-characters.ts";
import type { Collected } from "../base/collected.ts";
import { exemptionsIn, facetValues, modesIn, startOf } from "../values/declared-fields.ts";
import { type FieldReading, readingOf } from "../values/field-reading.ts";
import { errorAt, foundTypeOf, warningAt } from "../base/problem.ts";
import { refusalProblem } from "../values/refusal-problem.ts";
import { policyKind, waiverKind } from "../schema/policy-kinds.ts";
import { readPolicy, readWaiver } from "../policies/read-policy.ts";
import { readRule } from "../rules/read-rule.ts";
import { ruleKind } from "../schema/rule-schema.ts";
import { originAt, pathOf, type Root } from "../schema/schema-path.ts";
import { schemaErrors } from "../schema/schema-check.ts";
import { badFields, type Checked, schemaProblems } from "../schema/schema-problems.ts";
import { nearestSpelling } from "../../model/text/suggestion.ts";
import {
  elementsIn,
  originIn,
  type SourcePlace,
  placesIn,
  sourceAt,
  type ParsedDocument,
} from "../yaml/parsed-document.ts";
import type { YamlFile } from "../yaml/yaml-file.ts";
import type { Declaration } from "../../model/declaration.ts";

/** Reads the manifests in a file, which can come from any source, such as a commit, and collects the file's problems. */
export function readManifestFile({ documents, problems }: YamlFile, collected: Collected): void {
  appendTo(collected.problems, problems);
  collected.unreadable += problems.length;
  for (const document of documents) readManifests(document, collected);
}

/** Reads the manifests in one YAML document: a mapping, or a list of mappings. */
export function readManifests(document: ParsedDocument, collected: Collected): void {
  const { root: value, rootPlace: place } = document;
  appendTo(collected.problems, hiddenCharacters(document));
  for (const each of isJsonList(value) ? elementsIn(document, value) : [{ value, place }]) {
    collected.documents++;
    if (!isReadable(document, each.value, each.place.value, collected)) collected.unreadable++;
  }
}

/** Reads a manifest. Returns false if its declarations remain unknown because of errors. */
function isReadable(document: ParsedDocument, value: Json, at: number, collected: Collected): boolean {
  const { problems } = collected;
  if (!isJsonObject(value)) {
    problems.push(errorAt(originIn(document, at), "not-a-manifest", { found: foundTypeOf(value) }));
    return false;
  }
  const root = { document, value, start: startOf(document, value, at) };
  const name = value["kind"];
  if (name === ruleKind) return readRule(root, collected);
  if (name === policyKind) return readPolicy(root, collected);
  if (name === waiverKind) return readWaiver(root, collected);
  const kind = typeof name === "string" ? findKind(name) : undefined;
  if (kind) return readKind(kind, { ...root, what: kind.name, kind }, collected);
  const place = placesIn(document, value).get("kind");
  problems.push(place ? unknownKind(document, name, place) : missingKind(root));
  return false;
}

const kindNames = [...kinds.map(({ name }) => name), ruleKind, policyKind, waiverKind];

function missingKind(root: Root): Problem {
  const near = Object.keys(root.value).find((key) => nearestSpelling(key, ["kind"]));
  const origin = near === undefined ? originAt(root, []) : originAt(root, [near], true);
  return errorAt(origin, "missing-kind", { known: kindNames, near, suggestion: near && "kind" });
}

function unknownKind(document: ParsedDocument, name: Json | undefined, place: SourcePlace): Problem {
  if (name === null) {
    return errorAt(originIn(document, place.key), "null-value", { field: "kind", expected: "identity" });
  }
  const origin = originIn(document, place.value);
  const kind = typeof name === "string" ? name : sourceAt(document, place);
  const suggestion = nearestSpelling(kind, kindNames) ?? nearestSpelling(kind.replace(/s$/, ""), kindNames);
  return errorAt(origin, "unknown-kind", { kind, known: kindNames, suggestion });
}

function readKind(kind: Kind, checked: Checked, collected: Collected): boolean {
  const { document, value } = checked;
  const { problems } = collected;
  const errors = schemaErrors(kind.name, value);
  if (errors.length > 0) appendTo(problems, schemaProblems(checked, errors));
  const isHidden = errors.some((error) => concernsIdentity(kind, error));
  const urn = isHidden ? undefined : identityOf(kind, checked, problems);
  if (urn === undefined) return false;
  const reading = readingOf(checked, badFields(errors), problems);
  const origin = originOfName(kind, checked);
  collected.declare(declarationOf(urn, kind, reading, { inline: false, origin }));
  // The outer entity's schema check has already covered the fields of inline entities.
  for (const each of reading.inline) {
    const own = kindOf(each.kind);
    const inline = { document, value: each.value, start: each.start, what: own.name, kind: own };
    const fields = readingOf(inline, new Set(), problems);
    const place = { inline: true, origin: originIn(document, each.start) };
    collected.declare(declarationOf(each.urn, own, fields, place));
  }
  return true;
}

function declarationOf(
  urn: Urn,
  kind: Kind,
  reading: FieldReading,
  { inline, origin }: { readonly inline: boolean; readonly origin: Origin },
): Declaration {
  const facets = facetValues(kind, reading);
  const entity = { urn, kind: kind.name, facets, ...modesIn(kind, reading), origin };
  const references = referencesFrom(urn, reading);
  const exempt = kind.matchedBy && exemptionsIn(reading);
  const declaration = { entity, references, inline };
  return exempt && exempt.size > 0 ? { ...declaration, exempt } : declaration;
}

function referencesFrom(from: Urn, { references }: FieldReading): readonly DeclaredReference[] {
  // Copies each field by name, because there are many references and an object spread takes several times as long.
  return references.map(({ urn, entityType, facet, path, origin }) =>
    path === undefined
      ? { urn, entityType, from, facet, origin }
      : { urn, entityType, from, facet, path, origin },
  );
}

// Whether an error concerns an identity field. This includes missing fields at the top level, where only identity fields are
// required.
function concernsIdentity(kind: Kind, { instancePath, keyword }: ErrorObject): boolean {
  const [field] = pathOf(instancePath);
  return field === undefined ? keyword === "required" : kind.fields[field] !== undefined;
}

/**
 * Returns the position to show for a manifest. For an asset, this is the position of its name, because the name may be misspelled.
 * Otherwise, it is the start of the manifest.
 */
function originOfName({ namedBy = [] }: Kind, { document, value, start }: Checked): Origin {
  const places = placesIn(document, value);
  const [place] = namedBy.flatMap((field) => places.get(field) ?? []);
  return originIn(document, place?.key ?? start);
}

function identityOf(kind: Kind, checked: Checked, problems: Problem[]): Urn | undefined {
  const { value } = checked;
  const result = kind.urnOf(value);
  if ("fault" in result) {
    const { field, fault } = result;
    const { refusal } = refuseUrn(textOf(value[field]), fault);
    problems.push(refusalProblem(refusal, originAt(checked, [field]), field));
    return undefined;
  }
  const doubt = kind.doubtAbout?.(value);
  if (doubt) {
    const args = { ...doubt, text: textOf(value[doubt.field]) };
    problems.push(warningAt(originAt(checked, [doubt.field]), "looks-wrong", args));
  }
  return result.urn;
}

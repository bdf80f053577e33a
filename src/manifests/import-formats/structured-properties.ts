/** Converts structured property files, as used by `datahub properties upsert`, into manifests. */

import { type Json, type JsonObject, textOf } from "../../model/json.ts";
import { text, textOrNull } from "../../model/schema-parts.ts";
import { errorAt } from "../base/problem.ts";
import { addList, addMapping, type OpenDocument } from "../yaml/open-document.ts";
import { originIn, type PlacedValue } from "../yaml/parsed-document.ts";
import {
  addSet,
  elementsOf,
  hasSome,
  isFilled,
  isGiven,
  leaveOut,
  mappingsIn,
  placeOf,
  textIn,
} from "./field-values.ts";
import type { ImportFormat, Importing } from "./format.ts";

/** Fields that no manifest can declare. The schema therefore accepts any value for them. */
const leftOutFields: JsonObject = {
  immutable: {},
  type_qualifier: {},
  value_entity_types: {},
  structured_property_settings: {},
};

const schema: JsonObject = {
  type: "object",
  required: ["type"],
  properties: {
    id: { ...textOrNull, minLength: 1 },
    urn: { ...textOrNull, minLength: 1 },
    qualified_name: textOrNull,
    type: text,
    display_name: textOrNull,
    description: textOrNull,
    entity_types: { type: "array", items: text },
    cardinality: { enum: ["SINGLE", "MULTIPLE", null] },
    allowed_values: {
      type: ["array", "null"],
      items: {
        type: "object",
        required: ["value"],
        properties: { value: { type: ["string", "number"] }, description: textOrNull },
        additionalProperties: false,
      },
    },
    version: { type: ["string", "integer", "null"] },
    ...leftOutFields,
  },
  additionalProperties: false,
};

const valueTypes = ["string", "rich_text", "number", "date", "urn"];

/**
 * The import format for lists of structured properties
 * (metadata-ingestion/src/datahub/api/entities/structuredproperties/structuredproperties.py).
 */
export const structuredPropertiesFile: ImportFormat = {
  name: "StructuredPropertiesFile",
  noun: "structured property",
  isList: true,
  schema,
  matches: (entry) =>
    !hasSome(entry, ["kind", "prompts"]) &&
    (hasSome(entry, ["entity_types", "allowed_values", "qualified_name"]) || isValueType(entry["type"])),
  read: (importing, { value: fields, place }) => {
    const { document, problems } = importing;
    const urn = urnIn(document, fields);
    if (!urn) {
      const args = { field: "id", in: structuredPropertiesFile.noun };
      problems.push(errorAt(originIn(document, place.value), "missing-field", args));
      return [];
    }
    const id = urn.value.slice(prefix.length);
    checkName(importing, fields, id);
    for (const [field, value] of Object.entries(fields))
      if (Object.hasOwn(leftOutFields, field) && isFilled(value) && value !== false)
        leaveOut(importing, fields, field, `${field} of ${id}`);
    const manifest = addMapping(document, {
      kind: { value: "StructuredProperty", place },
      id: urn,
      version: versionIn(importing, fields),
      display_name: textIn(document, fields, "display_name"),
      description: textIn(document, fields, "description"),
      value_type: valueTypeIn(importing, fields),
      cardinality: textIn(document, fields, "cardinality"),
      allowed_values: allowedValuesIn(document, fields),
      entity_types: entityTypesIn(document, fields),
    });
    return [{ value: manifest, place }];
  },
};

/** Reports a qualified name that differs from the id. DataHub's client also rejects such a name. */
function checkName({ document, problems }: Importing, fields: JsonObject, id: string): void {
  const name = textIn(document, fields, "qualified_name");
  if (!name || name.value === id) return;
  const args = { field: "qualified_name", reason: `must be the same as the id, ${JSON.stringify(id)}` };
  problems.push(errorAt(originIn(document, name.place.value), "invalid-value", args));
}

const prefix = "urn:li:structuredProperty:";

function urnIn(document: OpenDocument, fields: JsonObject): PlacedValue<string> | undefined {
  const urn = textIn(document, fields, "urn");
  const id = textIn(document, fields, "id");
  return urn ?? (id && { value: prefix + id.value, place: id.place });
}

/** Returns the name of the value type. A file may contain the type in upper case or as a URN. */
function valueTypeIn({ document, problems }: Importing, fields: JsonObject): PlacedValue | undefined {
  const place = placeOf(document, fields, "type");
  if (!place) return undefined;
  const written = textOf(fields["type"]);
  const value = typeName(written);
  if (valueTypes.includes(value)) return { value, place };
  const args = { field: "type", value: written, allowed: valueTypes };
  problems.push(errorAt(originIn(document, place.value), "unknown-value", args));
  return undefined;
}

function typeName(written: string): string {
  return nameOf(written.startsWith("urn:li:") ? written : written.toLowerCase(), "dataType");
}

/** Whether a `type` is a value type. Entries in other formats can also have a `type`. */
function isValueType(written: Json | undefined): boolean {
  return typeof written === "string" && valueTypes.includes(typeName(written));
}

/** Returns the version if it has 14 digits. DataHub accepts no other versions (PropertyDefinitionValidator.java). */
function versionIn(importing: Importing, fields: JsonObject): PlacedValue | undefined {
  const [written, place] = [fields["version"], placeOf(importing.document, fields, "version")];
  if (!isGiven(written) || !place) return undefined;
  const value = typeof written === "number" ? `${written}` : textOf(written);
  if (/^\d{14}$/.test(value)) return { value, place };
  leaveOut(importing, fields, "version", `version ${JSON.stringify(written)}, which does not have 14 digits`);
  return undefined;
}

function allowedValuesIn(document: OpenDocument, fields: JsonObject): PlacedValue | undefined {
  const place = placeOf(document, fields, "allowed_values");
  if (!place || !isFilled(fields["allowed_values"])) return undefined;
  const values = mappingsIn(document, fields["allowed_values"]).map(({ value: allowed, place: at }) => {
    const valuePlace = placeOf(document, allowed, "value") ?? at;
    const value = { value: allowed["value"] as Json, place: { ...valuePlace, plain: false } };
    const described = { value, description: textIn(document, allowed, "description") };
    return { value: addMapping(document, described), place: at };
  });
  return { value: addList(document, values), place };
}

function entityTypesIn(document: OpenDocument, fields: JsonObject): PlacedValue | undefined {
  const place = placeOf(document, fields, "entity_types");
  if (!place) return undefined;
  const types = elementsOf(document, fields["entity_types"]).map((each) => ({
    ...each,
    value: nameOf(textOf(each.value), "entityType"),
  }));
  return { value: addSet(document, types), place };
}

/** Returns the short name of a DataHub type, such as `dataset` for `datahub.dataset` and `urn:li:entityType:datahub.dataset`. */
function nameOf(written: string, type: string): string {
  return written.replace(`urn:li:${type}:`, "").replace(/^datahub\./, "");
}

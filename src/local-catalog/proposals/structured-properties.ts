/** Checks the definitions, settings and values of structured properties, and omits values without a definition. */

import { canonicalJson, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { invalid } from "../errors.ts";
import { listAt, objectAt, objectsAt, stringAt, stringsAt } from "../json.ts";
import { entityTypeOfUrn, entityTypeNamed } from "../registry/entity-types.ts";
import { isOfType, isUrnText } from "../registry/entity-urn.ts";
import type { AspectStore } from "../store/aspect-store.ts";
import type { NewAspect } from "../store/aspect-write.ts";
import { isRemoved } from "../store/hidden-values.ts";

/** The start of the URN of every structured property. */
const prefix = "urn:li:structuredProperty:";

/** Options for checking property values. */
interface Checking {
  /** The properties that a patch adds. The values for other properties are not checked. */
  readonly added?: ReadonlySet<string> | undefined;
  /** The doubles that the client wrote as integers. They do not match any allowed value. */
  readonly integersAsDoubles?: ReadonlySet<number> | undefined;
}

/**
 * Checks an aspect, and returns the value that DataHub stores. A definition may change only in ways that keep existing values
 * valid, and values must match their definitions (PropertyDefinitionValidator.java, StructuredPropertiesValidator.java). Omits
 * values without a definition if other values remain. A hidden property cannot also be displayed elsewhere, and at most one
 * property can be a badge (HidePropertyValidator.java, ShowPropertyAsBadgeValidator.java). As in DataHub, does not check whether
 * a definition allows the entity type. For a patch, checks only the values of the `added` properties.
 * @throws RequestError with DataHub's message for the first violation.
 */
export function checkedProperties(
  { urn, aspect, value }: NewAspect,
  store: AspectStore,
  how: Checking,
): JsonObject {
  if (aspect === "propertyDefinition") checkDefinition(urn, value, store);
  if (aspect === "structuredPropertySettings") checkSettings(urn, value, store);
  return aspect === "structuredProperties" ? checkedValues(urn, value, how, store) : value;
}

/**
 * Returns the properties for which a patch adds a complete entry, including all values
 * (StructuredPropertiesValidator.extractPatchAddAssignments).
 */
export function propertiesAddedBy(sent: JsonObject): ReadonlySet<string> {
  const added = objectsAt(sent, "patch").flatMap(({ op, path, value }) => {
    if (op !== "add" || typeof path !== "string" || !path.startsWith("/properties")) return [];
    const urn = isJsonObject(value) ? value["propertyUrn"] : undefined;
    return typeof urn === "string" ? [urn] : [];
  });
  return new Set(added);
}

function checkDefinition(urn: string, definition: JsonObject, store: AspectStore): void {
  const name = stringAt(definition, "qualifiedName") ?? "";
  const version = stringAt(definition, "version");
  if (isRemoved(urn, store)) throw invalid("Cannot mutate a soft deleted Structured Property Definition");
  if (version !== null && !/^\d{14}$/.test(version))
    throw invalid("Invalid version specified. Must match [0-9]{14}");
  if (urn.includes(" ")) throw invalid("Urn ID cannot have spaces");
  if (name.includes(" ")) throw invalid("Qualified names cannot have spaces");
  const types = stringsAt(objectAt(definition, "typeQualifier"), "allowedTypes");
  const list = `List of allowedTypes: [${types.join(", ")}]`;
  if (!types.every((type) => isOfType(type, "entityType")))
    throw invalid(`Provided allowedType that is not an entityType entity. ${list}`);
  if (!types.every((type) => entityTypeNamed(typeId(type))))
    throw invalid(`Provided allowedType that does not exist. ${list}`);
  const before = store.storedValue(urn, "propertyDefinition");
  if (before) checkChange(definition, before);
  else refuseCollision(definition, store);
}

function checkChange(definition: JsonObject, before: JsonObject): void {
  if (stringAt(definition, "qualifiedName") !== stringAt(before, "qualifiedName"))
    throw invalid("Cannot change the fully qualified name of a Structured Property");
  const version = stringAt(definition, "version");
  if (version !== null && version > (stringAt(before, "version") ?? "")) return;
  if (definition["valueType"] !== before["valueType"])
    throw invalid("Value type cannot be changed as this is a backwards incompatible change");
  if (isSingle(definition) && !isSingle(before))
    throw invalid("Property definition cardinality cannot be changed from MULTI to SINGLE");
  const allowed = allowedValues(definition);
  const allowedBefore = allowedValues(before);
  if (allowed && !(allowedBefore && [...allowedBefore].every((value) => allowed.has(value))))
    throw invalid("Cannot restrict values that were previously allowed");
}

/**
 * Rejects a definition if a different definition uses the same search index field. The index keeps the fields of deleted
 * definitions.
 */
function refuseCollision(definition: JsonObject, store: AspectStore): void {
  const field = indexField(definition);
  const others = [...store.deletedDefinitions()];
  store.eachLatestUnder(prefix, "propertyDefinition", (_urn, _aspect, value) => others.push(value));
  // The index contains only definitions that have entity types.
  if (others.some((other) => stringsAt(other, "entityTypes").length > 0 && indexField(other) === field))
    throw invalid(
      `Structured property Elasticsearch field '${field}' collides with existing property mapping. Qualified names that ` +
        `differ only by '.' vs '_' normalize to the same field name (proposed qualifiedName='${stringAt(definition, "qualifiedName")}').`,
    );
}

/** Returns the search index field that contains a property's values (StructuredPropertyUtils.toElasticsearchFieldName). */
function indexField(definition: JsonObject): string {
  const name = (stringAt(definition, "qualifiedName") ?? "").replaceAll(".", "_");
  const version = stringAt(definition, "version");
  const type = typeId(stringAt(definition, "valueType") ?? "");
  return version === null ? name : `_versioned.${name}.${version}.${type}`;
}

const shown = ["showInSearchFilters", "showInAssetSummary", "showAsAssetBadge", "showInColumnsTable"];

function checkSettings(urn: string, settings: JsonObject, store: AspectStore): void {
  if (settings["isHidden"] === true && shown.some((field) => settings[field] === true))
    throw invalid(
      "Cannot have property isHidden = true while other display location settings are also true.",
    );
  if (settings["showAsAssetBadge"] !== true) return;
  const badges: string[] = [];
  store.eachLatestUnder(prefix, "structuredPropertySettings", (other, _aspect, value) => {
    if (other !== urn && value["showAsAssetBadge"] === true) badges.push(other);
  });
  if (badges.length > 0)
    throw invalid(
      `Cannot have more than one property set with show as badge. Property urns currently set: [${badges.join(", ")}]`,
    );
}

function checkedValues(
  entity: string,
  value: JsonObject,
  { added, integersAsDoubles = new Set() }: Checking,
  store: AspectStore,
): JsonObject {
  const assignments = objectsAt(value, "properties");
  const isChecked = (urn: string): boolean => added?.has(urn) ?? true;
  const urns = assignments.map(propertyOf);
  for (const [index, urn] of urns.entries()) {
    if (urns.indexOf(urn) !== index) throw invalid(`Property: ${urn} has multiple entries`);
    if (!isOfType(urn, "structuredProperty"))
      throw invalid(
        `Unexpected entity type. Expected: structuredProperty Found: ${entityTypeOfUrn(urn)?.name ?? urn}`,
      );
    if (isChecked(urn) && isRemoved(urn, store))
      throw invalid("Cannot apply a soft deleted Structured Property value");
  }
  const definitions = new Map(urns.map((urn) => [urn, store.valueAt(urn, "propertyDefinition", 0)] as const));
  const defined = assignments.filter((assignment) => definitions.get(propertyOf(assignment)));
  if (defined.length === 0 && urns[0] !== undefined)
    throw invalid(
      `Structured properties write rejected for ${entity}: no valid property assignments remain after removing values for ` +
        `non-existent properties: [${urns.join(", ")}]`,
    );
  for (const assignment of defined) {
    const urn = propertyOf(assignment);
    if (isChecked(urn))
      checkAssignment(urn, listAt(assignment, "values"), definitions.get(urn) ?? {}, integersAsDoubles);
  }
  checkImmutable(entity, defined, store);
  return { ...value, properties: defined };
}

function checkAssignment(
  urn: string,
  values: readonly Json[],
  definition: JsonObject,
  integersAsDoubles: ReadonlySet<number>,
): void {
  if (isSingle(definition) && values.length > 1)
    throw invalid(
      `Property: ${urn} has cardinality 1, but multiple values were assigned: ${JSON.stringify(values)}`,
    );
  const allowed = allowedValues(definition);
  for (const value of values) {
    const expected = typeFault(value, definition);
    if (expected !== undefined)
      throw invalid(`Property: ${urn}, value: ${JSON.stringify(value)} ${expected}`);
    const bytes = Buffer.byteLength((isJsonObject(value) && stringAt(value, "string")) || "");
    if (bytes > maxBytes)
      throw invalid(
        `Property: ${urn}, value is ${bytes} bytes which exceeds the maximum of ${maxBytes} UTF-8 bytes for structured property ` +
          "values indexed as Elasticsearch keywords (structuredProperties.keywordMaxLength)",
      );
    const number = isJsonObject(value) ? value["double"] : undefined;
    const isIntegerText = typeof number === "number" && integersAsDoubles.has(number);
    if (allowed && (isIntegerText || !allowed.has(canonicalJson(value))))
      throw invalid(
        `Property: ${urn}, value: ${JSON.stringify(value)} should be one of [${[...allowed].join(", ")}]`,
      );
  }
}

/** Maximum size of a keyword in the search index, in bytes. */
const maxBytes = 32_766;

/**
 * Returns the reason why a value such as `{ "string": … }` or `{ "double": … }` does not have the definition's type, or undefined
 * if it does.
 */
function typeFault(value: Json, definition: JsonObject): string | undefined {
  const part = isJsonObject(value) ? value : {};
  const text = stringAt(part, "string");
  const type = typeId(stringAt(definition, "valueType") ?? "");
  if (type === "number") {
    const isNumber = typeof part["double"] === "number" || (text ?? "").trim() !== "";
    return isNumber && !Number.isNaN(Number(part["double"] ?? text)) ? undefined : "should be a number";
  }
  if (text === null) return "should be a string";
  if (type === "date" && !isDate(text)) return "should be a date with format YYYY-MM-DD";
  if (type !== "urn") return undefined;
  if (!isUrnText(text)) return "should be an urn";
  const allowed = stringsAt(objectAt(definition, "typeQualifier"), "allowedTypes");
  const isAllowed = allowed.length === 0 || allowed.some((each) => isOfType(text, typeId(each)));
  return isAllowed ? undefined : `is not of any supported urn types:[${allowed.join(", ")}]`;
}

function isDate(text: string): boolean {
  const time = /^[1-9]\d{3}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function checkImmutable(entity: string, assignments: readonly JsonObject[], store: AspectStore): void {
  for (const earlier of objectsAt(store.storedValue(entity, "structuredProperties"), "properties")) {
    const urn = propertyOf(earlier);
    if (store.valueAt(urn, "propertyDefinition", 0)?.["immutable"] !== true) continue;
    const assignment = assignments.find((each) => propertyOf(each) === urn);
    if (!assignment) throw invalid(`Cannot delete an immutable property ${urn}`);
    if (canonicalJson(assignment) !== canonicalJson(earlier))
      throw invalid(`Cannot mutate an immutable property: ${urn}`);
  }
}

function propertyOf(assignment: JsonObject): string {
  return stringAt(assignment, "propertyUrn") ?? "";
}

function isSingle(definition: JsonObject): boolean {
  return (stringAt(definition, "cardinality") ?? "SINGLE") === "SINGLE";
}

function allowedValues(definition: JsonObject): ReadonlySet<string> | undefined {
  if (definition["allowedValues"] === undefined) return undefined;
  return new Set(objectsAt(definition, "allowedValues").map(({ value }) => canonicalJson(value ?? null)));
}

/** Returns the last part of a type's URN, such as `number` for `urn:li:dataType:datahub.number`. */
function typeId(urn: string): string {
  return urn.slice(urn.lastIndexOf(".") + 1);
}

/** Writes the rows of the tables of fields, from their schemas. */

import { stringify } from "yaml";
import { isJsonList, isJsonObject, type Json, type JsonObject, textOf } from "../../src/model/json.ts";
import { modes } from "../../src/model/settings.ts";

/** The head of a table of fields. */
export const fieldsHead = "| field | what it means | example |\n| --- | --- | --- |";

/** The mark of a required field. */
const required = " (required)";

/** A field, with its path and the mark of a required one. */
export type Field = readonly [path: string, schema: JsonObject, need: string];

/** The fields of a schema of a mapping. */
export function fieldsIn({ properties }: JsonObject): readonly (readonly [string, JsonObject])[] {
  return Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([name, schema]) =>
    isJsonObject(schema) ? [[name, schema] as const] : [],
  );
}

/** The fields of a mapping, with the marks of those that it requires. */
export function markedFieldsIn(schema: JsonObject, path = ""): readonly Field[] {
  const { required: names } = schema;
  const needed = isJsonList(names) ? names : [];
  return fieldsIn(schema).map(([key, field]) => [
    `${path}${key}`,
    field,
    needed.includes(key) ? required : "",
  ]);
}

/** A field and the fields in it, two levels deep, except the fields at paths that are left out. */
export function withNested(
  field: Field,
  isLeftOut = (_: string): boolean => false,
  depth = 2,
): readonly Field[] {
  const [path, schema] = field;
  const nested = depth === 0 ? [] : nestedOf(path, schema);
  return [
    field,
    ...nested
      .filter(([below]) => !isLeftOut(below))
      .flatMap((below) => withNested(below, isLeftOut, depth - 1)),
  ];
}

/** The row of a field: its path, its meaning with values and default, and an example. */
export function rowOf([path, schema, need]: Field): string {
  return `| \`${path}\`${need} | ${meaningOf(schema)} | ${exampleText(path, schema)} |`;
}

/** The meaning of a field in a table, with its values and its default. */
export function meaningOf(schema: JsonObject): string {
  return `${textOf(schema["description"])}${valuesOf(schema)}${defaultOf(schema)}`;
}

/** The fields of a mapping, of those in a list, or of those by name. A mapping of modes says all in its own row. */
function nestedOf(path: string, schema: JsonObject): readonly Field[] {
  const { items, additionalProperties: entries, then, else: otherwise } = schema;
  const mapping = [otherwise, then].find((each) => isJsonObject(each) && isJsonObject(each["properties"]));
  if (isJsonObject(mapping)) return isOfModes(mapping) ? [] : markedFieldsIn(mapping, `${path}.`);
  if (isJsonObject(items))
    return markedFieldsIn(isJsonObject(items["then"]) ? items["then"] : items, `${path}[].`);
  if (isJsonObject(entries)) return markedFieldsIn(entries, `${path}.NAME.`);
  return markedFieldsIn(schema, `${path}.`);
}

function isOfModes(schema: JsonObject): boolean {
  const fields = fieldsIn(schema);
  return fields.length > 0 && fields.every(([, each]) => each["enum"] === modes);
}

/** The values of a field or of a list, unless its description or its default has them. */
function valuesOf(schema: JsonObject): string {
  const { items, description, default: usual } = schema;
  const values = schema["enum"] ?? (isJsonObject(items) ? items["enum"] : undefined);
  if (!isJsonList(values) || values.length > maxValues) return "";
  const known = `${textOf(description)} ${JSON.stringify(usual ?? "")}`;
  if (values.every((value) => known.includes(inYaml(value)))) return "";
  return ` Possible values: ${values.map((value) => `\`${inYaml(value)}\``).join(", ")}.`;
}

/** More values than any list of words has: these are the names of fields. */
const maxValues = 25;

function defaultOf({ default: usual }: JsonObject): string {
  return usual === undefined ? "" : ` Default: \`${inYaml(usual)}\`.`;
}

/** A longer example is only in the manifest below the table. */
const maxExample = 180;

/** The first example of a field, as a line of a manifest. */
export function exampleText(path: string, schema: JsonObject): string {
  const [example] = examplesOf(schema);
  if (example === undefined) return "";
  const key = path.split(".").at(-1) ?? "";
  const line = inYaml({ [key]: example }).replace(/^\{ (.*) \}$/s, "$1");
  return line.length > maxExample ? "below" : `\`${line}\``;
}

function inYaml(value: Json): string {
  return stringify(value, { collectionStyle: "flow", lineWidth: 0, aliasDuplicateObjects: false })
    .trim()
    .replaceAll("[ ", "[")
    .replaceAll(" ]", "]");
}

/** The examples of a field. */
export function examplesOf({ examples }: JsonObject): readonly Json[] {
  return isJsonList(examples) ? examples : [];
}

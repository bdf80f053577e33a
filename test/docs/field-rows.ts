import { stringify } from "yaml";
import { isJsonList, isJsonObject, type Json, type JsonObject, textOf } from "../../src/model/json.ts";
import { modes } from "../../src/model/settings.ts";

/** The head of the table of fields. */
export const fieldsHead = "| field | type | meaning |\n| --- | --- | --- |";

/** What is said of a field that must be there. */
export const required = " (required)";

/** The fields of a schema of a mapping. */
export function fieldsIn({ properties }: JsonObject): readonly (readonly [string, JsonObject])[] {
  return Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([name, schema]) =>
    isJsonObject(schema) ? [[name, schema] as const] : [],
  );
}

/** The rows of a field and of those in it, two levels deep: name, type, and meaning with examples. */
export function rowsOf(name: string, schema: JsonObject, need: string, depth = 2): readonly string[] {
  const own = [
    `| \`${name}\`${need}`,
    typeOf(schema),
    `${textOf(schema["description"])}${defaultOf(schema)}${examplesText(name, schema)} |`,
  ].join(" | ");
  const nested = depth === 0 ? [] : nestedOf(name, schema);
  return [own, ...nested.flatMap(([path, each, needed]) => rowsOf(path, each, needed, depth - 1))];
}

type Nested = readonly [path: string, schema: JsonObject, need: string];

/** The fields of a mapping, of those in a list, or of those by name. A mapping of modes says all in its own row. */
function nestedOf(name: string, schema: JsonObject): readonly Nested[] {
  const { items, additionalProperties: entries, else: single } = schema;
  if (isJsonObject(single)) return isOfModes(single) ? [] : propertiesOf(name, single);
  if (isJsonObject(items))
    return propertiesOf(`${name}[]`, isJsonObject(items["then"]) ? items["then"] : items);
  if (isJsonObject(entries)) return propertiesOf(`${name}.NAME`, entries);
  return isOfModes(schema) ? [] : propertiesOf(name, schema);
}

function propertiesOf(path: string, { properties, required: names }: JsonObject): readonly Nested[] {
  const needed = isJsonList(names) ? names : [];
  return Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([key, schema]) =>
    isJsonObject(schema) ? [[`${path}.${key}`, schema, needed.includes(key) ? required : ""] as const] : [],
  );
}

const typeNames: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  boolean: "`true` or `false`",
  object: "mapping",
};

function typeOf(schema: JsonObject): string {
  const { type, enum: values, const: only, items, then, else: single } = schema;
  if (isJsonObject(then) && isJsonObject(single))
    return then["items"] === undefined
      ? `${typeOf(then)}, or ${typeOf(single)}`
      : `${typeOf(single)} or list of ${elementOf(then["items"])}`;
  if (only !== undefined) return `\`${inYaml(only)}\``;
  if (isJsonList(values)) return values.map((value) => `\`${inYaml(value)}\``).join(", ");
  if (type === "array") return `list of ${elementOf(items)}`;
  if (isOfModes(schema)) return modesOf(schema);
  return namesOf(type).join(" or ");
}

function namesOf(type: Json | undefined): readonly string[] {
  return (isJsonList(type) ? type : [type]).map((each) => typeNames[textOf(each)] ?? textOf(each));
}

function elementOf(items: Json | undefined): string {
  if (!isJsonObject(items)) return "values";
  if (items["then"] !== undefined) return "texts or mappings";
  if (isJsonList(items["type"]))
    return namesOf(items["type"])
      .map((name) => (name.endsWith("`") ? name : `${name}s`))
      .join(" or ");
  return items["enum"] === undefined ? `${typeOf(items)}s` : typeOf(items);
}

function isOfModes({ properties }: JsonObject): boolean {
  const entries = isJsonObject(properties) ? Object.values(properties) : [];
  return entries.length > 0 && entries.every((each) => isJsonObject(each) && each["enum"] === modes);
}

function modesOf({ properties }: JsonObject): string {
  const keys = Object.keys(isJsonObject(properties) ? properties : {});
  return `mapping with the keys ${keys.map((key) => `\`${key}\``).join(", ")}`;
}

function defaultOf({ default: usual }: JsonObject): string {
  return usual === undefined ? "" : ` Default: \`${inYaml(usual)}\`.`;
}

function examplesText(name: string, schema: JsonObject): string {
  if (schema["const"] !== undefined) return "";
  const key = name.split(".").at(-1) ?? "";
  // Some fields have an example for each value that editors complete.
  return ` Example: ${examplesOf(schema)
    .slice(0, 4)
    .map((example) => `\`${inOneLine(key, example)}\``)
    .join(", ")}`;
}

function inOneLine(key: string, value: Json): string {
  return inYaml({ [key]: value }).replace(/^\{ (.*) \}$/s, "$1");
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

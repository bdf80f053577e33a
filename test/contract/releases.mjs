/**
 * Says what two releases of DataHub have of what this program uses, as two files to compare by eye, and prints what differs:
 *
 *     npm run releases                  the releases that are recorded, each with the one before
 *     npm run releases -- OLD NEW       two releases
 *     npm run releases -- --write NAME SCHEMA,RECORDS
 *
 * A release is the name of a record (`v1.7.0`, in test/contract/releases), or `SCHEMA` or `SCHEMA,RECORDS`. `SCHEMA` is a file with
 * its GraphQL schema (SDL, or the JSON of an introspection), `RECORDS` the folder `datahub/metadata/schemas` of the Python
 * package `acryl-datahub` of the same release; without it the records are not compared. `--write` keeps the record of a release;
 * without `RECORDS` what it has of them stays.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  buildClientSchema,
  buildSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from "graphql";
import { recordLines } from "./registry.mjs";

const folder = fileURLToPath(new URL("releases/", import.meta.url));
const output = fileURLToPath(new URL("../../node_modules/.cache/releases/", import.meta.url));

/** What is used of DataHub and a release does not have. */
const absent = "absent";

const byText = (a, b) => (a < b ? -1 : 1);

/** The part of a record about a GraphQL schema, one line for each field that is used. */
export function schemaLines({ fields, inputs, enums }, schema) {
  return [
    "## GraphQL",
    "",
    ...fields.map((field) => fieldLine(field, schema)),
    "",
    "### Inputs",
    "",
    ...inputLines(inputs, schema),
    "",
    "### Enums",
    "",
    ...enums.map((name) => enumLine(name, schema)),
  ];
}

function fieldLine(text, schema) {
  const [, typeName, name, list = ""] = /^(\w+)\.(\w+)(?:\((.*)\))?$/.exec(text);
  const type = schema.getType(typeName);
  const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
  if (!field) return `${typeName}.${name}: ${absent}`;
  const sent = list === "" ? [] : list.split(", ");
  const args = field.args
    .filter((each) => sent.includes(each.name) || isRequiredArgument(each))
    .map((each) => `${each.name}: ${String(each.type)}`);
  const missing = sent.filter((each) => !field.args.some((known) => known.name === each));
  const all = [...args, ...missing.map((each) => `${each}: ${absent}`)].toSorted(byText);
  return `${typeName}.${name}${all.length > 0 ? `(${all.join(", ")})` : ""}: ${String(field.type)}`;
}

// What a release requires is listed even if it is not used: what is sent lacks it then.
function inputLines(inputs, schema) {
  const names = [...new Set(inputs.map((input) => input.split(".")[0]))];
  return names.flatMap((name) => {
    const type = schema.getType(name);
    const used = inputs.filter((input) => input.startsWith(`${name}.`)).map((input) => input.split(".")[1]);
    if (!isInputObjectType(type)) return used.map((field) => `${name}.${field}: ${absent}`);
    const fields = type.getFields();
    const required = Object.values(fields)
      .filter(isRequiredInputField)
      .map((field) => field.name);
    return [...new Set([...used, ...required])]
      .toSorted(byText)
      .map((field) => `${name}.${field}: ${String(fields[field]?.type ?? absent)}`);
  });
}

function enumLine(name, schema) {
  const type = schema.getType(name);
  if (!isEnumType(type)) return `${name}: ${absent}`;
  const values = type.getValues().map((value) => value.name);
  return `${name} = ${values.toSorted().join(" ")}`;
}

/** The part of a record about entity types, aspects and the records that they are made of, by the Avro schemas of a release. */
export function aspectLines({ aspects }, schemas) {
  const keys = new Map(
    schemas.flatMap(({ Aspect }) => (Aspect?.keyForEntity ? [[Aspect.keyForEntity, Aspect]] : [])),
  );
  const types = Object.entries(aspects).map(([type, names]) => {
    const key = keys.get(type);
    return names
      .map((name) => `${type}.${name}: ${key?.entityAspects.includes(name) ? "there" : absent}`)
      .join("\n");
  });
  return ["## Aspects", "", ...types, "", "## Records", "", ...fieldsOfRecords(aspects, schemas)];
}

function fieldsOfRecords(aspects, schemas) {
  const names = new Set(Object.values(aspects).flat());
  const own = schemas.filter(({ Aspect }) => Aspect && names.has(Aspect.name));
  return recordLines(own)
    .toSorted(byText)
    .flatMap((line) => {
      const [name, ...parts] = line.split(" ");
      return parts[0] === "=" ? [line] : parts.map((part) => `${name}.${part.replace(":", ": ")}`);
    });
}

/** The record of a release. */
export function recordOf(name, spoken, schema, schemas) {
  const records = schemas ? ["", ...aspectLines(spoken, schemas)] : [];
  return `${[`# DataHub ${name}, as far as this program uses it`, "", ...schemaLines(spoken, schema), ...records].join("\n")}\n`;
}

/** What differs between two records: the lines that are only in one of them. */
export function differences(before, after) {
  const [old, now] = [before, after].map((text) => text.split("\n").filter((line) => !line.startsWith("#")));
  const [inOld, inNow] = [new Set(old), new Set(now)];
  return {
    removed: old.filter((line) => !inNow.has(line)),
    added: now.filter((line) => !inOld.has(line)),
  };
}

function withoutRecords(text) {
  return `${text.split("\n\n## Aspects\n")[0].trimEnd()}\n`;
}

function readSpoken() {
  return JSON.parse(readFileSync(join(folder, "spoken.json"), "utf8"));
}

function readSchema(file) {
  const text = readFileSync(file, "utf8");
  if (!text.trimStart().startsWith("{")) return buildSchema(text);
  const result = JSON.parse(text);
  return buildClientSchema(result.data ?? result);
}

function readAvro(path) {
  const files = readdirSync(path).filter((name) => name.endsWith(".avsc"));
  return files.toSorted().map((name) => JSON.parse(readFileSync(join(path, name), "utf8")));
}

/** The record of what a command line names. */
function read(text) {
  const kept = join(folder, `${text}.txt`);
  if (existsSync(kept)) return { name: text, record: readFileSync(kept, "utf8") };
  return { name: basename(text.split(",")[0]).replace(/\.\w+$/, ""), record: made(text) };
}

function made(text, name = basename(text.split(",")[0]).replace(/\.\w+$/, "")) {
  const [schema, records] = text.split(",");
  if (!existsSync(schema)) throw new Error(`${schema}: neither a recorded release nor a file`);
  return recordOf(name, readSpoken(), readSchema(schema), records && readAvro(records));
}

/** A record with the part about GraphQL made again. The records are kept; of an aspect that is used since it says that it is not known. */
export function renewed(record, name, spoken, schema) {
  const anew = recordOf(name, spoken, schema);
  const [, kept] = record.split("\n## Aspects\n");
  if (kept === undefined) return anew;
  const [listed, records] = kept.split("\n\n## Records\n");
  const known = new Map(listed.split("\n").map((line) => [line.replace(/: \w+$/, ""), line]));
  const lines = Object.entries(spoken.aspects).flatMap(([type, aspects]) =>
    aspects.map((aspect) => known.get(`${type}.${aspect}`) ?? `${type}.${aspect}: unknown`),
  );
  return `${anew}\n## Aspects\n\n${lines.join("\n")}\n\n## Records\n${records}`;
}

function write(name, text) {
  const file = join(folder, `${name}.txt`);
  const [schema, records] = text.split(",");
  const isRenewed = existsSync(file) && records === undefined;
  writeFileSync(
    file,
    isRenewed
      ? renewed(readFileSync(file, "utf8"), name, readSpoken(), readSchema(schema))
      : made(text, name),
  );
}

function compare(old, now) {
  const hasRecords = [old, now].every(({ record }) => record.includes("\n## Aspects\n"));
  const [before, after] = [old, now].map(({ record }) => (hasRecords ? record : withoutRecords(record)));
  mkdirSync(output, { recursive: true });
  const [oldFile, newFile] = [`1-${old.name}.txt`, `2-${now.name}.txt`].map((name) => join(output, name));
  writeFileSync(oldFile, before);
  writeFileSync(newFile, after);
  const { removed, added } = differences(before, after);
  const lines = [
    `${old.name} → ${now.name}: ${removed.length} lines only in the old one, ${added.length} only in the new one`,
    ...(hasRecords ? [] : ["(aspects and records are not compared: one of them has none)"]),
    ...removed.map((line) => `- ${line}`),
    ...added.map((line) => `+ ${line}`),
    "",
    `git diff --no-index ${oldFile} ${newFile}`,
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}

function main([first, second, third]) {
  if (first === "--write") write(second, third);
  else if (first === undefined) {
    const names = readdirSync(folder)
      .filter((name) => name.endsWith(".txt"))
      .map((name) => name.replace(/\.txt$/, ""))
      .toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }));
    for (const [index, name] of names.slice(1).entries()) compare(read(names[index]), read(name));
  } else if (second === undefined)
    throw new Error("Usage: npm run releases -- OLD NEW, each a recorded release or a file with a schema");
  else compare(read(first), read(second));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    main(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 64;
  }
}

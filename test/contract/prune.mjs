/**
 * Makes `test/contract/datahub-<release>.graphql`: of each release's GraphQL schema the part that
 * `schemas/catalog.graphql` names, with that release's own types, arguments, input fields and enum values.
 * Run by hand when the catalog's schema grows, with a folder of introspection results named `<release>.json`:
 *
 *     node test/contract/prune.mjs path/to/introspection
 *
 * The output is sorted, so the same input gives the same bytes.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  buildClientSchema,
  buildSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isSpecifiedScalarType,
  isUnionType,
} from "graphql";

const here = fileURLToPath(new URL(".", import.meta.url));

/** The types of `full` that `part` names, cut down to the members that `part` names. */
export function pruneSchema(full, part) {
  const kept = new Map();
  const wanted = Object.values(part.getTypeMap()).filter((type) => !isBuiltIn(type));
  const served = new Set(wanted.map((type) => type.name));
  for (const type of wanted) {
    const own = full.getType(type.name);
    if (own) kept.set(type.name, printType(own, type, served));
  }
  return `${[...kept.keys()]
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((name) => kept.get(name))
    .join("\n\n")}\n`;
}

function printType(own, wanted, served) {
  if (isEnumType(own))
    return block(
      `enum ${own.name}`,
      own
        .getValues()
        .map((value) => value.name)
        .toSorted(),
    );
  if (isUnionType(own)) return `union ${own.name} = ${memberNames(own, served).join(" | ")}`;
  if (isInputObjectType(own)) {
    const names = wanted.getFields();
    const fields = Object.values(own.getFields()).filter(
      (field) => field.name in names || isRequiredInputField(field),
    );
    return block(`input ${own.name}`, fields.map(printInput).toSorted());
  }
  if (isObjectType(own) || isInterfaceType(own)) return printFields(own, wanted, served);
  return `scalar ${own.name}`;
}

function printFields(own, wanted, served) {
  const interfaces = own
    .getInterfaces()
    .map((type) => type.name)
    .filter((name) => served.has(name));
  const names = wanted.getFields();
  const fields = Object.values(own.getFields())
    .filter((field) => field.name in names)
    .map((field) => printField(field, names[field.name]));
  const kind = isInterfaceType(own) ? "interface" : "type";
  const suffix = interfaces.length > 0 ? ` implements ${interfaces.toSorted().join(" & ")}` : "";
  return block(`${kind} ${own.name}${suffix}`, fields.toSorted());
}

function printField(field, wanted) {
  const names = new Set(wanted.args.map((argument) => argument.name));
  const args = field.args
    .filter((argument) => names.has(argument.name) || isRequiredArgument(argument))
    .map(printInput)
    .toSorted();
  return `${field.name}${args.length > 0 ? `(${args.join(", ")})` : ""}: ${field.type}`;
}

function printInput(input) {
  return `${input.name}: ${input.type}`;
}

function memberNames(union, served) {
  return union
    .getTypes()
    .map((type) => type.name)
    .filter((name) => served.has(name))
    .toSorted();
}

function block(head, lines) {
  return `${head} {\n${lines.map((line) => `  ${line}`).join("\n")}\n}`;
}

function isBuiltIn(type) {
  return type.name.startsWith("__") || isSpecifiedScalarType(getNamedType(type));
}

function main(folder) {
  const part = buildSchema(readFileSync(join(here, "../../schemas/catalog.graphql"), "utf8"));
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
    const result = JSON.parse(readFileSync(join(folder, file), "utf8"));
    const text = pruneSchema(buildClientSchema(result.data ?? result), part);
    buildSchema(text);
    writeFileSync(join(here, `datahub-${basename(file, ".json")}.graphql`), text);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2];
  if (folder === undefined) throw new Error("Usage: node test/contract/prune.mjs <folder of introspection>");
  main(folder);
}

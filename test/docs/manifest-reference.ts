import { assetKinds, isDefinitionKind, kinds } from "../../src/kinds/index.ts";
import type { Kind } from "../../src/kinds/kind.ts";
import { manifestText } from "../../src/manifests/edit/format/manifest-text.ts";
import { ruleKind, ruleSchemaOf } from "../../src/manifests/schema/rule-schema.ts";
import { policyKind, waiverKind } from "../../src/manifests/schema/policy-kinds.ts";
import { policySchemaOf } from "../../src/manifests/schema/policy-schema.ts";
import { waiverSchema } from "../../src/manifests/schema/waiver-schema.ts";
import { schemaOf } from "../../src/manifests/schema/schema.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../src/model/json.ts";
import { examplesOf, fieldsHead, fieldsIn, required, rowsOf } from "./field-rows.ts";

/** The reference of every kind and of rules, as Markdown: their fields, and a manifest with all of them. */
export function manifestReference(): string {
  return [
    ...kinds.map(sectionOf),
    ...assetKinds.slice(0, 1).flatMap((kind) => [rulesSection(kind), policiesSection(kind)]),
    waiversSection(),
  ].join("\n");
}

/** Rules as those for the first kind of asset: it has every key. */
function rulesSection(kind: Kind): string {
  const about = "It is nothing in the catalog: it declares the same of every live asset that it matches.";
  return unlistedSection(ruleKind, about, ruleSchemaOf(kind));
}

/** Policies as those for the first kind of asset. A policy judges entities or columns, so the example has no columns. */
function policiesSection(kind: Kind): string {
  const about =
    "It is nothing in the catalog: it says what must be true of the entities that it matches, also of definitions. It has `require`, `check` or both, or `columns`.";
  return unlistedSection(policyKind, about, policySchemaOf(kind), ["columns"]);
}

function waiversSection(): string {
  const about = "It is nothing in the catalog: it leaves violations of a policy out until a day.";
  return unlistedSection(waiverKind, about, waiverSchema);
}

function unlistedSection(
  title: string,
  about: string,
  schema: JsonObject,
  left: readonly string[] = [],
): string {
  const { required: names } = schema;
  const needOfRule = (name: string): string => (isJsonList(names) && names.includes(name) ? required : "");
  const fields = fieldsIn(schema);
  const rows = fields.flatMap(([name, each]) => rowsOf(name, each, needOfRule(name)));
  const shown = fields.filter(([name]) => !left.includes(name));
  const entries = shown.map(([name, each]) => [name, examplesOf(each)[0] ?? null] as const);
  return `## ${title}

${about}

${fieldsHead}
${rows.join("\n")}

\`\`\`yaml
${manifestText([{ data: Object.fromEntries(entries) }])}\`\`\`
`;
}

function sectionOf(kind: Kind): string {
  const rows = fieldsIn(schemaOf(kind)).flatMap(([name, schema]) => rowsOf(name, schema, needOf(kind, name)));
  return `## ${kind.name}

${lifeOf(kind)}

${fieldsHead}
${rows.join("\n")}

\`\`\`yaml
${exampleOf(kind)}\`\`\`
`;
}

/** A manifest of a kind with the first example of every field; `urn` only where nothing else names the entity. */
function exampleOf(kind: Kind): string {
  const fields = fieldsIn(schemaOf(kind)).filter(
    ([name]) => name !== "urn" || needOf(kind, name) === required,
  );
  const entries = fields.map(([name, schema]) => [name, examplesOf(schema)[0] ?? null] as const);
  return manifestText([{ data: Object.fromEntries(entries) }]);
}

function lifeOf(kind: Kind): string {
  if (!isDefinitionKind(kind.name)) return "It must exist in the catalog: it is never created or deleted.";
  const prune =
    kind.deletion?.byDefault === true
      ? "`--prune` deletes it when it is no longer declared."
      : "`--prune` deletes it when it is no longer declared, if `prune.kinds` in the settings names the kind.";
  return `It is created if it does not exist. ${prune}`;
}

// Without a URN an asset needs what its URN is made of.
function needOf(kind: Kind, name: string): string {
  const { required: names, else: otherwise } = schemaOf(kind);
  const isIn = (list: Json | undefined): boolean => isJsonList(list) && list.includes(name);
  if (isIn(names)) return required;
  return isJsonObject(otherwise) && isIn(otherwise["required"]) ? " (required without `urn`)" : "";
}

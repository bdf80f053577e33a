import { isDefinitionKind, kinds } from "../../src/kinds/index.ts";
import type { Kind } from "../../src/kinds/kind.ts";
import { manifestText } from "../../src/manifests/format/manifest-text.ts";
import { schemaOf } from "../../src/manifests/schema/schema.ts";
import { isJsonList, isJsonObject, type Json } from "../../src/model/json.ts";
import { examplesOf, fieldsHead, fieldsIn, required, rowsOf } from "./field-rows.ts";

/** The reference of every kind, as Markdown: its fields, and a manifest with all of them. */
export function manifestReference(): string {
  return kinds.map(sectionOf).join("\n");
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

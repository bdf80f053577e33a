import type { JsonObject } from "./json.ts";

/** The schemas that are published in `schemas/`, and that the command `schema` prints. */
export type SchemaName = "manifest" | "settings" | "plan" | "report" | "failure";

/** The address by which editors and other programs name a published schema. */
function schemaAddress(name: SchemaName): string {
  return `https://datahub-gitops.dev/schemas/${name}.schema.json`;
}

const headerStart = "# yaml-language-server: $schema=";

/** The line by which a YAML file tells an editor its schema. */
export function editorHeader(name: SchemaName): string {
  return `${headerStart}${schemaAddress(name)}`;
}

/** Whether a YAML file begins with the line that tells an editor its schema, whatever that is. */
export function hasEditorHeader(text: string): boolean {
  return text.startsWith(headerStart);
}

/** What a published JSON Schema says of itself. Editors support this draft best. */
export function schemaHead(name: SchemaName, title: string): JsonObject {
  return { $schema: "http://json-schema.org/draft-07/schema#", $id: schemaAddress(name), title };
}

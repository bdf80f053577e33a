/** Defines the names and heads of published JSON Schemas, and the line that names a schema for editors. */

/** The schemas in `schemas/`, which the command `schema` prints. */
export type SchemaName = "manifest" | "settings" | "plan" | "report" | "failure" | "policy" | "round";

/** The schema files for editors in a catalog directory. Their names begin with a dot, so they are not read as manifests. */
export const schemaFiles = { manifest: ".schema.json", settings: ".settings.schema.json" } as const;

const headerStart = "# yaml-language-server: $schema=";

/** Returns the line that names a YAML file's schema for editors. */
export function editorHeader(path: string): string {
  return `${headerStart}${path}`;
}

/** Returns the path to the manifest schema, from a manifest at this path below the catalog directory. */
export function schemaPathFrom(manifest: string): string {
  return "../".repeat(manifest.split("/").length - 1) + schemaFiles.manifest;
}

/** Whether a YAML file begins with a line that names a schema for editors. */
export function hasEditorHeader(text: string): boolean {
  return text.startsWith(headerStart);
}

/** Matches the schemas that this tool writes into the line: one in a catalog directory, or an address from earlier versions. */
const ownSchema =
  /^(?:(?:\S*\/)?\.(?:settings\.)?schema\.json|https:\/\/[^/\s]+\/schemas\/(?:manifest|settings)\.schema\.json)$/;

/** Returns the file with this schema in its first line, if that line names one of this tool's; otherwise the same file. */
export function withSchemaAt(path: string, text: string): string {
  if (!hasEditorHeader(text)) return text;
  const end = text.search(/\s*(?:\n|$)/);
  return ownSchema.test(text.slice(headerStart.length, end)) ? editorHeader(path) + text.slice(end) : text;
}

/** Returns the first keys of a published JSON Schema. Editors support this draft best. */
export function schemaHead(name: SchemaName, title: string) {
  return { $schema: "http://json-schema.org/draft-07/schema#", $id: `urn:datahub-gitops:${name}`, title };
}

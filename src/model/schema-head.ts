/** Defines the names and first keys of the published JSON Schemas, and the comment line by which text editors find a schema. */

/** The names of the schemas in `schemas/`, which the `schema` command prints. */
export type SchemaName = "manifest" | "settings" | "plan" | "report" | "failure" | "policy" | "round";

/**
 * The names of the schema files for text editors, in the catalog directory. The names begin with a dot, so the tool does not read
 * the files as manifests.
 */
export const schemaFiles = { manifest: ".schema.json", settings: ".settings.schema.json" } as const;

const headerStart = "# yaml-language-server: $schema=";

/** Returns the comment line that refers editors to the schema of a YAML file. */
export function editorHeader(path: string): string {
  return `${headerStart}${path}`;
}

/** Returns the relative path to the manifest schema, given the path of a manifest in the catalog directory. */
export function schemaPathFrom(manifest: string): string {
  return "../".repeat(manifest.split("/").length - 1) + schemaFiles.manifest;
}

/** Whether a YAML file begins with a line that refers editors to a schema. */
export function hasEditorHeader(text: string): boolean {
  return text.startsWith(headerStart);
}

/** Matches the schema references that this tool writes: a file in a catalog directory, or a URL from an earlier version. */
const ownSchema =
  /^(?:(?:\S*\/)?\.(?:settings\.)?schema\.json|https:\/\/[^/\s]+\/schemas\/(?:manifest|settings)\.schema\.json)$/;

/**
 * Changes the schema reference in the first line to `path` if the tool wrote that reference; otherwise returns the text
 * unchanged.
 */
export function withSchemaAt(path: string, text: string): string {
  if (!hasEditorHeader(text)) return text;
  const end = text.search(/\s*(?:\n|$)/);
  return ownSchema.test(text.slice(headerStart.length, end)) ? editorHeader(path) + text.slice(end) : text;
}

/** Returns the keys at the beginning of a published JSON Schema. Editors support JSON Schema draft 7 best. */
export function schemaHead(name: SchemaName, title: string) {
  return { $schema: "http://json-schema.org/draft-07/schema#", $id: `urn:datahub-gitops:${name}`, title };
}

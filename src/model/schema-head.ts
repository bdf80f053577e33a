import type { JsonObject } from "./json.ts";

/** The schemas that are published in `schemas/`, and that the command `schema` prints. */
export type SchemaName = "manifest" | "settings" | "plan" | "report" | "failure" | "policy" | "round";

/** The schemas for editors in a catalog directory. Their names begin with a dot, so they are not read as manifests. */
export const schemaFiles = { manifest: ".schema.json", settings: ".settings.schema.json" } as const;

const headerStart = "# yaml-language-server: $schema=";

/** The line that names the schema of a YAML file for editors. */
export function editorHeader(path: string): string {
  return `${headerStart}${path}`;
}

/** The path of the manifests' schema from a manifest, by the manifest's path below the catalog directory. */
export function schemaPathFrom(manifest: string): string {
  return "../".repeat(manifest.split("/").length - 1) + schemaFiles.manifest;
}

/** Whether a YAML file begins with a line that names a schema for editors. */
export function hasEditorHeader(text: string): boolean {
  return text.startsWith(headerStart);
}

/** What this tool has written in the line: a schema of a catalog directory, or an address of earlier versions. */
const ownSchema =
  /^(?:(?:\S*\/)?\.(?:settings\.)?schema\.json|https:\/\/[^/\s]+\/schemas\/(?:manifest|settings)\.schema\.json)$/;

/** A YAML file whose first line names this schema, where it names one that this tool wrote there; else the file as it is. */
export function withSchemaAt(path: string, text: string): string {
  if (!hasEditorHeader(text)) return text;
  const end = text.search(/\s*(?:\n|$)/);
  return ownSchema.test(text.slice(headerStart.length, end)) ? editorHeader(path) + text.slice(end) : text;
}

/** What a published JSON Schema says of itself. Editors support this draft best. */
export function schemaHead(name: SchemaName, title: string): JsonObject {
  return { $schema: "http://json-schema.org/draft-07/schema#", $id: `urn:datahub-gitops:${name}`, title };
}

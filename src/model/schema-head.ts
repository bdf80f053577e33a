import type { JsonObject } from "./json.ts";

/** The schemas that are published in `schemas/`, and that the command `schema` prints. */
export type SchemaName = "manifest" | "settings" | "plan" | "report" | "failure";

/** The address by which editors and other programs name a published schema. */
function schemaAddress(name: SchemaName): string {
  return `https://datahub-gitops.dev/schemas/${name}.schema.json`;
}

/** What a published JSON Schema says of itself. Editors support this draft best. */
export function schemaHead(name: SchemaName, title: string): JsonObject {
  return { $schema: "http://json-schema.org/draft-07/schema#", $id: schemaAddress(name), title };
}

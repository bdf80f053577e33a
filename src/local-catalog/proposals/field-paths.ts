import type { JsonObject } from "../../model/json.ts";
import { objectsAt, stringAt } from "../json.ts";
import { invalid } from "../errors.ts";

const fieldLists: Readonly<Record<string, string>> = {
  schemaMetadata: "fields",
  editableSchemaMetadata: "editableSchemaFieldInfo",
};

/**
 * Checks that the columns of a schema have unique paths (entity-registry FieldPathValidator.java).
 * @throws RequestError when a path is empty or occurs twice.
 */
export function checkFieldPaths(urn: string, aspect: string, value: JsonObject): void {
  const list = fieldLists[aspect];
  if (list === undefined) return;
  const seen = new Set<string>();
  for (const field of objectsAt(value, list)) {
    const path = stringAt(field, "fieldPath") ?? "";
    if (path.trim() === "") throw invalid(`${aspect} aspect has empty field path for ${urn}`);
    if (seen.has(path)) throw invalid(`${aspect} aspect has duplicated field paths: ${path} for ${urn}`);
    seen.add(path);
  }
}

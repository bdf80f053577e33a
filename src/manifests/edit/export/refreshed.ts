/** Applies an export's edits to a file, and checks whether a file contains nothing but an entity's identity. */

import { isJsonObject } from "../../../model/json.ts";
import { hasEditorHeader } from "../../../model/schema-head.ts";
import { identityFields } from "../../base/unsettable.ts";
import { yamlIn } from "../../yaml/yaml-file.ts";
import type { Edit } from "../edit.ts";
import { editManifests, type NamedText } from "../edit-manifests.ts";
import { commentsIn } from "../comments.ts";
import type { DisplayNames } from "../display-name-comment.ts";
import { formatted } from "../format/formatted.ts";

/**
 * Returns a file's text with the edits applied. The result has canonical formatting if the file had it. Returns `undefined` if an
 * edit is refused.
 */
export function withEdits(file: NamedText, edits: readonly Edit[], names: DisplayNames): string | undefined {
  if (edits.length === 0) return file.text;
  const { text, refused } = editManifests(file, edits, { isDeclared: true, names });
  if (refused.length > 0) return undefined;
  return formatted(file.text) === file.text ? (formatted(text) ?? text) : text;
}

/** Whether a text only identifies one entity: it declares no facets, and has no comments except the schema line for editors. */
export function declaresNothing({ name, text }: NamedText): boolean {
  const { documents, problems } = yamlIn(name, Buffer.from(text));
  const [root, ...others] = documents.map((document) => document.root);
  if (problems.length > 0 || others.length > 0 || !isJsonObject(root)) return false;
  const isNameOnly = Object.keys(root).every((field) => field === "kind" || identityFields.has(field));
  return isNameOnly && commentsIn(text).every((comment) => hasEditorHeader(comment.text));
}

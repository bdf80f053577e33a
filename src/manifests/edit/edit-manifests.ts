/** Edits the manifests in a file's text, and refuses edits that would break the file. */

import { isDeepStrictEqual } from "node:util";
import { groupBy } from "../../model/group-by.ts";
import { isError } from "../../model/problem.ts";
import { emptyCollection } from "../base/collected.ts";
import { readManifests } from "../documents/manifest.ts";
import type { ParsedDocument } from "../yaml/parsed-document.ts";
import { yamlIn } from "../yaml/yaml-file.ts";
import { declare } from "./declare.ts";
import { withPlainLineEnds, documentTexts } from "./document-texts.ts";
import type { Edit, EditFault, EditOptions, RefusedEdit } from "./edit.ts";
import { rewritten } from "./rewritten.ts";
import { declaringMappings, targetsIn } from "./targets.ts";
import { treeOf } from "./read-tree.ts";
import { dataOf } from "./tree.ts";

/** A file's text, and the file's name for messages. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** The edited text, and the refused edits. */
export interface EditedText {
  readonly text: string;
  readonly refused: readonly RefusedEdit[];
}

/** Edits the manifests in a file without changing the bytes of other values. Refuses an edit that would make the file invalid. */
export function editManifests(
  { name, text }: NamedText,
  edits: readonly Edit[],
  { isDeclared = false, found = new Set(), names = new Map() }: EditOptions = {},
): EditedText {
  const byUrn = groupBy(edits, ({ urn }) => urn);
  const faults = new Map<Edit, EditFault>();
  const after = withPlainLineEnds(text, (plain) => {
    const parts = documentTexts(plain).map((part) => documentPart(name, part));
    if (!parts.every(({ isValid }) => isValid)) {
      for (const edit of edits) faults.set(edit, "layout");
      return plain;
    }
    const texts = parts.map((part) => {
      const urns = new Set(part.document && declaringMappings(part.document.root).map(({ urn }) => urn));
      const own = [...urns].flatMap((urn) => byUrn.get(urn) ?? []);
      const here = new Set<Edit>();
      const edited = editPart(part, own, { isDeclared, found, names, here, faults });
      for (const edit of here) found.add(edit);
      return edited;
    });
    return texts.join("");
  });
  for (const edit of edits) if (!found.has(edit) && !faults.has(edit)) faults.set(edit, "absent");
  return { text: after, refused: [...faults].map(([edit, fault]) => ({ edit, fault })) };
}

/** A section of a file with at most one document. */
interface DocumentPart {
  readonly name: string;
  readonly text: string;
  readonly document: ParsedDocument | undefined;
  readonly isWellFormed: boolean;
  readonly isValid: boolean;
}

function documentPart(name: string, text: string): DocumentPart {
  const { documents, problems } = yamlIn(name, Buffer.from(text));
  const collected = { ...emptyCollection(), declare: () => {} };
  for (const each of documents) readManifests(each, collected);
  const [document, ...others] = documents;
  const isWellFormed = problems.length === 0 && others.length === 0;
  const isValid = isWellFormed && !collected.problems.some(isError);
  return { name, text, document, isWellFormed, isValid };
}

interface Editing extends Required<EditOptions> {
  /** The edits that apply to this section. */
  readonly here: Set<Edit>;
  readonly faults: Map<Edit, EditFault>;
}

/**
 * Applies all edits together. If this fails, applies each half separately, and continues until the edits that cause the failure
 * are found.
 */
function editPart(part: DocumentPart, edits: readonly Edit[], editing: Editing): string {
  const all = editedTogether(part, edits, editing);
  if ("text" in all) {
    for (const [edit, fault] of all.faults) editing.faults.set(edit, fault);
    return all.text;
  }
  const [first] = edits;
  if (first && edits.length === 1) {
    editing.faults.set(first, all.fault);
    return part.text;
  }
  const half = Math.ceil(edits.length / 2);
  const left = editPart(part, edits.slice(0, half), editing);
  return editPart(documentPart(part.name, left), edits.slice(half), editing);
}

/** Returns the text after all applicable edits, or the reason why these edits cannot be applied together. */
function editedTogether(
  { name, text, document }: DocumentPart,
  edits: readonly Edit[],
  editing: Editing,
): { readonly text: string; readonly faults: ReadonlyMap<Edit, EditFault> } | { readonly fault: EditFault } {
  const faults = new Map<Edit, EditFault>();
  if (!document || edits.length === 0) return { text, faults };
  const root = treeOf(document);
  const mappings = declaringMappings(document.root);
  for (const target of targetsIn(mappings, root.value, edits, editing)) {
    editing.here.add(target.edit);
    const fault = declare(target, editing.names);
    if (fault) faults.set(target.edit, fault);
  }
  const next = rewritten(text, root);
  if (next === text) return { text, faults };
  const after = next === undefined ? undefined : documentPart(name, next);
  if (!after?.document || !after.isWellFormed) return { fault: "layout" };
  if (!isDeepStrictEqual(dataOf(treeOf(after.document).value), dataOf(root.value)))
    return { fault: "layout" };
  return after.isValid ? { text: after.text, faults } : { fault: "invalid" };
}

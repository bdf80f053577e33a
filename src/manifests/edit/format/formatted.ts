/** Formats a manifest file canonically, without changing data or comments. */

import { isDeepStrictEqual } from "node:util";
import type { Json } from "../../../model/json.ts";
import { yamlIn } from "../../yaml/yaml-file.ts";
import { commentsIn } from "../comments.ts";
import { documentTexts } from "../document-texts.ts";
import { takeCommentLines, treeOf } from "../read-tree.ts";
import { type Entry, emptyText } from "../tree.ts";
import { orderedFields } from "./field-order.ts";
import { printedDocuments } from "./print.ts";

/** A YAML document: its tree (including comments) and its data. */
interface Read {
  readonly tree: Entry;
  readonly value: Json;
}

/** The maximum number of formatting passes. One pass may not be enough, because moved comments can change the layout. */
const maxRounds = 5;

/**
 * Formats a file canonically. Returns `undefined` if the file is not valid YAML, or if formatting would lose data or comments.
 */
export function formatted(text: string): string | undefined {
  // The value of an alias may depend on the order of fields, so the second attempt keeps the original order.
  return formattedInOrder(text, orderedFields) ?? formattedInOrder(text, (tree) => tree);
}

function formattedInOrder(text: string, order: typeof orderedFields): string | undefined {
  let current = text;
  let documents = read(text);
  const values = valuesOf(documents ?? []);
  for (let round = 0; round < maxRounds && documents; round++) {
    const next = printedDocuments(
      documents.map(({ tree, value }) => ({ ...tree, value: order(tree.value, value) })),
    );
    if (next === current) return isDeepStrictEqual(commentTexts(next), commentTexts(text)) ? next : undefined;
    current = next;
    documents = read(next);
    if (documents && !isDeepStrictEqual(valuesOf(documents), values)) return undefined;
  }
  return undefined;
}

/** Reads a text's documents. Returns `undefined` if a document is invalid or has directives. */
function read(text: string): readonly Read[] | undefined {
  if (/^%/m.test(text)) return undefined;
  const found: Read[] = [];
  for (const part of documentTexts(text)) {
    const { documents, problems } = yamlIn("", Buffer.from(part));
    if (problems.length > 0) return undefined;
    const comments = [...commentsIn(part)];
    for (const [index, document] of documents.entries()) {
      const tree = treeOf(document, comments, documents[index + 1]?.rootPlace.key);
      found.push({ tree, value: document.root });
    }
    const above = takeCommentLines(part, comments, () => true);
    if (above.length > 0) found.push({ tree: { above, value: emptyText, beside: [] }, value: null });
  }
  return found;
}

function valuesOf(documents: readonly Read[]): readonly Json[] {
  return documents.map(({ value }) => value).filter((value) => value !== null);
}

function commentTexts(text: string): readonly string[] {
  return commentsIn(text)
    .map((comment) => comment.text)
    .toSorted();
}

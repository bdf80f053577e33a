import { isDeepStrictEqual } from "node:util";
import type { Document } from "yaml";
import type { Json } from "../../model/json.ts";
import { yamlDocuments } from "../yaml/documents.ts";
import { parseDocument } from "../yaml/parse-document.ts";
import { sourceOf } from "../yaml/source.ts";
import { commentsIn, keepBesideKeys, tidyComments } from "./comments.ts";
import { orderFields } from "./field-order.ts";
import { printedDocuments } from "./print.ts";

/** A document of YAML as the library has it, and what it declares. */
interface Read {
  readonly document: Document.Parsed;
  readonly value: Json;
}

/** How often a text is formatted until that changes nothing: a comment may first have to find its place. */
const mostRounds = 5;

/**
 * The canonical form of the text of a manifest file: the same data, every comment, and formatted again the same text.
 * `undefined` where the text is not valid YAML, or where no form is found that keeps all of it.
 */
export function formatted(text: string): string | undefined {
  // What an alias stands for may depend on the order of fields.
  return settled(text, orderFields) ?? settled(text, keepOrder);
}

type Order = typeof orderFields;

const keepOrder: Order = () => undefined;

function settled(text: string, order: Order): string | undefined {
  let current = text;
  let documents = read(current);
  const values = valuesOf(documents ?? []);
  for (let round = 0; round < mostRounds && documents; round++) {
    const next = printedIn(documents, current, order);
    if (next === current) return isDeepStrictEqual(commentsIn(next), commentsIn(text)) ? next : undefined;
    current = next;
    documents = read(next);
    if (documents && !isDeepStrictEqual(valuesOf(documents), values)) return undefined;
  }
  return undefined;
}

function printedIn(documents: readonly Read[], text: string, order: Order): string {
  for (const { document, value } of documents) {
    tidyComments(document);
    keepBesideKeys(document, text);
    order(document.contents, value);
  }
  return printedDocuments(documents.map(({ document }) => document as Document));
}

/** The documents of a text; `undefined` where one is not valid, or has directives. */
function read(text: string): readonly Read[] | undefined {
  const source = sourceOf("", text);
  const stream = yamlDocuments(source);
  const problems = [...stream.problems];
  const documents = stream.documents.map((document) => {
    const parsed = parseDocument(document, source, (problem) => problems.push(problem));
    return { document, value: parsed?.root ?? null };
  });
  const isPlain = !/^%/m.test(text);
  return problems.length === 0 && isPlain ? documents : undefined;
}

function valuesOf(documents: readonly Read[]): readonly Json[] {
  return documents.map(({ value }) => value).filter((value) => value !== null);
}

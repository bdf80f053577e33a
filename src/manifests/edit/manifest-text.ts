import { nothingCollected } from "../collected.ts";
import { isMap, isSeq, type ParsedNode } from "yaml";
import { isJsonList, isJsonObject, type Json } from "../../model/json.ts";
import { readManifests } from "../manifest.ts";
import { yamlDocuments } from "../yaml/documents.ts";
import { fileText } from "../yaml/file-text.ts";
import { parseDocument } from "../yaml/parse-document.ts";
import { type ParsedDocument, placesIn } from "../yaml/parsed-document.ts";
import type { Source } from "../yaml/source.ts";

/** A manifest in the text of a file: its node in YAML, and what the reader of manifests takes it for. */
export interface WrittenManifest {
  readonly node: ParsedNode;
  readonly value: Json;
  readonly document: ParsedDocument;
}

/** The text of a file of manifests, without a byte order mark, and the manifests in it. */
export interface ManifestText {
  readonly source: Source;
  readonly documents: readonly ParsedDocument[];
  readonly manifests: readonly WrittenManifest[];
}

/** The manifests in a text, in their order; `undefined` where it is not well formed. */
export function manifestTextOf(name: string, text: string): ManifestText | undefined {
  const read = fileText(name, Buffer.from(text));
  if ("problem" in read) return undefined;
  const { source } = read;
  const { documents: composed, problems } = yamlDocuments(source, true);
  let isWhole = problems.length === 0;
  const documents: ParsedDocument[] = [];
  const manifests = composed.flatMap((document) => {
    const parsed = parseDocument(document, source, () => {
      isWhole = false;
    });
    if (!parsed || !document.contents) return [];
    documents.push(parsed);
    return manifestsOf(parsed, document.contents);
  });
  return isWhole ? { source, documents, manifests } : undefined;
}

function manifestsOf(document: ParsedDocument, node: ParsedNode): readonly WrittenManifest[] {
  const { root } = document;
  if (isMap(node)) return [{ node, value: root, document }];
  if (!isSeq(node) || !isJsonList(root)) return [];
  return node.items.map((item, index) => ({ node: item, value: root[index] ?? null, document }));
}

/** Whether the reader of manifests takes all of a text. */
export function isReadable({ documents }: ManifestText): boolean {
  const collected = nothingCollected();
  for (const document of documents) readManifests(document, collected);
  return collected.problems.every(({ severity }) => severity !== "error");
}

/** What a manifest says, where `none` without quotes is `null`: it is not the text. */
export function contentOf({ document, value }: WrittenManifest): Json {
  return contentIn(document, value);
}

function contentIn(document: ParsedDocument, value: Json): Json {
  if (isJsonList(value)) return value.map((element) => contentIn(document, element));
  if (!isJsonObject(value)) return value;
  const places = placesIn(document, value);
  const entries = Object.entries(value).map(([key, field]) => {
    const isUnset = field === "none" && places.get(key)?.plain === true;
    return [key, isUnset ? null : contentIn(document, field ?? null)] as const;
  });
  return Object.fromEntries(entries);
}

import type { Collected } from "./declaration.ts";
import { fileText } from "./yaml/file-text.ts";
import { readManifests } from "./manifest.ts";
import type { Source } from "./yaml/source.ts";
import { parseDocument } from "./yaml/parse-document.ts";
import { yamlDocuments } from "./yaml/documents.ts";

/** Reads the manifests in the bytes of a file, wherever they come from. `name` is what messages call it. */
export function readManifestBytes(name: string, bytes: Buffer, collected: Collected): void {
  const text = fileText(name, bytes);
  if ("source" in text) {
    readText(text.source, collected);
  } else {
    collected.problems.push(text.problem);
    collected.unreadable++;
  }
}

function readText(source: Source, collected: Collected): void {
  const { documents, problems } = yamlDocuments(source);
  if (problems.length > 0) {
    collected.problems.push(...problems);
    collected.unreadable++;
  }
  for (const composed of documents) {
    const document = parseDocument(composed, source, (problem) => {
      collected.problems.push(problem);
      collected.unreadable++;
    });
    if (document) readManifests(document, collected);
  }
}

import type { Findings } from "./declaration.ts";
import { fileText } from "./yaml/file-text.ts";
import { readManifests } from "./manifest.ts";
import type { Source } from "./yaml/source.ts";
import { writtenOf } from "./yaml/written-document.ts";
import { yamlDocuments } from "./yaml/documents.ts";

/** Reads the manifests in the bytes of a file, wherever they come from. `name` is what messages call it. */
export function readManifestBytes(name: string, bytes: Buffer, findings: Findings): void {
  const text = fileText(name, bytes);
  if ("source" in text) {
    readText(text.source, findings);
  } else {
    findings.problems.push(text.problem);
    findings.unreadable++;
  }
}

function readText(source: Source, findings: Findings): void {
  const { documents, problems } = yamlDocuments(source);
  if (problems.length > 0) {
    findings.problems.push(...problems);
    findings.unreadable++;
  }
  for (const document of documents) {
    const written = writtenOf(document, source, (problem) => {
      findings.problems.push(problem);
      findings.unreadable++;
    });
    if (written) readManifests(written, findings);
  }
}

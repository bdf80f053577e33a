import type { CatalogFile } from "./catalog-files.ts";
import type { Findings } from "./declaration.ts";
import { readManifests } from "./manifest.ts";
import { readYamlFile, type YamlFile, yamlIn } from "./yaml/yaml-file.ts";

/** Reads the manifests of a file. What is wrong with it is among the findings. */
export function readManifestFile(file: CatalogFile, findings: Findings): void {
  addManifests(readYamlFile(file), findings);
}

/** Reads the manifests in the bytes of a file, wherever they come from. `name` is what messages call it. */
export function readManifestBytes(name: string, bytes: Buffer, findings: Findings): void {
  addManifests(yamlIn(name, bytes), findings);
}

function addManifests({ documents, problems }: YamlFile, findings: Findings): void {
  findings.problems.push(...problems);
  findings.unreadable += problems.length;
  for (const document of documents) readManifests(document, findings);
}

import type { CatalogFile } from "./catalog-files.ts";
import type { Collected } from "./collected.ts";
import { readManifests } from "./manifest.ts";
import { readYamlFile, type YamlFile, yamlIn } from "./yaml/yaml-file.ts";
import { readRegularFile } from "../files/read-file.ts";
import { appendTo } from "../model/append.ts";

/** Reads the manifests of a file, and shows its bytes. What is wrong with it is among the findings. */
export function readManifestFile(
  file: CatalogFile,
  collected: Collected,
  show: (bytes: Buffer) => void,
): void {
  const read = (path: string): Buffer => {
    const bytes = readRegularFile(path);
    show(bytes);
    return bytes;
  };
  addManifests(readYamlFile(file, read), collected);
}

/** Reads the manifests in the bytes of a file, wherever they come from. `name` is what messages call it. */
export function readManifestBytes(name: string, bytes: Buffer, collected: Collected): void {
  addManifests(yamlIn(name, bytes), collected);
}

function addManifests({ documents, problems }: YamlFile, collected: Collected): void {
  appendTo(collected.problems, problems);
  collected.unreadable += problems.length;
  for (const document of documents) readManifests(document, collected);
}

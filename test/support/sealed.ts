import { readFileSync, writeFileSync } from "node:fs";
import { isSealValid, sealed } from "../../src/plan/base/hash.ts";

type Document = Record<string, unknown>;

/** Edits a saved document, and seals it again: what somebody could do on purpose. Its digest is left as it was. */
export function forge(file: string, edit: (document: Document) => void): void {
  const { seal, ...document } = JSON.parse(readFileSync(file, "utf8")) as Document;
  if (!isSealValid({ ...document, seal } as Parameters<typeof isSealValid>[0]))
    throw new Error(`${file} is not sealed`);
  edit(document);
  writeFileSync(file, JSON.stringify(sealed(document)));
}

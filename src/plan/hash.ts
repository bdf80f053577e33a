import { createHash, hash, type Hash } from "node:crypto";
import { canonicalPieces, type JsonObject } from "../model/json.ts";

/** SHA-256 over the canonical JSON of a value, in hexadecimal. */
export function sha256(value: unknown): string {
  let last = "";
  let digest: Hash | undefined;
  canonicalPieces(value, (piece) => {
    if (last !== "") digest = (digest ?? createHash("sha256")).update(last);
    last = piece;
  });
  // Most values are one piece, and then one call is faster.
  return digest?.update(last).digest("hex") ?? hash("sha256", last, "hex");
}

/** A document with a SHA-256 over its canonical JSON. It finds accidents and edits; it is no signature. */
export function sealed<Document extends object>(document: Document): Document & { readonly seal: string } {
  return { ...document, seal: `sha256:${sha256(document)}` };
}

/** Whether a document is as it was when it was sealed. */
export function isAsSealed({ seal, ...document }: JsonObject): boolean {
  return sealed(document).seal === seal;
}

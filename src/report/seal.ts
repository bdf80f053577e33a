import type { JsonObject } from "../model/json.ts";
import { sha256 } from "../plan/diff/values.ts";

/**
 * A document with its seal: SHA-256 over all else in it, as canonical JSON. It finds accidents and edits; it is no
 * signature.
 */
export function sealed<Document extends object>(document: Document): Document & { readonly seal: string } {
  return { ...document, seal: `sha256:${sha256(document)}` };
}

/** Whether a document is as it was when it was sealed. */
export function isAsSealed({ seal, ...document }: JsonObject): boolean {
  return sealed(document).seal === seal;
}

/** Computes git's id for a file's content, and compares the content with the committed version. */

import { hash } from "node:crypto";
import type { TreeEntry } from "./tree.ts";

/** Whether a file's bytes match its committed content. Accepts CRLF instead of LF, because git can convert line endings. */
export function isSameContent(bytes: Buffer, { id }: TreeEntry): boolean {
  if (blobId(bytes, id.length) === id) return true;
  if (!bytes.includes("\r\n")) return false;
  return blobId(Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1"), id.length) === id;
}

/** Computes the blob id for a file's content: 40 hex digits (SHA-1, as in nearly all repositories) or 64 (SHA-256). */
export function blobId(bytes: Buffer, length = 40): string {
  const content = Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes]);
  return hash(length === 64 ? "sha256" : "sha1", content, "hex");
}

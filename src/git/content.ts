import { hash } from "node:crypto";
import type { TreeEntry } from "./tree.ts";

/** Whether a file of the work tree has the committed content. Line ends that git converts make no difference. */
export function isSameContent(bytes: Buffer, { id }: TreeEntry): boolean {
  if (blobId(bytes, id.length) === id) return true;
  if (!bytes.includes("\r\n")) return false;
  return blobId(Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1"), id.length) === id;
}

/** The id that git gives a content, of as many digits as its repository uses: 40, as nearly all do, or 64. */
export function blobId(bytes: Buffer, length = 40): string {
  const content = Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes]);
  return hash(length === 64 ? "sha256" : "sha1", content, "hex");
}

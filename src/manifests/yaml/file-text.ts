/** Decodes a file's bytes as text for YAML, or reports why that is not possible. */

import { isUtf8 } from "node:buffer";
import type { Problem } from "../../model/problem.ts";
import { codePointText } from "../../model/text/hidden-characters.ts";
import { errorAt, fileOrigin } from "../base/problem.ts";
import { type Source, sourceOf } from "./source.ts";

/** A file's text, or the reason why it cannot be YAML. */
export type FileText = { readonly source: Source } | { readonly problem: Problem };

// This pattern also matches two things that YAML 1.2 allows (section 5.1): DEL, which no editor inserts, and lone carriage
// returns, an obsolete form of line ending.
// oxlint-disable-next-line no-control-regex -- the pattern matches control characters on purpose
const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]|\r(?!\n)/;

/** Decodes a file as UTF-8, and removes a byte order mark. */
export function fileText(file: string, bytes: Buffer): FileText {
  const encoding = otherEncoding(bytes);
  if (encoding) return { problem: errorAt(fileOrigin(file), "other-encoding", { encoding }) };
  if (!isUtf8(bytes)) return { problem: badBytes(file, bytes) };
  const decoded = bytes.toString("utf8");
  const source = sourceOf(file, decoded.startsWith("\uFEFF") ? decoded.slice(1) : decoded);
  const found = forbidden.exec(source.text);
  return found ? { problem: badCharacter(source, found.index) } : { source };
}

function otherEncoding(bytes: Buffer): string | undefined {
  const start = bytes.toString("latin1", 0, 4);
  if (start.startsWith("\xFF\xFE\0\0") || start === "\0\0\xFE\xFF") return "UTF-32";
  return start.startsWith("\xFF\xFE") || start.startsWith("\xFE\xFF") ? "UTF-16" : undefined;
}

function badCharacter(source: Source, at: number): Problem {
  const origin = source.originAt(at);
  const character = source.text.charAt(at);
  if (character === "\0") return errorAt(origin, "binary-file", {});
  return errorAt(origin, "control-character", { character: codePointText(character) });
}

function badBytes(file: string, bytes: Buffer): Problem {
  if (bytes.includes(0)) return errorAt(fileOrigin(file), "binary-file", {});
  const at = firstBadByte(bytes);
  const lineStart = bytes.lastIndexOf(10, at) + 1;
  let line = 1;
  for (let end = bytes.indexOf(10); end !== -1 && end < at; end = bytes.indexOf(10, end + 1)) line++;
  const column = bytes.toString("utf8", lineStart, at).length + 1;
  const byte = `0x${(bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, "0")}`;
  return errorAt({ file, line, column }, "not-utf8", { byte });
}

/**
 * Returns the offset of the first byte that is not valid UTF-8. The decoder replaces such bytes with U+FFFD, so the first U+FFFD
 * that is not in the file itself marks the offset.
 */
function firstBadByte(bytes: Buffer): number {
  const replacement = Buffer.from("\uFFFD");
  let at = 0;
  for (const valid of bytes.toString("utf8").split("\uFFFD")) {
    at += Buffer.byteLength(valid);
    if (!bytes.subarray(at, at + replacement.length).equals(replacement)) return at;
    at += replacement.length;
  }
  return at;
}

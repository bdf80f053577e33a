/** Writes scalars as plain text, quoted text or blocks, and writes comment texts. */

import { Schema } from "yaml";
import { plainValue } from "../yaml/yaml-core-schema.ts";

/** A scalar or an alias, and its style. */
export interface TextForm {
  /** A scalar's value as text, or an alias's name including the asterisk. */
  readonly value: string;
  readonly style: "plain" | "quoted" | "alias";
  /** The anchor and the tag, each followed by a space. */
  readonly properties: string;
}

/** The unquoted word that unsets a single value. */
export const unsetWord = "none";

// Letters, marks, numbers, punctuation, symbols and spaces, and the joiners of emoji.
const visible = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\u200C\u200D]*$/u;
const invisible = /[^\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\u200C\u200D]|(?! )\p{Zs}/gu;

const olderTags = new Schema({ schema: "yaml-1.1" }).tags;

/** Writes a scalar on one line: without quotes if every reader reads the same text, otherwise in double quotes. */
export function scalarText({ value, style, properties }: TextForm, inFlow: boolean): string {
  if (style === "alias") return value;
  const isTagged = /(?:^| )!/.test(properties);
  if (style === "plain" && (isTagged || isAmbiguous(value))) {
    if (value === "") return inFlow && !isTagged ? "null" : "";
    // A text that only older readers misread is quoted, except for words with a meaning in manifests.
    const isMeant = isTagged || typeof plainValue(value) !== "string" || isWord(value);
    if (isMeant && canBePlain(value, inFlow)) return value;
  }
  return isTagged || isAmbiguous(value) || !canBePlain(value, inFlow) ? quoted(value) : value;
}

function isWord(value: string): boolean {
  return value === unsetWord || value === "<<";
}

/** Whether a YAML 1.2 or 1.1 reader would not read a plain scalar as a text. */
function isAmbiguous(value: string): boolean {
  if (isWord(value) || value === "=" || /^[yn]$/i.test(value)) return true;
  if (typeof plainValue(value) !== "string") return true;
  return olderTags.some((tag) => tag.default === true && tag.test?.test(value) === true);
}

function canBePlain(value: string, inFlow: boolean): boolean {
  if (value === "" || !visible.test(value) || value.trim() !== value) return false;
  if (/^(?:[,[\]{}#&*!|>'"%@`:]|---|\.\.\.|[?-](?![\p{L}\p{N}.]))/u.test(value)) return false;
  if (/: | #|:$/.test(value)) return false;
  // In brackets, YAML 1.1 readers also end a text at a question mark.
  return !inFlow || !/[,[\]{}?]/.test(value);
}

/** Writes a comment's text on one line, without invisible characters. */
export function commentText(text: string): string {
  return text.replace(/\s+/g, " ").replace(invisible, "").trim();
}

/** Writes a text in double quotes. Invisible characters become escapes. */
function quoted(value: string): string {
  // YAML has all escapes of JSON. `JSON.stringify` does not escape some characters that YAML forbids or that are invisible.
  return JSON.stringify(value).replace(invisible, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
  });
}

/** Returns a block scalar's lines, with `room` after its key and `width` below; `undefined` if one line is better. */
export function blockScalar(value: string, room: number, width: number): readonly string[] | undefined {
  const lines = value.split("\n");
  if (lines.length === 1) {
    const isLong = value.length > room && visible.test(value);
    return isLong && /^\S+(?: \S+)+$/.test(value) ? [">-", ...folded(value, width)] : undefined;
  }
  const isLiteral =
    /^\S/.test(value) &&
    !value.endsWith("\n\n") &&
    lines.every((line) => visible.test(line.replaceAll("\t", "")) && !/\s$/.test(line));
  if (!isLiteral) return undefined;
  return value.endsWith("\n") ? ["|", ...lines.slice(0, -1)] : ["|-", ...lines];
}

function folded(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

/** How a value on one line differs from canonical style. */
export interface FlowStyle {
  /** The quotes for texts outside mappings. */
  readonly quote?: string | undefined;
  /** Whether braces have no inner spaces. */
  readonly isDense?: boolean;
  /** Whether the value is in brackets or braces, where a text with a comma needs quotes. */
  readonly isInFlow?: boolean;
}

/** Writes a scalar on one line in brackets, or in the given style. */
export function flowScalar(text: TextForm, { quote, isInFlow = true }: FlowStyle): string {
  if (text.style === "quoted") {
    if (quote === '"') return quoted(text.value);
    if (quote === "'" && visible.test(text.value)) return `'${text.value.replaceAll("'", "''")}'`;
  }
  return scalarText(text, isInFlow);
}

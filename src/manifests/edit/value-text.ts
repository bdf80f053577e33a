/** Formats scalars as plain text, quoted text or blocks, and formats comments. */

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

// Visible characters: letters, marks, numbers, punctuation, symbols, spaces, and the joiners in emoji.
const visible = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\u200C\u200D]*$/u;
const invisible = /[^\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\u200C\u200D]|(?! )\p{Zs}/gu;

const olderTags = new Schema({ schema: "yaml-1.1" }).tags;

/** Formats a scalar on one line: without quotes if every YAML reader reads the same text, otherwise in double quotes. */
export function scalarText({ value, style, properties }: TextForm, inFlow: boolean): string {
  if (style === "alias") return value;
  const isTagged = /(?:^| )!/.test(properties);
  if (style === "plain" && (isTagged || isAmbiguous(value))) {
    if (value === "") return inFlow && !isTagged ? "null" : "";
    // Text that only older readers would misread is quoted, unless it is a word that has a meaning in manifests.
    const isMeant = isTagged || typeof plainValue(value) !== "string" || isWord(value);
    if (isMeant && canBePlain(value, inFlow)) return value;
  }
  return isTagged || isAmbiguous(value) || !canBePlain(value, inFlow) ? quoted(value) : value;
}

function isWord(value: string): boolean {
  return value === unsetWord || value === "<<";
}

/** Whether a YAML 1.1 or 1.2 reader might read a plain scalar as something other than a string. */
function isAmbiguous(value: string): boolean {
  if (isWord(value) || value === "=" || /^[yn]$/i.test(value)) return true;
  if (typeof plainValue(value) !== "string") return true;
  return olderTags.some((tag) => tag.default === true && tag.test?.test(value) === true);
}

function canBePlain(value: string, inFlow: boolean): boolean {
  if (value === "" || !visible.test(value) || value.trim() !== value) return false;
  if (/^(?:[,[\]{}#&*!|>'"%@`:]|---|\.\.\.|[?-](?![\p{L}\p{N}.]))/u.test(value)) return false;
  if (/: | #|:$/.test(value)) return false;
  // In brackets, YAML 1.1 readers also end a plain scalar at a question mark.
  return !inFlow || !/[,[\]{}?]/.test(value);
}

/** Formats the text of a comment on one line, without invisible characters. */
export function commentText(text: string): string {
  return text.replace(/\s+/g, " ").replace(invisible, "").trim();
}

/** Formats a string in double quotes. Invisible characters become escape sequences. */
function quoted(value: string): string {
  // YAML supports all JSON escapes. However, `JSON.stringify` does not escape some characters that are forbidden in YAML or
  // invisible.
  return JSON.stringify(value).replace(invisible, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
  });
}

/**
 * Returns the lines of a block scalar; `undefined` if the value should not be a block scalar. `room` is the width available after
 * the key, and `width` is the width available on the lines below.
 */
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

/** The ways in which a value on one line differs from canonical style. */
export interface FlowStyle {
  /** The quotation mark for strings outside of mappings. */
  readonly quote?: string | undefined;
  /** Whether to omit the spaces inside braces. */
  readonly isDense?: boolean;
  /** Whether the value is in brackets or braces, where a string with a comma needs quotes. */
  readonly isInFlow?: boolean;
}

/** Formats a scalar on one line. A quoted scalar gets the given quotation marks if they allow its characters. */
export function flowScalar(text: TextForm, { quote, isInFlow = true }: FlowStyle): string {
  if (text.style === "quoted") {
    if (quote === '"') return quoted(text.value);
    if (quote === "'" && visible.test(text.value)) return `'${text.value.replaceAll("'", "''")}'`;
  }
  return scalarText(text, isInFlow);
}

import { Schema } from "yaml";
import { plainValue } from "../../yaml/yaml-core-schema.ts";

/** How a scalar or an alias is written. */
export interface TextForm {
  /** The value of a scalar as a text; of an alias its name, with the asterisk. */
  readonly value: string;
  readonly style: "plain" | "quoted" | "alias";
  /** Its anchor and tag, each with a space behind it. */
  readonly properties: string;
}

/** The word that unsets a single value where it is not quoted. */
export const unsetWord = "none";

// Letters, marks, numbers, punctuation, symbols and spaces, and what joins the parts of an emoji.
const visible = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\u200C\u200D]*$/u;
const invisible = /[^\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\u200C\u200D]|(?! )\p{Zs}/gu;

const olderTags = new Schema({ schema: "yaml-1.1" }).tags;

/** A scalar in one line: without quotes where every reader takes it for the same text, else in double quotes. */
export function scalarText({ value, style, properties }: TextForm, inFlow: boolean): string {
  if (style === "alias") return value;
  const isTagged = /(?:^| )!/.test(properties);
  if (style === "plain" && (isTagged || isAmbiguous(value))) {
    if (value === "") return inFlow && !isTagged ? "null" : "";
    // A text that only older readers take for something else is quoted, but not what means something here.
    const isMeant = isTagged || typeof plainValue(value) !== "string" || isWord(value);
    if (isMeant && canBePlain(value, inFlow)) return value;
  }
  return isTagged || isAmbiguous(value) || !canBePlain(value, inFlow) ? quoted(value) : value;
}

function isWord(value: string): boolean {
  return value === unsetWord || value === "<<";
}

/** Whether a reader of YAML 1.2 or 1.1 takes a plain scalar for anything but a text. */
function isAmbiguous(value: string): boolean {
  if (isWord(value) || value === "=" || /^[yn]$/i.test(value)) return true;
  if (typeof plainValue(value) !== "string") return true;
  return olderTags.some((tag) => tag.default === true && tag.test?.test(value) === true);
}

function canBePlain(value: string, inFlow: boolean): boolean {
  if (value === "" || !visible.test(value) || value.trim() !== value) return false;
  if (/^(?:[,[\]{}#&*!|>'"%@`:]|---|\.\.\.|[?-](?![\p{L}\p{N}.]))/u.test(value)) return false;
  if (/: | #|:$/.test(value)) return false;
  // Readers of YAML 1.1 end a text within brackets at a question mark, too.
  return !inFlow || !/[,[\]{}?]/.test(value);
}

/** A text of one line for a comment: what cannot be seen is left out. */
export function commentText(text: string): string {
  return text.replace(/\s+/g, " ").replace(invisible, "").trim();
}

/** A text in double quotes. What cannot be seen is written as its code. */
function quoted(value: string): string {
  // Of the escapes of JSON, YAML has all. It leaves some characters as they are that YAML does not allow or show.
  return JSON.stringify(value).replace(invisible, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
  });
}

/** The lines of a block scalar, for so much room beside its key and so much width below; `undefined` where one line is better. */
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

/** How a value in one line differs from the canonical form. */
export interface FlowStyle {
  /** The quotes of texts that are in no mapping. */
  readonly quote?: string | undefined;
  /** Whether braces have no spaces within. */
  readonly isDense?: boolean;
  /** Whether it is within brackets or braces: then a text with a comma is quoted. */
  readonly isInFlow?: boolean;
}

/** A scalar in one line within brackets, or as a style says. */
export function flowScalar(text: TextForm, { quote, isInFlow = true }: FlowStyle): string {
  if (text.style === "quoted") {
    if (quote === '"') return quoted(text.value);
    if (quote === "'" && visible.test(text.value)) return `'${text.value.replaceAll("'", "''")}'`;
  }
  return scalarText(text, isInFlow);
}

import { Scalar, Schema } from "yaml";
import { plainValue } from "../yaml/yaml-core-schema.ts";

/** The word that unsets a single value where it is not quoted. */
export const unsetWord = "none";

// Letters, marks, numbers, punctuation, symbols and spaces, and what joins the parts of an emoji.
const visible = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\u200C\u200D]*$/u;
const invisible = /[^\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\u200C\u200D]|(?! )\p{Zs}/gu;

const olderTags = new Schema({ schema: "yaml-1.1" }).tags;

/** A scalar in one line: without quotes where every reader takes it for the same text, else in double quotes. */
export function scalarText({ value, type, tag }: Scalar<string>, inFlow: boolean): string {
  if (type === Scalar.PLAIN && (tag !== undefined || isAmbiguous(value))) {
    if (value === "") return inFlow && tag === undefined ? "null" : "";
    // A text that only older readers take for something else is quoted, but not what means something here.
    const isMeant = tag !== undefined || typeof plainValue(value) !== "string" || isWord(value);
    if (isMeant && canBePlain(value, inFlow)) return value;
  }
  if (tag !== undefined || isAmbiguous(value) || !canBePlain(value, inFlow)) return quoted(value);
  return value;
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
  return !inFlow || !/[,[\]{}]/.test(value);
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

/** The block style in which a text reads best that begins at a column; `undefined` where one line is better. */
export function blockStyle(value: string, room: number): Scalar.Type | undefined {
  const lines = value.split("\n");
  if (lines.length === 1) {
    const isLong = value.length > room && visible.test(value);
    return isLong && /^\S+(?: \S+)+$/.test(value) ? Scalar.BLOCK_FOLDED : undefined;
  }
  const isLiteral =
    /^\S/.test(value) &&
    !value.endsWith("\n\n") &&
    lines.every((line) => visible.test(line.replaceAll("\t", "")) && !/\s$/.test(line));
  return isLiteral ? Scalar.BLOCK_LITERAL : undefined;
}

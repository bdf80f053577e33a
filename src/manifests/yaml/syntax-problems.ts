/** Converts the YAML library's syntax errors to problems at the actual position of each mistake, and reads tags. */

import { type Document, isMap, isPair, isScalar, isSeq, type YAMLError } from "yaml";
import type { Problem } from "../../model/problem.ts";
import { errorAt } from "../base/problem.ts";
import type { Source } from "./source.ts";

/** The maximum number of lines in a document for which errors are reported. */
const maxLines = 20;

/**
 * Reports the errors in a malformed document, at most one for each line. Further errors on a line are usually consequences of the
 * first.
 */
export function syntaxProblems(source: Source, document: Document.Parsed): readonly Problem[] {
  const conflict = /^<{7}(?: |$)/m.exec(source.text);
  if (conflict) return [errorAt(source.originAt(conflict.index), "merge-conflict", {})];
  const byLine = new Map<number, Problem>();
  for (const error of document.errors) {
    const { line } = source.originAt(error.pos[0]);
    if (byLine.has(line)) continue;
    byLine.set(line, unquotedKey(source, error.pos[0]) ?? syntaxProblem(source, document, error));
    if (byLine.size === maxLines) break;
  }
  const problems = distinct([...byLine.values()]);
  const keys = problems.filter(({ code }) => code === "unknown-alias");
  return keys.length > 0 ? keys : problems;
}

// Finds unquoted keys such as `*email*: a`, which YAML reads as the alias `email*:`. The library may report the mistake on the
// next line.
function unquotedKey(source: Source, offset: number): Problem | undefined {
  const at =
    source.text
      .slice(0, offset + 1)
      .trimEnd()
      .lastIndexOf("\n") + 1;
  const line = /^[^\n]*/.exec(source.text.slice(at))?.[0] ?? "";
  const found = /^(?:[\s-]*|[^"'#]*[{,]\s*)\*([^\s,[\]{}]+):(?=\s|$)/.exec(line);
  const [begin, alias] = found ?? [];
  if (begin === undefined || alias === undefined) return undefined;
  return errorAt(source.originAt(at + begin.length - alias.length - 2), "unknown-alias", { alias });
}

// Removes duplicates, because two errors can be caused by the same unclosed bracket.
function distinct(problems: readonly Problem[]): readonly Problem[] {
  return [...new Map(problems.map((problem) => [JSON.stringify(problem.origin), problem])).values()];
}

/** Returns the `!tag` at an offset. */
export function tagAt(source: Source, offset: number): string {
  return /^[^\s,[\]{}]*/.exec(source.text.slice(offset, offset + 200))?.[0] ?? "";
}

function syntaxProblem(
  source: Source,
  document: Document.Parsed,
  { code, message, pos }: YAMLError,
): Problem {
  const [offset] = pos;
  if (code === "TAG_RESOLVE_FAILED") {
    return errorAt(source.originAt(offset), "unknown-tag", { tag: tagAt(source, offset) });
  }
  const opening = openingOf(source, document, message, offset);
  if (opening !== undefined) {
    return errorAt(source.originAt(opening), "yaml-syntax", {
      reason: "NOT_CLOSED",
      detail: source.text[opening] ?? "",
    });
  }
  const reason = message === "Sequence item without - indicator" ? "BAD_INDENT" : code;
  return errorAt(source.originAt(offset), "yaml-syntax", { reason, detail: message });
}

// Finds the opening bracket or quote. The library reports the position at which the closing bracket or quote is missing, which
// may be the end of the file.
function openingOf(
  source: Source,
  document: Document.Parsed,
  message: string,
  offset: number,
): number | undefined {
  if (message.startsWith("Flow ")) return openBracket(source.text, offset);
  return message.startsWith("Missing closing ") ? lastQuote(document.contents) : undefined;
}

function openBracket(text: string, before: number): number | undefined {
  let open = 0;
  for (let at = before - 1; at >= 0; at--) {
    const character = text[at];
    if (character === "]" || character === "}") open++;
    else if (character === "[" || character === "{") open--;
    if (open < 0) return at;
  }
  return undefined;
}

/** Returns the start of a document's last scalar, if it is quoted. */
function lastQuote(node: unknown): number | undefined {
  if (isPair(node)) return lastQuote(node.value ?? node.key);
  if (isMap(node) || isSeq(node)) return lastQuote(node.items.at(-1));
  return isScalar(node) && node.type?.startsWith("QUOTE") ? node.range?.[0] : undefined;
}

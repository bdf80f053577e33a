/** Refuses a YAML text with too many tokens. */

import { CST, Lexer } from "yaml";
import type { Problem } from "../../model/problem.ts";
import { errorAt } from "../base/problem.ts";
import type { Source } from "./source.ts";

/**
 * The maximum number of tokens in a file. Each token can become 500 bytes of objects, or a part of a problem. 1,000 manifests have
 * about 100,000 tokens.
 */
const maxTokens = 1_500_000;

/** The problem if a text has too many tokens. Counting them takes little memory. */
export function tokensProblem(source: Source, max = maxTokens): Problem | undefined {
  // The lexer adds one mark before each scalar, so a text has at most two tokens for each character.
  if (source.text.length * 2 <= max) return undefined;
  let tokens = 0;
  let offset = 0;
  for (const lexeme of new Lexer().lex(source.text)) {
    tokens += 1 + escapesIn(lexeme);
    if (tokens > max) {
      const origin = source.originAt(offset);
      return errorAt(origin, "too-large", { tokens: max, line: origin.line });
    }
    if (!isMark(lexeme)) offset += lexeme.length;
  }
  return undefined;
}

// Each escape can be a separate mistake.
function escapesIn(lexeme: string): number {
  return lexeme.startsWith('"') ? lexeme.split("\\").length - 1 : 0;
}

// The lexer adds marks, which are not in the text, at the beginning of documents and scalars, and at the end of flow collections.
function isMark(lexeme: string): boolean {
  return lexeme === CST.DOCUMENT || lexeme === CST.SCALAR || lexeme === CST.FLOW_END;
}

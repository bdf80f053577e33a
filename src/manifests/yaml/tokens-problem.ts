/** Refuses YAML texts with too many tokens. */

import { CST, Lexer } from "yaml";
import type { Problem } from "../../model/problem.ts";
import { errorAt } from "../base/problem.ts";
import type { Source } from "./source.ts";

/**
 * The maximum number of tokens in a file. Each token can need 500 bytes as objects, or appear in a problem. 1,000 manifests have
 * about 100,000 tokens.
 */
const maxTokens = 1_500_000;

/** Reports a text with too many tokens. Counting them takes little memory. */
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

// Counts the escapes, because each can be a separate mistake.
function escapesIn(lexeme: string): number {
  return lexeme.startsWith('"') ? lexeme.split("\\").length - 1 : 0;
}

// Whether a lexeme is a mark that the lexer adds: at the start of documents and scalars, and at the end of flow collections.
function isMark(lexeme: string): boolean {
  return lexeme === CST.DOCUMENT || lexeme === CST.SCALAR || lexeme === CST.FLOW_END;
}

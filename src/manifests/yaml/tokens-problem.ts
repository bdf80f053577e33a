/** Reports YAML texts that have too many tokens. */

import { CST, Lexer } from "yaml";
import type { Problem } from "../../model/problem.ts";
import { errorAt } from "../base/problem.ts";
import type { Source } from "./source.ts";

/**
 * The maximum number of tokens in a file. Each token can require 500 bytes of memory, and can be reported as a problem. A file
 * with 1,000 manifests has about 100,000 tokens.
 */
const maxTokens = 1_500_000;

/** Returns a problem if a text has too many tokens. Counting tokens requires little memory. */
export function tokensProblem(source: Source, max = maxTokens): Problem | undefined {
  // The lexer inserts one mark before each scalar, so a text has at most two tokens for each character.
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

// Counts the escape sequences in a quoted scalar, because each of them can be a separate mistake.
function escapesIn(lexeme: string): number {
  return lexeme.startsWith('"') ? lexeme.split("\\").length - 1 : 0;
}

// Whether a lexeme is a mark that the lexer inserts: at the start of a document or scalar, or at the end of a flow collection.
function isMark(lexeme: string): boolean {
  return lexeme === CST.DOCUMENT || lexeme === CST.SCALAR || lexeme === CST.FLOW_END;
}

import { CST, Lexer } from "yaml";
import type { Problem } from "../../model/problem.ts";
import { errorAt } from "../problem.ts";
import type { Source } from "./source.ts";

/** The most tokens of a file. Each can become 500 bytes of objects, or a part of a problem. 1,000 manifests have about 100,000. */
const maxTokens = 1_500_000;

/** The problem that a text has more tokens of YAML than are read. Counting them takes little memory. */
export function tokensProblem(source: Source, most = maxTokens): Problem | undefined {
  // The lexer puts one mark before each scalar, so a text has at most two tokens for each character.
  if (source.text.length * 2 <= most) return undefined;
  let tokens = 0;
  let offset = 0;
  for (const lexeme of new Lexer().lex(source.text)) {
    tokens += 1 + escapesIn(lexeme);
    if (tokens > most) {
      const origin = source.originAt(offset);
      return errorAt(origin, "too-large", { tokens: most, line: origin.line });
    }
    if (!isMark(lexeme)) offset += lexeme.length;
  }
  return undefined;
}

// Each can be a mistake of its own.
function escapesIn(lexeme: string): number {
  return lexeme.startsWith('"') ? lexeme.split("\\").length - 1 : 0;
}

// The lexer adds marks, which are not in the text, to begin documents and scalars, and to end flow collections.
function isMark(lexeme: string): boolean {
  return lexeme === CST.DOCUMENT || lexeme === CST.SCALAR || lexeme === CST.FLOW_END;
}

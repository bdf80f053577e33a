/** Finds the comments in a YAML text. */

import { CST, Lexer } from "yaml";
import { isFirstInLine, lineStartAt } from "./source-text.ts";

/** A comment and its position. */
export interface Comment {
  /** The trimmed text of the comment, including `#`. */
  readonly text: string;
  readonly offset: number;
  readonly column: number;
  /** Whether the comment is the only content on its line. */
  readonly isAlone: boolean;
}

/** Returns a text's comments, in order. */
export function commentsIn(text: string): readonly Comment[] {
  const found: Comment[] = [];
  let [before, offset] = ["", 0];
  for (const lexeme of new Lexer().lex(text)) {
    const type = CST.tokenType(lexeme);
    // A lexeme that follows the lexer's scalar mark is a scalar, even if it begins with `#`.
    if (lexeme.startsWith("#") && CST.tokenType(before) !== "scalar") {
      const column = offset - lineStartAt(text, offset);
      found.push({ text: lexeme.trim(), offset, column, isAlone: isFirstInLine(text, offset) });
    }
    before = lexeme;
    if (type !== "doc-mode" && type !== "flow-error-end" && type !== "scalar") offset += lexeme.length;
  }
  return found;
}

import { CST, Lexer } from "yaml";
import { isFirstInLine, lineStartAt } from "./source-text.ts";

/** A comment of a text. */
export interface Comment {
  /** With its sign, without the white space around it. */
  readonly text: string;
  readonly offset: number;
  readonly column: number;
  /** Whether nothing else is in its line. */
  readonly isAlone: boolean;
}

/** The comments of a text, from the first to the last. */
export function commentsIn(text: string): readonly Comment[] {
  const found: Comment[] = [];
  let [before, offset] = ["", 0];
  for (const lexeme of new Lexer().lex(text)) {
    const type = CST.tokenType(lexeme);
    // What follows a mark of the lexer is a scalar.
    if (lexeme.startsWith("#") && CST.tokenType(before) !== "scalar") {
      const column = offset - lineStartAt(text, offset);
      found.push({ text: lexeme.trim(), offset, column, isAlone: isFirstInLine(text, offset) });
    }
    before = lexeme;
    if (type !== "doc-mode" && type !== "flow-error-end" && type !== "scalar") offset += lexeme.length;
  }
  return found;
}

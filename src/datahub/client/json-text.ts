import { CatalogError } from "../../model/catalog-error.ts";

/** The deepest nesting that is read. DataHub's own aspects need about ten levels. Recursion is safe with many more. */
const deepest = 200;

/** A JSON text is nested too deep for what is done with it. */
export class TooDeepError extends CatalogError {
  constructor() {
    super("answer", `its JSON is nested deeper than ${deepest} levels`);
  }
}

/** What a number that JavaScript cannot hold is read as. */
type Keep = (digits: string) => string;

const asText: Keep = (digits) => digits;

/**
 * The value of a JSON text. A number that JavaScript cannot hold becomes a text: its digits, or what `keep` makes of them.
 * Throws `TooDeepError`, a `CatalogError`, and `SyntaxError` when it is not JSON.
 */
export function parseJson(text: string, keep: Keep = asText): unknown {
  return JSON.parse(withTexts(text, keep));
}

const mark = "\u0000number:";

/** What `stringifyKept` writes as a number again. */
export const kept: Keep = (digits) => mark + digits;

/** The JSON text of a value that was parsed with `kept`: each number digit by digit as it was. */
export function stringifyKept(value: object): string {
  return JSON.stringify(value).replace(/"\\u0000number:(-?[0-9][-+.0-9eE]*)"/g, "$1");
}

/** The JSON text with texts in place of the numbers that JavaScript cannot hold. */
function withTexts(text: string, keep: Keep): string {
  const token = /["[\]{}]|-?[0-9][-+.0-9eE]*/g;
  const parts: string[] = [];
  let done = 0;
  let depth = 0;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const [lexeme] = found;
    if (lexeme === '"') token.lastIndex = endOfString(text, token.lastIndex);
    else if (lexeme === "[" || lexeme === "{") depth += 1;
    else if (lexeme === "]" || lexeme === "}") depth -= 1;
    else if (!isHeld(lexeme)) {
      parts.push(text.slice(done, found.index), JSON.stringify(keep(lexeme)));
      done = token.lastIndex;
    }
    if (depth > deepest) throw new TooDeepError();
  }
  return parts.join("") + text.slice(done);
}

const integer = /^-?(?:0|[1-9][0-9]*)$/;
const decimal = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/;

/** Whether a number of JSON is the same after `JSON.parse`. What is no number is left to that. */
function isHeld(lexeme: string): boolean {
  if (integer.test(lexeme)) return Number.isSafeInteger(Number(lexeme));
  return !decimal.test(lexeme) || Number.isFinite(Number(lexeme));
}

/** The place after the quote that ends a string. */
function endOfString(text: string, start: number): number {
  let at = start;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

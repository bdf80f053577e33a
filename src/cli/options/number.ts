/** Parses numbers in options. */

import { InvalidArgumentError } from "commander";

/** Returns a parser for numbers of a form, up to a maximum. `hint` is the error message for any other text. */
export function numberParser(form: RegExp, hint: string, max = Infinity): (text: string) => number {
  return (text) => {
    if (form.test(text) && Number(text) <= max) return Number(text);
    throw new InvalidArgumentError(hint);
  };
}

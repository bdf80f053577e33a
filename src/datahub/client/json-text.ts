import { CatalogError } from "../../model/catalog-error.ts";

/** The deepest nesting that is read. DataHub's own aspects need about ten levels. Recursion is safe with many more. */
const deepest = 200;

/** The value of a JSON text. Throws `CatalogError` when it is not JSON or is nested too deep for what is done with it. */
export function parseJson(text: string): unknown {
  refuseDeep(text);
  try {
    return JSON.parse(text);
  } catch {
    throw new CatalogError("answer", "it is not valid JSON");
  }
}

function refuseDeep(text: string): void {
  const token = /["[\]{}]/g;
  let depth = 0;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const [character] = found;
    if (character === '"') token.lastIndex = endOfString(text, token.lastIndex);
    else depth += character === "[" || character === "{" ? 1 : -1;
    if (depth > deepest) throw new CatalogError("answer", `it is nested deeper than ${deepest} levels`);
  }
}

/** The place after the quote that ends a string. */
function endOfString(text: string, start: number): number {
  let at = start;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

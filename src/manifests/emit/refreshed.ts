import type { Declaration } from "../declaration.ts";
import type { Declared } from "./declared.ts";

/** The text of an exported file with what is live now, comments and order kept; `undefined` where that cannot be. */
export function refreshed(_text: string, _before: Declaration, _manifest: Declared): string | undefined {
  return undefined;
}

/** Prints sentences in which values are in back quotes. */

import { printable } from "../printable.ts";
import { html, type Markup } from "./markup.ts";

/** A sentence in which the values in back quotes become code. */
export function prose(text: string): readonly Markup[] {
  return printable(text)
    .split(/(`[^`]+`)/)
    .map((part, index) =>
      index % 2 === 1 ? html`<code><bdi>${part.slice(1, -1)}</bdi></code>` : html`${part}`,
    );
}

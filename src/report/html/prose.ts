/** Prints sentences that contain values in backticks. */

import { printable } from "../printable.ts";
import { html, type Markup } from "./markup.ts";

/** Converts a sentence into markup. Values in backticks become code elements. */
export function prose(text: string): readonly Markup[] {
  return printable(text)
    .split(/(`[^`]+`)/)
    .map((part, index) =>
      index % 2 === 1 ? html`<code><bdi>${part.slice(1, -1)}</bdi></code>` : html`${part}`,
    );
}

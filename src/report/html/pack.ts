/** Compresses the entries of a page for the page's script. */

import { deflateRawSync } from "node:zlib";

/** The maximum number of items in one JSON text. The JSON for a million items would not fit into one string. */
const maxItemsInText = 10_000;

/** Packs items as compressed JSON texts (raw deflate, base64). `src/page/unpack.ts` reads them. */
export function* packedParts(items: readonly unknown[]): Iterable<string> {
  for (let from = 0; from < items.length; from += maxItemsInText) {
    const json = JSON.stringify(items.slice(from, from + maxItemsInText));
    yield deflateRawSync(json, { level: 6 }).toString("base64");
  }
}

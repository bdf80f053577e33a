/** Compresses a page's entries for its script. */

import { deflateRawSync } from "node:zlib";

/** The maximum number of items in one text, because the JSON for a million items is too long for a string. */
const maxItemsInText = 10_000;

/** Packs items as compressed JSON texts (raw deflate, base64). `src/page/unpack.ts` reads them. */
export function* packedParts(items: readonly unknown[]): Iterable<string> {
  for (let from = 0; from < items.length; from += maxItemsInText) {
    const json = JSON.stringify(items.slice(from, from + maxItemsInText));
    yield deflateRawSync(json, { level: 6 }).toString("base64");
  }
}

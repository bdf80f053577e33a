/** Packs the entries of a page for its script. */

import { deflateRawSync } from "node:zlib";

/** Items in one text, because the JSON of a million items is too long for a string. */
const maxItemsInText = 10_000;

/** Items as texts of JSON, compressed (raw deflate) and in base64. `src/page/unpack.ts` reads them. */
export function* packedParts(items: readonly unknown[]): Iterable<string> {
  for (let from = 0; from < items.length; from += maxItemsInText) {
    const json = JSON.stringify(items.slice(from, from + maxItemsInText));
    yield deflateRawSync(json, { level: 6 }).toString("base64");
  }
}

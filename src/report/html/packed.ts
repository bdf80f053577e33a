import { deflateRawSync } from "node:zlib";

/** So many items are packed together: the JSON of a million is longer than a string can be. */
const maxPackedTogether = 10_000;

/** Items as JSON, compressed (raw deflate) and in base64: a text for each ten thousand. */
export function* packedParts(items: readonly unknown[]): Iterable<string> {
  for (let from = 0; from < items.length; from += maxPackedTogether) {
    const json = JSON.stringify(items.slice(from, from + maxPackedTogether));
    yield deflateRawSync(json, { level: 6 }).toString("base64");
  }
}

/** Joins the parts of an output to pieces of a useful size. */

// In characters. A write for each part would be slow, and a million changes do not fit into a string.
const pieceLength = 262_144;

/** The parts of a text as fewer, longer pieces. */
export function* chunked(parts: Iterable<string>): Iterable<string> {
  let piece = "";
  for (const part of parts) {
    piece += part;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

/** The pieces as one text. */
export function joinChunks(pieces: Iterable<string>): string {
  return [...pieces].join("");
}

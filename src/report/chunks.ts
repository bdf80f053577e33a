/** Joins small pieces of output into larger pieces. */

// The minimum length of a piece, in characters. Writing each small piece separately would be slow, and a million changes do not
// fit into one string.
const pieceLength = 262_144;

/** Joins pieces of text into fewer, longer pieces. */
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

/** Joins pieces of text into one string. */
export function joinChunks(pieces: Iterable<string>): string {
  return [...pieces].join("");
}

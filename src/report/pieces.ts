/** The length of a piece in characters: a write for each part would be slow, and a million changes do not fit into a string. */
const pieceLength = 262_144;

/** Parts of a text joined to longer pieces, in their order. */
export function* gathered(parts: Iterable<string>): Iterable<string> {
  let piece = "";
  for (const part of parts) {
    piece += part;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

/** The text of pieces. */
export function joined(pieces: Iterable<string>): string {
  return [...pieces].join("");
}

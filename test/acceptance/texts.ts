/** Texts that a client or a server can spoil, one for each of two rounds: two scripts, an emoji, combining characters. */
const texts = ["First Zürich 東京 😀", "Second e\u0301tat Ελλάδα 👩‍🔬"] as const;

/** The text of a round for something. */
export function textOfRound(round: 0 | 1, what: string): string {
  return `${texts[round]} ${what}`;
}

/** Finds and replaces invisible characters, except those in emoji. */

/*
 * Invisible characters, and those that look like a blank: two names that differ by one of them look the same. Most are in Unicode's
 * Default_Ignorable_Code_Point (DI): joiners, variation selectors, fillers and tags. The others are the blank of Braille,
 * annotations, and the separators of lines.
 */
const hidden = "[\\p{DI}\\u2028\\u2029\\u2800\\uFFF9-\\uFFFB]";

// Emoji use a few of them (UTS 51): selectors, joiners, and the tags of three flags.
const part = "\\p{Extended_Pictographic}(?:[\\uFE0E\\uFE0F]|\\p{Emoji_Modifier})?";
const subdivision =
  "\\u{E0067}\\u{E0062}(?:\\u{E0065}\\u{E006E}\\u{E0067}|\\u{E0073}\\u{E0063}\\u{E0074}|\\u{E0077}\\u{E006C}\\u{E0073})\\u{E007F}";
const emoji = `\\u{1F3F4}${subdivision}|${part}(?:\\u200D${part})*|[0-9#*]\\uFE0F\\u20E3`;

const hiddenOrEmoji = new RegExp(`(?:${emoji})|(${hidden})`, "gu");
const anyHidden = new RegExp(hidden, "u");

/** Replaces invisible characters in a text, except those in emoji. */
export function replaceHidden(text: string, replacement: (character: string) => string): string {
  if (!anyHidden.test(text)) return text;
  return text.replace(hiddenOrEmoji, (found: string, character: string | undefined) =>
    character === undefined ? found : replacement(character),
  );
}

/** Returns the first invisible character in a text that is not part of an emoji, and its position. */
export function hiddenIn(text: string): { readonly character: string; readonly at: number } | undefined {
  if (!anyHidden.test(text)) return undefined;
  for (const { 1: character, index } of text.matchAll(hiddenOrEmoji)) {
    if (character !== undefined) return { character, at: index };
  }
  return undefined;
}

/** Returns a character's code point, as Unicode writes it: `U+200B`. */
export function codePointText(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Finds and replaces invisible characters, except those in emoji. */

/**
 * Invisible characters, and characters that look like a space: two names that differ only in such a character look the same. Most
 * of them have Unicode's Default_Ignorable_Code_Point property (DI): joiners, variation selectors, fillers and tags. The rest are
 * the Braille blank, annotation characters, and line separators.
 */
const hidden = "[\\p{DI}\\u2028\\u2029\\u2800\\uFFF9-\\uFFFB]";

// Emoji contain some invisible characters (UTS 51): variation selectors, joiners, and the tag characters in three flags.
const part = "\\p{Extended_Pictographic}(?:[\\uFE0E\\uFE0F]|\\p{Emoji_Modifier})?";
const subdivision =
  "\\u{E0067}\\u{E0062}(?:\\u{E0065}\\u{E006E}\\u{E0067}|\\u{E0073}\\u{E0063}\\u{E0074}|\\u{E0077}\\u{E006C}\\u{E0073})\\u{E007F}";
const emoji = `\\u{1F3F4}${subdivision}|${part}(?:\\u200D${part})*|[0-9#*]\\uFE0F\\u20E3`;

const hiddenOrEmoji = new RegExp(`(?:${emoji})|(${hidden})`, "gu");
const anyHidden = new RegExp(hidden, "u");

/** Replaces the invisible characters in a string, except those in emoji. */
export function replaceHidden(text: string, replacement: (character: string) => string): string {
  if (!anyHidden.test(text)) return text;
  return text.replace(hiddenOrEmoji, (found: string, character: string | undefined) =>
    character === undefined ? found : replacement(character),
  );
}

/** Returns the first invisible character that is not part of an emoji, with its position in the text. */
export function hiddenIn(text: string): { readonly character: string; readonly at: number } | undefined {
  if (!anyHidden.test(text)) return undefined;
  for (const { 1: character, index } of text.matchAll(hiddenOrEmoji)) {
    if (character !== undefined) return { character, at: index };
  }
  return undefined;
}

/** Returns the code point of a character in Unicode notation, such as `U+200B`. */
export function codePointText(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

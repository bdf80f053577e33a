/** A text whose characters are read one by one, by their UTF-16 codes. */
export interface Characters {
  readonly length: number;
  charCodeAt(at: number): number;
}

/** Finds a part in a text from a place on: where it begins, or -1. */
export type Finder = (text: Characters, from: number) => number;

/**
 * A finder that reads no more than twice as many characters as it passes, whatever the part is (Knuth, Morris and Pratt).
 * `String.indexOf` compares each character with all of a part in the worst case.
 */
export function finderOf(part: string): Finder {
  const borders = bordersOf(part);
  return (text, from) => {
    if (part === "") return from;
    let matched = 0;
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      while (matched > 0 && part.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0;
      if (part.charCodeAt(matched) === code) matched++;
      if (matched === part.length) return at - matched + 1;
    }
    return -1;
  };
}

/** The border of each prefix: the length of its longest proper prefix that is also its suffix. */
function bordersOf(text: string): Uint32Array {
  const borders = new Uint32Array(text.length);
  for (let at = 1, length = 0; at < text.length; at++) {
    while (length > 0 && text[at] !== text[length]) length = borders[length - 1] ?? 0;
    if (text[at] === text[length]) length++;
    borders[at] = length;
  }
  return borders;
}

/** Up to this length a part is found by `String.indexOf`, which is faster, and compares each character that often at most. */
const shortPart = 32;

/** Finds a part in texts, in time proportional to the text. */
export function fastFinderOf(part: string): (text: string, from: number) => number {
  return part.length > shortPart ? finderOf(part) : (text, from) => text.indexOf(part, from);
}

/** How many characters of a pattern one step of `wildcardFinderOf` compares. */
const bits = 32;

/** In a part that `wildcardFinderOf` finds: any character. */
export const anyCode = -1;

/**
 * Finds a part, some codes of which may be `anyCode`: each character of the text is read once, and takes a step for 32 characters of
 * the part (shift-and, Baeza-Yates and Gonnet).
 */
export function wildcardFinderOf(part: readonly number[]): Finder {
  const words = Math.ceil(part.length / bits);
  const any = new Uint32Array(words);
  const masks = new Map(part.map((code) => [code, new Uint32Array(words)]));
  for (const [at, code] of part.entries()) {
    const of = code === anyCode ? [any, ...masks.values()] : [masks.get(code) ?? any];
    for (const mask of of) setBit(mask, at);
  }
  masks.delete(anyCode);
  const last = part.length - 1;
  return (text, from) => {
    if (part.length === 0) return from;
    const matched = new Uint32Array(words);
    for (let at = from; at < text.length; at++) {
      const mask = masks.get(text.charCodeAt(at)) ?? any;
      let carried = 1;
      for (let word = 0; word < words; word++) {
        const before = matched[word] ?? 0;
        matched[word] = ((before << 1) | carried) & (mask[word] ?? 0);
        carried = before >>> (bits - 1);
      }
      if (hasBit(matched, last)) return at - last;
    }
    return -1;
  };
}

/** A text by its code points: the text itself where each has one code. */
export function codePointsOf(text: string): Characters {
  if (!/[\uD800-\uDBFF]/.test(text)) return text;
  const codes = Uint32Array.from(text, (character) => character.codePointAt(0) ?? 0);
  return { length: codes.length, charCodeAt: (at) => codes[at] ?? 0 };
}

function setBit(mask: Uint32Array, at: number): void {
  const word = Math.floor(at / bits);
  mask[word] = (mask[word] ?? 0) | (1 << (at % bits));
}

function hasBit(mask: Uint32Array, at: number): boolean {
  return ((mask[Math.floor(at / bits)] ?? 0) & (1 << (at % bits))) !== 0;
}

/** Finds substrings in linear time, and patterns with wildcards for single characters in nearly linear time. */

/** A string that is read one character code at a time. */
export interface Characters {
  readonly length: number;
  charCodeAt(at: number): number;
}

/** Searches for a substring, starting at the given position. Returns its start, or -1. */
export type Finder = (text: Characters, from: number) => number;

/**
 * Creates a finder that makes at most two comparisons per character that it passes, for any substring (Knuth, Morris and Pratt).
 * In the worst case, `String.indexOf` compares each character with the entire substring.
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

/** Returns the border of each prefix: the length of its longest proper prefix that is also a suffix. */
function bordersOf(text: string): Uint32Array {
  const borders = new Uint32Array(text.length);
  for (let at = 1, length = 0; at < text.length; at++) {
    while (length > 0 && text[at] !== text[length]) length = borders[length - 1] ?? 0;
    if (text[at] === text[length]) length++;
    borders[at] = length;
  }
  return borders;
}

/**
 * The maximum substring length for which `String.indexOf` is used. This method is faster, but may compare each character up to
 * this many times.
 */
const shortPart = 32;

/** Creates a function that finds a substring in time proportional to the length of the text. */
export function fastFinderOf(part: string): (text: string, from: number) => number {
  return part.length > shortPart ? finderOf(part) : (text, from) => text.indexOf(part, from);
}

/** The number of pattern characters that one step of `wildcardFinderOf` compares. */
const bits = 32;

/** In a pattern for `wildcardFinderOf`, the code that matches any character. */
export const anyCode = -1;

/**
 * Creates a finder for a pattern whose codes may include `anyCode`. It reads each character of the text once, and compares 32
 * pattern characters in each step (shift-and algorithm, Baeza-Yates and Gonnet).
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

/** Returns the code points of a string. If no character needs a surrogate pair, this is the string itself. */
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

import fc from "fast-check";

const surrogates = { first: 0xd800, count: 0x800 };

/**
 * A character of any code point, as the unit of a string: what `binary` is to fast-check, which makes a table of all
 * million of them first.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat(0x10ffff - surrogates.count)
  .map((at) => String.fromCodePoint(at < surrogates.first ? at : at + surrogates.count));

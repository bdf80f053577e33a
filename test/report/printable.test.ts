import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonText } from "../../src/report/json/pieces.ts";
import { printable } from "../../src/report/printable.ts";
import { hostile } from "./hostile.ts";
import { counted, runsOf } from "../support/runs.ts";

const runs = { numRuns: runsOf(400) };

/** Control, direction and invisible characters but for the line ends of JSON, and commands of runners. */
const steering =
  /(?!\n)\p{Cc}|[\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|##[a-z]*\[/iu;

// Written by number: nobody sees them.
const hidden = [
  0x034f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b, 0x200c, 0x200d, 0x2800, 0x3164, 0xfe00, 0xfe0f, 0xffa0,
  0x1d173, 0xe0001, 0xe0041, 0xe0100, 0xe0fff,
];

const texts = fc.oneof(
  hostile,
  fc.string({
    unit: fc.constantFrom(...'##[vso\u0085\u009B\u202E\u2066\u00AD\u007F\n\t:\\"'.split("")),
    maxLength: 12,
  }),
);

test("a JSON document has the same value and steers nothing, whatever texts it holds", counted, () => {
  fc.assert(
    fc.property(fc.dictionary(texts, fc.array(texts)), (value) => {
      const text = jsonText(value);
      expect(JSON.parse(text)).toEqual(value);
      expect(text).not.toMatch(steering);
      expect(text).not.toMatch(/^\s*::/m);
    }),
    runs,
  );
});

test("a printable text has the length of the text, and steers nothing", counted, () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(printable(text)).toHaveLength(text.length);
      expect(printable(text)).not.toMatch(steering);
      expect(printable(text)).not.toContain("\n");
    }),
    runs,
  );
});

test.each(hidden.map((code) => [code.toString(16), String.fromCodePoint(code)]))(
  "U+%s is shown where it stands in a name",
  (_, character) => {
    const name = `p${character}ii`;
    expect(printable(name)).toBe(`p${"\uFFFD".repeat(character.length)}ii`);
    const text = jsonText(name);
    expect(text).not.toContain(character);
    expect(JSON.parse(text)).toBe(name);
  },
);

test("emoji are printed with their joiners, selectors and tags", () => {
  const flag = [0x1f3f4, 0xe0067, 0xe0062, 0xe0073, 0xe0063, 0xe0074, 0xe007f];
  const family = [0x1f469, 0x200d, 0x2764, 0xfe0f, 0x200d, 0x1f468, 0x1f3fd];
  const keycap = [0x31, 0xfe0f, 0x20e3];
  for (const codes of [flag, family, keycap, [0x00a9, 0xfe0f], [0x1f3f3, 0xfe0f, 0x200d, 0x1f308]]) {
    const text = `a ${String.fromCodePoint(...codes)} b`;
    expect(printable(text)).toBe(text);
    expect(jsonText(text)).toContain(text);
  }
});

test("tags behind an emoji that is no flag are shown, as is a joiner that joins nothing", () => {
  const smuggled = String.fromCodePoint(0x1f600, 0xe0070, 0xe0069, 0xe007f);
  expect(printable(smuggled)).toBe(`\u{1F600}${"\uFFFD".repeat(6)}`);
  expect(printable("\u{1F600}\u200Da")).toBe("\u{1F600}\uFFFDa");
});

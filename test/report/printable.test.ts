import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonText } from "../../src/library/render.ts";
import { printable } from "../../src/report/printable.ts";
import { hostile } from "./hostile.ts";

const runs = { numRuns: Number(process.env["LAW_RUNS"] ?? 50) };

/** Control, direction and invisible characters but for the line ends of JSON, and commands of runners. */
const steering =
  /(?!\n)\p{Cc}|[\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|##[a-z]*\[/iu;

const texts = fc.oneof(
  hostile,
  fc.string({
    unit: fc.constantFrom(...'##[vso\u0085\u009B\u202E\u2066\u00AD\u007F\n\t:\\"'.split("")),
    maxLength: 12,
  }),
);

test("a JSON document has the same value and steers nothing, whatever texts it holds", () => {
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

test("a printable text has the length of the text, and steers nothing", () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(printable(text)).toHaveLength(text.length);
      expect(printable(text)).not.toMatch(steering);
      expect(printable(text)).not.toContain("\n");
    }),
    runs,
  );
});

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../../src/model/json.ts";
import {
  bytesJson,
  keepDigits,
  parseJson,
  stringifyWithDigits,
  ExcessiveJsonError,
} from "../../src/datahub/json-text.ts";
import { forAll } from "../laws/law.ts";
import { anyCharacter } from "../support/any-text.ts";
import { counted } from "../support/runs.ts";

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc
    .array(fc.constantFrom('"', "\\", "9007199254740993", "[", "}", "-", "a"), { maxLength: 8 })
    .map((parts) => parts.join("")),
);
const digits = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String);

/** A value, and the same as JSON text with its large numbers as digits. */
const valuesWithTexts = fc.array(
  fc.tuple(
    anyText,
    digits,
    fc.integer().map((number) => number / 8),
  ),
);

test("numbers that JavaScript cannot hold become their digits, and all else stays as it is", counted, () => {
  forAll(valuesWithTexts, 1000, (rows) => {
    const texts = rows.map(
      ([text, large, double]) => `[${JSON.stringify(text)}, ${large},${JSON.stringify(double)}]`,
    );

    const read = parseJson(`{"rows":[${texts.join(",\n")}]}`);

    const isHeld = (large: string): boolean => Number.isSafeInteger(Number(large));
    expect(read).toEqual({
      rows: rows.map(([text, large, double]) => [text, isHeld(large) ? Number(large) : large, double]),
    });
  });
});

test.each([
  ["1e400", "1e400"],
  ["-1E+999", "-1E+999"],
  ["1e-400", 0],
  ["0", 0],
  ["-7", -7],
])("%s is read as %j", (text, expected) => {
  expect(parseJson(`[${text}]`)).toEqual([expected]);
  expect(parseJson(text)).toEqual(expected);
});

test.each(["-", "01", "1.2.3", '"open', '{"a":1', "[1,]", "--1"])("%s is no JSON", (text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError);
});

test("a kept number is written as it was", () => {
  const text = '{"version":9007199254740993,"text":"9007199254740993"}';

  expect(stringifyWithDigits(parseJson(text, keepDigits) as Json)).toBe(text);
});

test.each([
  ["Zürich 東京 😀 e\u0301", String.raw`"Z\u00fcrich \u6771\u4eac \ud83d\ude00 e\u0301"`],
  [String.raw`\u00fc`, String.raw`"\\u00fc"`],
  [{ double: 90 }, '{"double":90.0}'],
  [
    { values: [{ double: -0.5 }, { double: 1e21 }, { double: 0 }] },
    '{"values":[{"double":-0.5},{"double":1e+21},{"double":0.0}]}',
  ],
  [{ string: "90", count: 90, doubles: 90 }, '{"string":"90","count":90,"doubles":90}'],
  [{ string: '"double":90' }, String.raw`{"string":"\"double\":90"}`],
])("%j is written into a field of type bytes in ASCII, with whole doubles as such", (value, text) => {
  expect(bytesJson(value)).toBe(text);
});

test("brackets in texts are no nesting, and what is nested too deep is not read", () => {
  expect(parseJson(JSON.stringify({ text: "[".repeat(500) }))).toEqual({ text: "[".repeat(500) });
  expect(() => parseJson("[".repeat(201) + "]".repeat(201))).toThrow(ExcessiveJsonError);
});

test("a text of more values than are read is refused, whatever they are", () => {
  const elements = ["[]", "{}", "1", '""'].map((element) => `${element},`).join("");
  const many = `[${elements.repeat(1_250_000)}0]`;
  expect(() => parseJson(many)).toThrow("its JSON has more than 5 million values");
});

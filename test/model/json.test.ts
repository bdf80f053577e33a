import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson, canonicalPieces, compareText, isJsonObject, textOf } from "../../src/model/json.ts";

test("canonical JSON holds the same value, whatever the order of its keys", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const again: unknown = JSON.parse(canonicalJson(value));
      expect(again).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(again)).toBe(canonicalJson(value));
    }),
    { numRuns: 300 },
  );
  expect(canonicalJson({ b: 1, a: [{ d: 2, c: null }] })).toBe('{"a":[{"c":null,"d":2}],"b":1}');
});

test("a text is written as `JSON.stringify` writes it, whatever it holds", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) }), (text) => {
      expect(canonicalJson({ [text]: text })).toBe(JSON.stringify({ [text]: text }));
    }),
    { numRuns: 300 },
  );
  expect(canonicalJson(['"', "\\", "\n", "\ud800", "é"])).toBe(
    JSON.stringify(['"', "\\", "\n", "\ud800", "é"]),
  );
});

test("keys without a value are left out, and no value is null", () => {
  expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
  expect(canonicalJson(undefined)).toBe("null");
});

test("in pieces it is the same text, and no piece is much longer than another", () => {
  const values = Array.from({ length: 50_000 }, (_, index) => ({ b: [index], a: `"${index}"` }));
  const pieces: string[] = [];

  canonicalPieces(values, (piece) => pieces.push(piece));

  expect(pieces.join("")).toBe(canonicalJson(values));
  expect(pieces.length).toBeGreaterThan(10);
  expect(pieces.every(({ length }) => length < 70_000)).toBe(true);
});

test("texts are in order of their code units", () => {
  expect(["b", "a", "B", "a"].toSorted(compareText)).toEqual(["B", "a", "a", "b"]);
});

test("a text that is none is a fault of ours", () => {
  expect(textOf("a")).toBe("a");
  expect(() => textOf({ a: 1 })).toThrow('found {"a":1}');
});

test.each([
  [{}, true],
  [[], false],
  [null, false],
  ["a", false],
])("%o is an object: %s", (value, expected) => {
  expect(isJsonObject(value)).toBe(expected);
});

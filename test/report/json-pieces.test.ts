import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonPieces } from "../../src/report/json/pieces.ts";
import { joinChunks } from "../../src/report/chunks.ts";
import { printableJson } from "../../src/report/printable.ts";
import { forAll } from "../laws/law.ts";
import { anyCharacter } from "../support/any-text.ts";
import { counted } from "../support/runs.ts";

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.constantFrom("a\nb", "##[error]", "\u202e", '"', "\\"),
);
const anyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    anyText,
    fc.double(),
    fc.constantFrom(null, undefined, true),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(anyText, tie("value"), { maxKeys: 4 }),
  ),
})).value;

test(
  "pieces are together what `JSON.stringify` writes, with what must not be printed escaped",
  counted,
  () => {
    forAll(anyJson, 1000, (value) => {
      const text = printableJson(JSON.stringify(value ?? null, null, 2));

      expect(joinChunks(jsonPieces(value))).toBe(`${text}\n`);
    });
  },
);

test("a large document has many pieces, and none for each element", () => {
  const changes = Array.from({ length: 20_000 }, (_, index) => ({ urn: `urn:li:tag:${index}`, add: ["x"] }));

  const pieces = [...jsonPieces({ plan: { changes } })];

  expect(pieces.length).toBeGreaterThan(2);
  expect(pieces.length).toBeLessThan(20);
  expect(JSON.parse(joinChunks(pieces))).toEqual({ plan: { changes } });
});

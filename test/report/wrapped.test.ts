import { expect, test } from "vitest";
import { wrapped } from "../../src/report/wrapped.ts";

test("a word that is longer than the line stays whole", () => {
  expect(wrapped("a urn:li:tag:pii b", 4, "  ")).toBe("a\n  urn:li:tag:pii\n  b");
});

test("text in back quotes stays whole", () => {
  expect(wrapped("write `id: a b` here", 12, "")).toBe("write\n`id: a b`\nhere");
});

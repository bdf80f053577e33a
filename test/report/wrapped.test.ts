import { expect, test } from "vitest";
import { wrapped } from "../../src/report/wrapped.ts";

test("a word that is longer than the line stays whole", () => {
  expect(wrapped("a urn:li:tag:pii b", 4, "  ")).toBe("a\n  urn:li:tag:pii\n  b");
});

test("text in back quotes stays whole", () => {
  expect(wrapped("write `id: a b` here", 12, "")).toBe("write\n`id: a b`\nhere");
});

test("what follows a long text in back quotes is wrapped as anything else", () => {
  const long = `\`urn:li:dataset:${"x".repeat(60)}\``;
  expect(wrapped(`${long}, Sales (\`urn:li:domain:a\`) and \`b c\``, 20, "")).toBe(
    `${long},\nSales\n(\`urn:li:domain:a\`)\nand \`b c\``,
  );
});

test("a text in back quotes of more than 60 characters is wrapped at its spaces", () => {
  expect(
    wrapped(`is \`${"word ".repeat(13)}\``, 40, "")
      .split("\n")
      .map((line) => line.length),
  ).toEqual([38, 31]);
});

import { expect, test } from "vitest";
import { paintWith } from "../../src/report/text/paint.ts";
import { wrapText, wrapLines } from "../../src/report/text/wrap.ts";

test("a word that is longer than the line stays whole", () => {
  expect(wrapText("a urn:li:tag:pii b", 4, "  ")).toBe("a\n  urn:li:tag:pii\n  b");
});

test("text in back quotes stays whole", () => {
  expect(wrapText("write `id: a b` here", 12, "")).toBe("write\n`id: a b`\nhere");
});

test("what follows a long text in back quotes is wrapped as anything else", () => {
  const long = `\`urn:li:dataset:${"x".repeat(60)}\``;
  expect(wrapText(`${long}, Sales (\`urn:li:domain:a\`) and \`b c\``, 20, "")).toBe(
    `${long},\nSales\n(\`urn:li:domain:a\`)\nand \`b c\``,
  );
});

test("a text in back quotes of more than 60 characters is wrapped at its spaces", () => {
  expect(
    wrapText(`is \`${"word ".repeat(13)}\``, 40, "")
      .split("\n")
      .map((line) => line.length),
  ).toEqual([38, 31]);
});

test("spaces inside a line stay, and those where it is broken go", () => {
  expect(wrapText("  a  b  c", 6, "")).toBe("  a  b\nc");
});

test("a column that does not fit behind another one begins a line", () => {
  expect(wrapText("tags  a.yaml:1:1 (rule pii)  new", 20, "  ")).toBe(
    "tags\n  a.yaml:1:1 (rule\n  pii)  new",
  );
  expect(wrapText("tags  a.yaml:1:1 (rule pii)  new", 26, "  ")).toBe("tags\n  a.yaml:1:1 (rule pii)\n  new");
});

test.each([
  ["a mark", "    + domain: Finance (urn:li:domain:finance)  catalog/a.yaml:3:5", "      "],
  ["no mark", "    columns.tags e-mail of the customer  catalog/a.yaml:3:5", "        "],
])("what follows stands below the text of a line with %s", (_, line, indent) => {
  const [first = "", ...rest] = wrapLines(line, 40).split("\n");

  expect(line.startsWith(first)).toBe(true);
  expect(rest.length).toBeGreaterThan(0);
  for (const each of rest) expect(each).toMatch(new RegExp(`^${indent}\\S.{0,33}$`));
});

test("the heading of an entity stays one line, so that its URN can be copied", () => {
  const heading =
    paintWith(true)("add", "+") + " Dataset urn:li:dataset:(urn:li:dataPlatform:kafka,orders,PROD)";

  expect(wrapLines(`${heading}\n`, 30)).toBe(`${heading}\n`);
});

test("lines that fit stay as they are", () => {
  expect(wrapLines("a  b\n\n  c\n", 4)).toBe("a  b\n\n  c\n");
});

test("a color ends with its line, and goes on in the next one", () => {
  const paint = paintWith(true);

  expect(wrapText(`${paint("bold", "x")} ${paint("add", "a b")} ${paint("dim", "c d")}`, 3, "  ")).toBe(
    [
      `${paint("bold", "x")} ${paint("add", "a")}`,
      `  ${paint("add", "b")}`,
      `  ${paint("dim", "c")}`,
      `  ${paint("dim", "d")}`,
    ].join("\n"),
  );
});

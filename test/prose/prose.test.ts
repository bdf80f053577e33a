/** Tests that the prose linter finds what it names, and nothing in code. */

import { describe, expect, test } from "vitest";
import { lintProse } from "./prose.mjs";
import { textsIn } from "./texts.mjs";

describe("a text for users", () => {
  const long = `This sentence goes on ${"and on ".repeat(40)}until nobody can follow it.`;

  test.each<readonly [text: string, messages: readonly string[]]>([
    ["The tag is next to the domain.", []],
    ["The tag is beside `beside` it.", ['"beside": write next to, in addition to']],
    ["First.\n\nOf a tag the name counts.", ['"Of a tag the name counts…": begin with the subject']],
    ["A plan is made. It is refused.", ['"It is refused…": name the actor']],
    ["A plan is made. It is refused by the server.", []],
    ["```\nIt is refused.\n```", []],
    [
      long,
      [
        expect.stringContaining("exceeds the maximum sentence length of 220"),
        '"nobody": write no one, someone',
      ],
    ],
  ])("%s", async (text, messages) => {
    const found = await lintProse(text);
    expect(found.map(({ message }) => message).toSorted()).toEqual(messages.toSorted());
  });
});

test("texts of several words are found in sources, with their lines", () => {
  const source = [
    'import { a } from "one two three four";',
    'const help = "show what an apply would do";',
    "const message = `${a} is not in the catalog`;",
    'const query = "query { a b c d }", word = "word";',
  ];
  expect(textsIn(source.slice(1).join("\n"))).toEqual([
    { line: 1, text: "show what an apply would do" },
    { line: 2, text: "`x` is not in the catalog" },
  ]);
});

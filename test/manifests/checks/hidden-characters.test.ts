import { expect, test } from "vitest";
import { desiredOf, inOneFile } from "../../support/manifest-files.ts";

const joiner = String.fromCodePoint(0x200d);
const filler = String.fromCodePoint(0x3164);
const tagA = String.fromCodePoint(0xe0061);

test("ids, names, references and columns with characters that are not seen are named with their places", async () => {
  const { problems } = await desiredOf(
    [
      "kind: Tag",
      `id: p${joiner}ii`,
      `name: P${filler}II`,
      "owners:",
      `  - user: ali${tagA}ce`,
      "---",
      "kind: Dataset",
      "platform: x",
      "name: a",
      "domain: none",
      "tags:",
      '  - "pi\\u200Di"',
      "columns:",
      `  e${joiner}mail: { tags: [] }`,
    ].join("\n"),
  );
  const hidden = problems.filter(({ code }) => code === "invisible-character");
  expect(inOneFile(hidden)).toEqual([
    "2:6 invisible-character",
    "3:8 invisible-character",
    "5:14 invisible-character",
    "12:5 invisible-character",
    "14:4 invisible-character",
  ]);
  expect(hidden.map(({ severity }) => severity)).toEqual(Array(5).fill("warning"));
  expect(hidden.map(({ args }) => args)).toEqual([
    { field: "id", character: "U+200D" },
    { field: "name", character: "U+3164" },
    { field: "owners[0].user", character: "U+E0061" },
    { field: "tags[0]", character: "U+200D" },
    { field: "columns", character: "U+200D" },
  ]);
});

test("descriptions may hold them, and so may emoji everywhere", async () => {
  const rainbow = String.fromCodePoint(0x1f3f3, 0xfe0f, 0x200d, 0x1f308);
  const { problems } = await desiredOf(
    `kind: Tag\nid: pii\nname: PII ${rainbow}\ndescription: a${joiner}b\n`,
  );
  expect(problems).toEqual([]);
});

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formatted } from "../../../../src/manifests/edit/format/formatted.ts";
import { yamlIn } from "../../../../src/manifests/yaml/yaml-file.ts";
import { lawsOf } from "../../../laws/law.ts";
import { storyManifests } from "../../../support/stories/story.ts";
import { writtenFile } from "./written.ts";

/** What a text declares; `undefined` where it is not valid. */
function dataOf(text: string): readonly unknown[] | undefined {
  const { documents, problems } = yamlIn("a.yaml", Buffer.from(text));
  return problems.length === 0 ? documents.map(({ root }) => root) : undefined;
}

const law = lawsOf(
  writtenFile.filter((text) => dataOf(text) !== undefined),
  80,
);

law("every valid file has a canonical form with the same data", (text) => {
  expect(dataOf(formatted(text) ?? "refused")).toEqual(dataOf(text));
});

law("every comment stays", (text) => {
  const marks = (of: string) => (of.match(/#c\d+/g) ?? []).toSorted();
  expect(marks(formatted(text) ?? "refused")).toEqual(marks(text));
});

law("the canonical form of a canonical form is itself", (text) => {
  const once = formatted(text) ?? "refused";
  expect(formatted(once)).toBe(once);
});

const root = join(import.meta.dirname, "../../../..");
const below = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.ya?ml$/.test(file))
    .map((file) => join(folder, file));

test.each(storyManifests())("%s keeps its data and its comments", (_, text) => {
  const result = formatted(text) ?? "refused";
  expect(dataOf(result)).toEqual(dataOf(text));
  for (const [comment] of text.matchAll(/(?<=^|\s)#.*$/gm)) expect(result).toContain(comment);
  expect(formatted(result)).toBe(result);
});

test.each(below("catalog"))("%s is in canonical form", (file) => {
  const text = readFileSync(join(root, file), "utf8");
  expect(formatted(text)).toBe(text);
});

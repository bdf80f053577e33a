import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { yamlDocuments } from "../../../src/manifests/yaml/documents.ts";
import { fastDocuments } from "../../../src/manifests/yaml/fast-documents.ts";
import type { ParsedDocument } from "../../../src/manifests/yaml/parsed-document.ts";
import { sourceOf } from "../../../src/manifests/yaml/source.ts";
import { isJsonList, isJsonObject, type Json } from "../../../src/model/json.ts";
import { storyManifests } from "../../support/stories/story.ts";
import { counted, runsOf } from "../../support/runs.ts";

const runs = runsOf(1200);

const root = join(import.meta.dirname, "../../..");
const demo = readdirSync(join(root, "catalog"), { recursive: true, encoding: "utf8" })
  .filter((file) => /\.ya?ml$/.test(file))
  .map((file) => readFileSync(join(root, "catalog", file), "utf8"));
const samples = [...demo, ...storyManifests().map(([, text]) => text)];

/** What `yaml` reads in a text; `undefined` where it finds a problem. */
function byYaml(text: string): readonly ParsedDocument[] | undefined {
  const { documents, problems } = yamlDocuments(sourceOf("a.yaml", text));
  return problems.length > 0 ? undefined : documents;
}

/** Everything that is known of a document: its data, and the places of all values in it. */
function known({ root: value, rootPlace, mappingPlaces, listPlaces }: ParsedDocument): unknown {
  const places = (of: Json): unknown => {
    if (isJsonList(of)) return [listPlaces.get(of), of.map((item) => places(item))];
    return isJsonObject(of)
      ? [[...(mappingPlaces.get(of) ?? [])], Object.values(of).map((item) => places(item ?? null))]
      : [];
  };
  return { value, rootPlace, places: places(value) };
}

function expectToAgree(text: string): void {
  const everyday = fastDocuments(sourceOf("a.yaml", text));
  if (everyday) expect(everyday.map(known)).toEqual(byYaml(text)?.map(known));
}

const pieces = fc.constantFrom(
  ...Array.from("\n :-#\"'[]{},&*!|>?%@`~.=$()<\\a0é\u00A0\uFEFF"),
  "\n  ",
  "\n\n",
  " #",
  ": ",
  "- ",
  "\n- ",
  "\n---\n",
  "\n...\n",
  "--- ",
  "<<: ",
  "''",
  "\n#",
  "key: value",
  "x:\n",
  "null",
  "~",
  "0x1F",
  "1e3",
  "true",
  "__proto__: 1",
  "[a, b]",
  "{ a: b }",
  "\t",
  "\r\n",
  "  ",
  "kind: Tag\n",
);
// Most leave a manifest valid.
const gentle = fc.constantFrom(
  "x",
  "  # a comment",
  "\n\n",
  "\n# a comment",
  '"',
  "é",
  ".",
  "1",
  "[a]",
  "a, ",
);
const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  without: fc.oneof(fc.constant(0), fc.nat(6)),
  piece: fc.oneof(gentle, pieces, fc.constant("")),
});
const edited = fc
  .tuple(fc.constantFrom(...new Set(samples)), fc.array(edit, { minLength: 1, maxLength: 4 }))
  .map(([text, edits]) =>
    edits.reduce((before, { at, without, piece }) => {
      const start = Math.floor(at * before.length);
      return before.slice(0, start) + piece + before.slice(start + without);
    }, text),
  );

test(
  "an everyday manifest is read as `yaml` reads it, value by value and place by place, or not at all",
  counted,
  () => {
    fc.assert(
      fc.property(edited, (text) => {
        expectToAgree(text);
      }),
      { numRuns: runs },
    );
  },
);

test("the samples are read as `yaml` reads them, and nearly all of them in the everyday way", () => {
  for (const text of samples) expectToAgree(text);
  const valid = samples.filter((text) => byYaml(text));
  const declined = valid.filter((text) => !fastDocuments(sourceOf("a.yaml", text)));
  expect(declined.length / valid.length).toBeLessThan(0.05);
});

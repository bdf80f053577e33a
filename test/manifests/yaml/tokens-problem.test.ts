import { expect, test } from "vitest";
import { sourceOf } from "../../../src/manifests/yaml/source.ts";
import { tokensProblem } from "../../../src/manifests/yaml/tokens-problem.ts";
import { inOneFile } from "../../support/manifest-files.ts";

// A file may have 1,500,000 tokens; where the last one stands does not depend on how many are read.
const most = 1_500;

test.each([
  ["tags", "- !a b\n".repeat(500), "215:2"],
  ["elements in brackets", `a: [${"a, ".repeat(500)}]`, "1:1125"],
  ["equal keys", "a: b\n".repeat(500), "215:1"],
  ["elements", "- a\n".repeat(500), "300:4"],
  ["documents", "---\na\n".repeat(500), "600:2"],
  ["wrong escapes", `a: "${"\\q".repeat(1_500)}"\n`, "1:4"],
])("too many %s are answered where they become too many", (_, text, place) => {
  const problem = tokensProblem(sourceOf("catalog/a.yaml", text), most);

  expect(inOneFile(problem ? [problem] : [])).toEqual([`${place} too-large`]);
});

test("as many tokens as are read are no problem", () => {
  const text = "- a\n".repeat(most / 5 - 1);

  expect(tokensProblem(sourceOf("a.yaml", text), most)).toBeUndefined();
  expect(tokensProblem(sourceOf("a.yaml", `${text}- a\n`), most)).toMatchObject({ code: "too-large" });
});

import { expect, test } from "vitest";
import type { Change } from "../../../src/model/change.ts";
import { datasetNamed, urn } from "../../support/states.ts";
import { planOf } from "../plans.ts";
import { printed } from "../print.ts";

const update = { action: "update", kind: "Dataset", urn: datasetNamed("orders"), fingerprint: "" } as const;
const bob = { actor: "urn:li:corpuser:bob", time: "2024-05-01T10:00:00.000Z" };

/** What drift says of some changes, below its heads. */
function linesOf(...changes: readonly Change[]): readonly string[] {
  const drift = planOf({ changes: changes.map((change) => ({ ...change, class: "changed" })) });
  const [, , , text = ""] = printed({ drift }, "text").split("\n\n");
  return text.split("\n");
}

test("a tag that somebody added in the catalog is added there, and one that is missing is gone", () => {
  const [added, missing] = [urn("urn:li:tag:pii"), urn("urn:li:tag:gold")];
  const removed = [{ value: added, declaredBefore: null, ...bob }];

  expect(
    linesOf({ ...update, shape: "set", facet: "tags", add: [missing], remove: [added], removed }),
  ).toEqual([
    `~ Dataset ${update.urn}`,
    "    tags",
    "      + urn:li:tag:pii  (set by urn:li:corpuser:bob on 2024-05-01)",
    "      - urn:li:tag:gold",
  ]);
});

test.each([
  ["urn:li:domain:live", "urn:li:domain:git", "~ domain: urn:li:domain:git → urn:li:domain:live"],
  ["urn:li:domain:live", null, "+ domain: urn:li:domain:live"],
  [null, "urn:li:domain:git", "- domain: urn:li:domain:git"],
])("of a single value the declared one comes first: %s, %s", (before, after, line) => {
  expect(linesOf({ ...update, shape: "scalar", facet: "domain", before, after })[1]).toBe(`    ${line}`);
});

test("an entity that is only declared is missing, and one that is no longer declared is there", () => {
  const tag = { shape: "entity", kind: "Tag", urn: urn("urn:li:tag:a"), fingerprint: "" } as const;
  const source = { file: "tags.yaml", line: 1, column: 1, base: true } as const;

  expect(linesOf({ ...tag, action: "create" })[0]).toBe("- Tag urn:li:tag:a");
  expect(linesOf({ ...tag, action: "delete", assignments: 3, source }).slice(0, 2)).toEqual([
    "+ Tag urn:li:tag:a  tags.yaml:1:1 in the base",
  ]);
});

import { expect, test } from "vitest";
import { scalarOf, setOf } from "../../../src/model/state.ts";
import { describeValues } from "../../../src/plan/policies/violating-values.ts";
import { byKeys, owners, subjectOf, tags } from "./subjects.ts";

const subject = subjectOf({
  tags: tags("a", "b"),
  domain: scalarOf(null),
  description: scalarOf(`two\n lines ${"x".repeat(200)}`),
  owners: owners(["corpuser:bob", "DATA_STEWARD"]),
  structured_properties: byKeys([["urn:li:structuredProperty:tier"], setOf(["1", "2"])]),
  "columns.tags": byKeys([["email"], setOf(["urn:li:tag:pii"])], [["id"], setOf(["urn:li:tag:key"])]),
});

test.each<readonly [facets: readonly string[], column: string | undefined, found: string | undefined]>([
  [["tags", "tags"], undefined, "tags: a, b"],
  [["domain", "links"], undefined, undefined],
  [["owners"], undefined, "owners: bob (DATA_STEWARD)"],
  [["structured_properties"], undefined, "structured_properties.tier: 1, 2"],
  [["columns.tags"], undefined, undefined],
  [["columns.tags", "domain", "tags"], "email", "tags: pii; tags: a, b"],
])("in %j of column %s: %s", (facets, column, found) => {
  expect(describeValues(subject, facets, column)).toBe(found);
});

test("long texts are cut and stand on one line, and of many values only the first are shown", () => {
  expect(describeValues(subject, ["description"])).toBe(`description: two lines ${"x".repeat(90)}…`);
  const many = subjectOf({ tags: tags("a", "b", "c", "d", "e", "f", "g") });
  expect(describeValues(many, ["tags"])).toBe("tags: a, b, c, d, e, … 7 in all");
});

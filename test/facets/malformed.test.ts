import { expect, test } from "vitest";
import { facetNamed } from "../../src/facets/index.ts";
import { valueInAspect } from "../../src/facets/writes.ts";
import { CatalogError } from "../../src/model/catalog-error.ts";
import type { SetChange } from "../../src/model/change.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { scalarOf } from "../../src/model/state.ts";
import { datasetNamed } from "../support/states.ts";
import { answeredIn } from "./answers.ts";

/** What is thrown; a malformed answer is a `CatalogError` of the sort `answer`. */
function thrownBy(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof CatalogError && error.failure === "answer") return error.message;
    throw error;
  }
  return "nothing";
}

const urnless = { tags: { tags: [{ tag: {} }] } };

test.each<readonly [string, JsonObject, string]>([
  ["domain", { aspects: { domains: { domains: "x" } } }, "the domains are not a list"],
  ["domain", { aspects: { domains: { domains: [7] } } }, "a domain has no URN"],
  ["owners", { ownership: { owners: "x" } }, "the owners are not a list of objects"],
  ["owners", { ownership: { owners: [{}] } }, "an owner has no URN"],
  [
    "owners",
    { ownership: { owners: [{ owner: { urn: "u" }, ownershipType: {} }] } },
    "an ownership type has no URN",
  ],
  [
    "owners",
    { ownership: { owners: [{ owner: { urn: "u" }, type: 7 }] } },
    "the type of an owner is not a string",
  ],
  ["tags", { tags: { tags: "x" } }, "the tags are not a list of objects"],
  ["tags", urnless, "a tag has no URN"],
  ["columns.tags", { schemaMetadata: { fields: "x" } }, "the columns are not a list of objects"],
  ["columns.tags", { schemaMetadata: { fields: [{ fieldPath: 7 }] } }, "a column has no path"],
  ["columns.tags", { schemaMetadata: { fields: [{ fieldPath: "x", ...urnless }] } }, "a tag has no URN"],
  [
    "columns.tags",
    { editableSchemaMetadata: { editableSchemaFieldInfo: "x" } },
    "the edited columns are not a list of objects",
  ],
])("an answer that is malformed in %s says where: %j", (facet, answer, where) => {
  expect(thrownBy(() => answeredIn(facetNamed(facet), answer))).toBe(
    `the server returned a malformed response: ${where}`,
  );
});

test.each<readonly [string, JsonObject, string]>([
  ["tags", { tags: "x" }, "the tags are not a list of objects"],
  ["tags", { tags: [{}] }, "a tag has no URN"],
  ["owners", { owners: "x" }, "the owners are not a list of objects"],
  ["owners", { owners: [{}] }, "an owner has no URN"],
])("so does a malformed aspect of %s: %j", (facet, aspect, where) => {
  const about = { action: "update", shape: "set", kind: "Dataset", fingerprint: "" } as const;
  const change: SetChange = { ...about, urn: datasetNamed("a"), facet, add: [], remove: [] };
  const name = facetNamed(facet).storedIn?.("Dataset") ?? "";

  expect(thrownBy(() => valueInAspect([change], name, aspect))).toBe(
    `the server returned a malformed response: ${where}`,
  );
});

test.each<readonly [unknown, number | string | null]>([
  [7, 7],
  ["7", "7"],
  [null, null],
  [true, "malformed"],
  [{}, "malformed"],
])("a field of numbers that holds %j is read as %j", (stored, expected) => {
  const aspects = { corpUserInfo: { departmentId: stored } } as JsonObject;
  const read = (): unknown => facetNamed("department_id").observe(aspects, "User").value;

  if (expected === "malformed") {
    expect(thrownBy(read)).toBe(
      "the server returned a malformed response: corpUserInfo.departmentId has the wrong type",
    );
  } else expect(read()).toEqual(scalarOf(expected));
});

test("no domain is none, also where the server stores null", () => {
  const read = (domains: JsonObject): unknown => facetNamed("domain").observe({ domains }, "Dataset").value;

  expect(read({ domains: null, domainAssociations: null })).toEqual(scalarOf(null));
  expect(read({})).toEqual(scalarOf(null));
});

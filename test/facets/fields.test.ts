import { expect, test } from "vitest";
import { facetNamed } from "../../src/facets/index.ts";
import type { Json } from "../../src/model/json.ts";

const email = "an email address, such as `alice@acme.com`";
const country = "a two-letter code, such as `CH`";

test.each<readonly [string, string, string | undefined]>([
  ["email", "alice@acme.com", undefined],
  ["email", "alice", email],
  ["email", "@acme.com", email],
  ["email", "alice@", email],
  ["email", "write to alice@acme.com", email],
  ["email", "alice@acme.com please", email],
  ["country_code", "CH", undefined],
  ["country_code", "ch", undefined],
  ["country_code", "CHE", country],
  ["country_code", "C1", country],
  ["country_code", "C", country],
])("%s takes %j, which should be: %s", (name, text, expected) => {
  expect(facetNamed(name).parse(text)).toStrictEqual({
    value: text,
    references: [],
    ...(expected !== undefined && { warning: { code: "looks-wrong", args: { text, expected } } }),
  });
});

test.each<readonly [string, Json, Json]>([
  ["definition", "Revenue.\n", "Revenue.\n"],
  ["term_source", "EXTERNAL", "EXTERNAL"],
  ["source_ref", "FIBO", "FIBO"],
  ["department_id", 4711, 4711],
])("%s takes %j as it is", (name, written, value) => {
  expect(facetNamed(name).parse(written)).toStrictEqual({ value, references: [] });
});

test.each([
  ["name", "finance", "finance"],
  ["term_source", "finance", "INTERNAL"],
])("a new entity without a %s, by the id %s, has %s", (name, key, value) => {
  const { isRequired, implied } = facetNamed(name);

  expect([isRequired, implied?.for, implied?.value(key)]).toEqual([true, "new-entity", value]);
});

test.each([
  ["parent_domain", "IsPartOf", "domain", ["domain"]],
  ["parent_node", "IsPartOf", "term group", ["glossaryNode"]],
])("%s makes the relationship %s, and a %s gets or loses it", (name, relationship, noun, refersTo) => {
  expect(facetNamed(name)).toMatchObject({
    relationship,
    refersTo,
    wording: { gains: "gets", loses: "loses", noun },
  });
});

test("a manager is one to whom others report", () => {
  expect(facetNamed("manager_urn").relationship).toBe("ReportsTo");
});

test("a definition is prose, and can be unset", () => {
  const { isProse, isRequired, implied, blank } = facetNamed("definition");

  expect([isProse, isRequired, implied, blank]).toEqual([true, false, undefined, null]);
});

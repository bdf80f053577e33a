import { expect, test } from "vitest";
import { entitiesByName, namedAs } from "../../../src/plan/checks/suggestions.ts";
import { urn } from "../../support/states.ts";

const entities = entitiesByName([
  [urn("urn:li:domain:2fb"), " Sales EMEA "],
  [urn("urn:li:tag:t"), "Sales EMEA"],
  [urn("urn:li:tag:b"), "R&D (EU), old"],
  [urn("urn:li:corpGroup:z"), "Stewards"],
  [urn("urn:li:corpGroup:a"), "stewards"],
]);

test.each<readonly [string, object]>([
  ["urn:li:domain:Sales EMEA", { named: ["2fb"], suggestion: "2fb" }],
  ["urn:li:domain:sales emea", { named: ["2fb"], suggestion: "2fb" }],
  ["urn:li:tag:Sales EMEA", { named: ["t"], suggestion: "t" }],
  ["urn:li:tag:R&D %28EU%29%2C old", { named: ["b"], suggestion: "b" }],
  ["urn:li:corpGroup:Stewards", { named: ["a", "z"] }],
  ["urn:li:corpuser:Stewards", {}],
  ["urn:li:domain:Sales", {}],
])("for %s it finds %j", (text, found) => {
  expect(namedAs(urn(text), entities)).toEqual(found);
});

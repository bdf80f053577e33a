import { expect, test } from "vitest";
import type { OwnValue } from "../../../src/model/change.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { contentOf } from "../../../src/plan/align/deleted-content.ts";
import { urn } from "../../support/states.ts";

const product = { urn: urn("urn:li:dataProduct:a"), kind: "DataProduct" };
const stamp = { time: 0, actor: "urn:li:corpuser:bob" };
const tag = "urn:li:tag:pii";
const bob: OwnValue = {
  facet: "owners",
  elements: [{ owner: "urn:li:corpuser:bob", type: "urn:li:ownershipType:__system__technical_owner" }],
};

const owner = { owner: "urn:li:corpuser:bob", type: "TECHNICAL_OWNER" };

test.each<readonly [string, readonly OwnValue[], JsonObject, object]>([
  [
    "what values have is not kept again, nor what is blank",
    [{ facet: "name", value: "A" }],
    { dataProductProperties: { name: "A", customProperties: {}, externalUrl: null } },
    {},
  ],
  [
    "when and by whom something was written is not kept",
    [{ facet: "tags", elements: [tag] }],
    {
      globalTags: { tags: [{ tag, attribution: { ...stamp, source: "urn:li:dataHubAction:a" } }] },
      status: { removed: false },
    },
    {},
  ],
  [
    "what the server writes of an owner whom people named is not kept",
    [bob],
    {
      ownership: { owners: [{ ...owner, source: { type: "MANUAL" } }], ownerTypes: {}, lastModified: stamp },
    },
    {},
  ],
  [
    "another source of an owner is kept with the owner",
    [bob],
    {
      ownership: {
        owners: [{ ...owner, source: { type: "SERVICE", url: "https://a" } }],
        lastModified: stamp,
      },
    },
    { values: [{ ...bob, stored: [{ ...owner, source: { type: "SERVICE", url: "https://a" } }] }] },
  ],
  [
    "an aspect of which no value has anything is kept with what DataHub requires in it",
    [],
    { displayProperties: { colorHex: "#123456", icon: null, changed: stamp } },
    { aspects: { displayProperties: { colorHex: "#123456", icon: null, changed: stamp } } },
  ],
  ["an aspect that no kind has is not kept", [], { corpUserCredentials: { salt: "a" } }, {}],
  [
    "too much is not kept",
    [],
    { dataProductProperties: { customProperties: { a: "x".repeat(100_001) } } },
    { aspects: null },
  ],
])("%s", (_, values, stored, kept) => {
  expect(contentOf(product, values, stored)).toEqual({ values, ...kept });
});

test("of what is only soft-deleted nothing is kept: it stays in the catalog", () => {
  const property = { urn: urn("urn:li:structuredProperty:a"), kind: "StructuredProperty" };
  const stored = { propertyDefinition: { searchConfiguration: { a: "b" } } };

  expect(contentOf(property, [], stored)).toEqual({ values: [] });
});

import { expect, test } from "vitest";
import { facetNamed } from "../../src/facets/index.ts";
import type { Json } from "../../src/model/json.ts";
import type { Member, Scalar } from "../../src/model/state.ts";

const technical = "urn:li:ownershipType:__system__technical_owner";
const ownerAs = (owner: string, type: string): Member => ({ owner, type });

const rows: readonly (readonly [string, Member | Scalar, Json])[] = [
  ["tags", "urn:li:tag:pii", "pii"],
  ["tags", "urn:li:tag:a b", "a b"],
  ["tags", "urn:li:tag:a%2Cb%28c%29", "a,b(c)"],
  ["tags", "urn:li:tag:urn:li:tag:x", "urn:li:tag:urn:li:tag:x"],
  ["tags", "urn:li:tag:a,b", "urn:li:tag:a,b"],
  ["columns.tags", "urn:li:tag:none", "none"],
  ["domain", "urn:li:domain:finance", "finance"],
  ["parent_domain", "urn:li:domain:finance", "finance"],
  ["manager_urn", "urn:li:corpuser:alice@acme.com", "alice@acme.com"],
  ["members", "urn:li:corpuser:alice@acme.com", "alice@acme.com"],
  ["groups", "urn:li:corpGroup:g", "g"],
  ["description", "a\nb", "a\nb"],
  ["department_id", 7, 7],
  ["owners", ownerAs("urn:li:corpuser:a", technical), { user: "a" }],
  [
    "owners",
    ownerAs("urn:li:corpGroup:g", "urn:li:ownershipType:__system__consumer"),
    { group: "g", type: "CONSUMER" },
  ],
  ["owners", ownerAs("urn:li:corpGroup:g", "urn:li:ownershipType:mine"), { group: "g", type: "mine" }],
  [
    "owners",
    ownerAs("urn:li:corpGroup:g", "urn:li:ownershipType:MINE"),
    { group: "g", type: "urn:li:ownershipType:MINE" },
  ],
  [
    "owners",
    ownerAs("urn:li:corpuser:a", "urn:li:ownershipType:TECHNICAL_OWNER"),
    { user: "a", type: "urn:li:ownershipType:TECHNICAL_OWNER" },
  ],
];

test.each(rows)("%s writes %j as %j, and takes that for the same value", (name, value, written) => {
  const facet = facetNamed(name);
  expect(facet.written(value)).toEqual(written);
  expect(facet.parse(written)).toMatchObject({ value });
});

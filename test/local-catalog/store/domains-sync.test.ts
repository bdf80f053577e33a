import { expect, test } from "vitest";
import { syncDomains } from "../../../src/local-catalog/store/domains-sync.ts";

const [a, b] = ["urn:li:domain:a", "urn:li:domain:b"] as const;
const noted = { domain: a, context: "kept" };
const propagated = { domain: b, attribution: { sourceDetail: { propagated: "TRUE" } } };

test.each([
  [
    "domains alone get associations",
    { domains: [a, b] },
    undefined,
    { domains: [a, b], domainAssociations: [{ domain: a }, { domain: b }] },
  ],
  [
    "the association of a domain that stays is kept",
    { domains: [b, a] },
    { domains: [a], domainAssociations: [noted] },
    { domains: [a, b], domainAssociations: [noted, { domain: b }] },
  ],
  [
    "associations alone decide over domains",
    { domainAssociations: [noted] },
    { domains: [b], domainAssociations: [{ domain: b }] },
    { domains: [a], domainAssociations: [noted] },
  ],
  [
    "associations that change win over domains that do not",
    { domains: [b], domainAssociations: [noted] },
    { domains: [b], domainAssociations: [{ domain: b }] },
    { domains: [a], domainAssociations: [noted] },
  ],
  [
    "domains that change win over associations that do not",
    { domains: [a], domainAssociations: [{ domain: b }] },
    { domains: [b], domainAssociations: [{ domain: b }] },
    { domains: [a], domainAssociations: [{ domain: a }] },
  ],
  [
    "propagated associations come last",
    { domainAssociations: [propagated, noted] },
    undefined,
    { domains: [a, b], domainAssociations: [noted, propagated] },
  ],
  ["an empty aspect", { domains: [] }, undefined, { domains: [], domainAssociations: [] }],
])("%s", (_name, proposed, before, expected) => {
  expect(syncDomains(proposed, before, "urn:li:tag:x")).toEqual(expected);
});

test("contradicting changes of both fields are rejected with the entity", () => {
  const both = { domains: [a], domainAssociations: [{ domain: b }] };
  expect(() => syncDomains(both, undefined, "urn:li:tag:x")).toThrow(
    /^Cannot update both .* Entity: urn:li:tag:x$/,
  );
});

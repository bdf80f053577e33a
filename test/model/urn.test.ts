import fc from "fast-check";
import { expect, test } from "vitest";
import { assetPartsOf, assetUrn } from "../../src/model/asset-urn.ts";
import { encodePart, plainKeyOf, entityTypeOf, keyOf, parseUrn } from "../../src/model/urn.ts";
import { fabrics } from "../../src/model/urn-parts.ts";
import { urn } from "../support/states.ts";

test.each([
  "urn:li:tag:pii",
  "urn:li:tag:a tag with spaces",
  "urn:li:tag:🏷",
  "urn:li:tag:dbt:finance",
  "urn:li:corpuser:alice@acme.com",
  "urn:li:corpGroup:finance-data",
  "urn:li:tag: lead",
  "urn:li:container:0a1b2c",
  "urn:li:ownershipType:__system__none",
  "urn:li:dataset:(urn:li:dataPlatform:s3,project/root/events/logging_events_bckp,PROD)",
  "urn:li:dataset:(urn:li:dataPlatform:hive,a%2Cb,SBX)",
  "urn:li:dataset:(urn:li:dataPlatform:webdata-direct:marketo-marketo,marketo.activity6,PROD)",
  "urn:li:dataset:(urn:li:dataPlatform:hive,a(b)c,DEV)",
  `urn:li:tag:${"x".repeat(495)}`,
])("%s is a URN", (text) => {
  expect(parseUrn(text)).toEqual({ urn: text });
});

test.each([
  ["pii", "prefix"],
  ["urn:li:tag", "prefix"],
  ["urn:li::pii", "prefix"],
  ["URN:LI:tag:pii", "prefix"],
  ["urn:li:tag:", "empty-key"],
  [" urn:li:tag:pii", "prefix"],
  ["urn:li:tag:pii ", "white-space"],
  ["urn:li:tag:  ", "white-space"],
  ["urn:li:tag:a␟b", "separator"],
  ["urn:li:tag:a)b(", "brackets"],
  ["urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD", "brackets"],
  ["urn:li:dataset:a", "asset-parts"],
  ["urn:li:dataset:(urn:li:dataPlatform:hive,PROD)", "asset-parts"],
  ["urn:li:dataset:(urn:li:dataPlatform:hive,a,b,PROD)", "asset-parts"],
  ["urn:li:dataset:(urn:li:dataPlatform:hive,,PROD)", "asset-parts"],
  ["urn:li:notebook:querybook", "asset-parts"],
  ["urn:li:dataset:(hive,a,PROD)", "platform"],
  ["urn:li:dataset:(urn:li:dataPlatform:,a,PROD)", "platform"],
  ["urn:li:dataset:(urn:li:dataPlatform:urn:li:dataPlatform:hive,a,PROD)", "platform"],
  ["urn:li:dataset:(urn:li:dataPlatform:hive,a,PRDO)", "fabric"],
  [`urn:li:tag:${"ü".repeat(150)}`, "length"],
  [`urn:li:tag:${"x".repeat(510)}`, "length"],
])("%s is refused because of its %s", (text, reason) => {
  expect(parseUrn(text)).toMatchObject({ fault: { reason } });
});

test("a refused fabric or platform is named", () => {
  expect(parseUrn("urn:li:dataset:(urn:li:dataPlatform:hive,a,PRDO)")).toEqual({
    fault: { reason: "fabric", detail: "PRDO" },
  });
  expect(parseUrn("urn:li:dataset:(hive,a,PROD)")).toEqual({ fault: { reason: "platform", detail: "hive" } });
});

test("a URN has an entity type and a key", () => {
  expect(entityTypeOf(urn("urn:li:tag:dbt:finance"))).toBe("tag");
  expect(keyOf(urn("urn:li:tag:dbt:finance"))).toBe("dbt:finance");
});

test.each([
  ["a", "a"],
  ["a,b", "a%2Cb"],
  ["f(x)", "f%28x%29"],
  ["a␟b", "a%E2%90%9Fb"],
  ["100%", "100%"],
  ["ü 🏷/", "ü 🏷/"],
])("%s stands in a URN as %s", (text, encoded) => {
  expect(encodePart(text)).toBe(encoded);
  expect(plainKeyOf(urn(`urn:li:tag:x${encoded}`))).toBe(`x${text}`);
});

test("a platform is taken by name and as a URN", () => {
  const parts = { name: "a", fabric: "PROD" };
  expect(assetUrn("dataset", { platform: "urn:li:dataPlatform:hive", ...parts })).toEqual(
    assetUrn("dataset", { platform: "hive", ...parts }),
  );
});

test("the parts of a dataset come back from its URN", () => {
  const part = fc.stringMatching(/^[a-z0-9_.%-]{1,20}$/);
  fc.assert(
    fc.property(part, part, fc.constantFrom(...fabrics), (platform, name, fabric) => {
      const result = assetUrn("dataset", { platform, name, fabric });
      expect("urn" in result && assetPartsOf(result.urn)).toEqual({ platform, name, fabric });
    }),
    { numRuns: 1000 },
  );
});

test("whatever the name, the URN made of it is well-formed or refused for its white space or length", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: "grapheme" }), (name) => {
      const result = assetUrn("dataset", { platform: "hive", name, fabric: "PROD" });
      expect("urn" in result || result.fault.reason).toSatisfy((each) => each === true || each === "length");
    }),
    { numRuns: 1000 },
  );
});

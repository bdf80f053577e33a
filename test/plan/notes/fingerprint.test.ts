import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Coverage } from "../../../src/model/change.ts";
import type { Mode } from "../../../src/model/settings.ts";
import { type Member, scalarOf, setOf } from "../../../src/model/state.ts";
import { coverageOf, coveredIn, fingerprintOf } from "../../../src/plan/notes/fingerprint.ts";
import { sha256 } from "../../../src/plan/base/hash.ts";

const owner = (id: string, type = "t"): Member => ({ owner: `urn:li:corpuser:${id}`, type });

describe("a fingerprint", () => {
  const set = { shape: "set", add: ["new"], remove: ["old"] } as const;

  test("is one of the live value, and of none where there is none", () => {
    expect(fingerprintOf(scalarOf("x"), { shape: "scalar" })).toBe(sha256("x"));
    expect(fingerprintOf(undefined, { shape: "scalar" })).toBe(sha256(null));
    expect(fingerprintOf(setOf(["x"]), { shape: "scalar" })).toBe(sha256(null));
    expect(fingerprintOf(setOf(["x"]), set)).toBe(sha256(["x"]));
    expect(fingerprintOf(undefined, set)).toBe(sha256([]));
    expect(fingerprintOf(scalarOf("x"), set)).toBe(sha256([]));
  });

  test.each<readonly [string, readonly Member[], Coverage | undefined, readonly Member[]]>([
    ["all elements", ["a", "b"], undefined, ["a", "b"]],
    [
      "all but those that a pattern names",
      ["a1", "b1", "b2"],
      { elements: [], except: ["a*", "*2"] },
      ["b1"],
    ],
    ["those that are named, whatever the pattern", ["a", "b"], { elements: ["a"], except: ["*"] }, ["a"]],
    ["what is added and taken away", ["new", "old", "x"], { elements: [], except: ["*"] }, ["new", "old"]],
    [
      "owners but those of whom a text fits a pattern",
      [owner("a"), owner("b"), owner("c", "b-type")],
      { elements: [], except: ["*:b", "b-*"] },
      [owner("a")],
    ],
  ])("of a set covers %s", (_, members, covers, covered) => {
    expect(coveredIn(members, { ...set, ...(covers && { covers }) })).toEqual(covered);
  });
});

describe("what the fingerprint of a change covers", () => {
  const sides = { desired: ["kept", "new"], live: ["kept", "old", "theirs"], base: ["kept", "gone"] };
  const change = { add: ["new"], remove: ["old"] };

  test.each<readonly [string, string, Mode, boolean, readonly string[], Coverage | undefined]>([
    ["all of a set that is ours", "tags", "authoritative", true, [], undefined],
    ["all but what is left alone", "tags", "authoritative", true, ["x*"], { elements: [], except: ["x*"] }],
    [
      "what is or was declared, where others may add",
      "tags",
      "additive",
      true,
      [],
      { elements: ["gone", "kept"], except: ["*"] },
    ],
    [
      "the same where it is merged, whatever is left alone",
      "tags",
      "merge",
      true,
      ["x*"],
      { elements: ["gone", "kept"], except: ["*"] },
    ],
    [
      "of edges those that the plan saw and that stay",
      "members",
      "authoritative",
      true,
      [],
      { elements: ["kept", "theirs"], except: [] },
    ],
    [
      "of edges none that are left alone",
      "members",
      "authoritative",
      true,
      ["the*"],
      { elements: ["kept"], except: ["the*"] },
    ],
    [
      "of edges that users list nothing but the change",
      "members",
      "authoritative",
      false,
      [],
      { elements: [], except: ["*"] },
    ],
    [
      "of edges to which others may add nothing but the change",
      "members",
      "additive",
      true,
      [],
      { elements: [], except: ["*"] },
    ],
  ])("is %s", (_, facet, mode, isWhole, ignored, covers) => {
    expect(coverageOf(facet, change, { ...sides, mode, isWhole, ignored })).toEqual(covers);
  });
});

test.each([[null], ["x"], [{ b: 1, a: ["x", { d: null, c: true }] }]])(
  "a hash is one of the canonical JSON: %j",
  (value) => {
    const sorted =
      value !== null && typeof value === "object" ? { a: ["x", { c: true, d: null }], b: 1 } : value;
    const expected = createHash("sha256").update(JSON.stringify(sorted)).digest("hex");

    expect(sha256(value)).toBe(expected);
  },
);

test("a hash of a value of many pieces is that of the whole", () => {
  const value = Array.from({ length: 40_000 }, (_, index) => ({ id: index, text: "x".repeat(40) }));

  expect(sha256(value)).toBe(createHash("sha256").update(JSON.stringify(value)).digest("hex"));
});

import { describe, expect, test } from "vitest";
import type { Requirement } from "../../../src/model/catalog-policy.ts";
import { scalarOf, setOf } from "../../../src/model/state.ts";
import { matchesSubject } from "../../../src/plan/policies/matches.ts";
import { allTrue, checkRequirement, reasonsIn } from "../../../src/plan/policies/requirements.ts";
import type { Truth } from "../../../src/plan/policies/subject.ts";
import { byKeys, owners, peopleOf, subjectOf, tags } from "./subjects.ts";

const subject = subjectOf({
  domain: scalarOf("urn:li:domain:finance"),
  description: scalarOf("An invoice."),
  deprecation: scalarOf(null),
  tags: tags("pii", "old"),
  glossary_terms: setOf([]),
  links: setOf([{ url: "https://a.b/c", label: "Wiki" }]),
  owners: owners(
    ["corpuser:ann", "DATA_STEWARD"],
    ["corpuser:bob", "DATA_STEWARD"],
    ["corpuser:cyd", "TECHNICAL_OWNER"],
    ["corpGroup:team", "BUSINESS_OWNER"],
  ),
  "columns.tags": byKeys([["email"], setOf(["urn:li:tag:pii"])]),
  structured_properties: byKeys([["urn:li:structuredProperty:retention"], setOf([90])]),
});

/** Bob is known to have left, and nothing is known of Cyd. */
const people = peopleOf({ "corpuser:ann": true, "corpuser:bob": false, "corpGroup:team": true });

type Row = readonly [truth: Truth, reason: string];

/** What a requirement comes to. */
function checked(requirement: Requirement, above?: readonly string[]): readonly Row[] {
  return checkRequirement(requirement, subject, people, above).map(({ truth, reason }) => [truth, reason]);
}

describe("what must be there, or must not", () => {
  test.each<readonly [Requirement, Row]>([
    [{ facet: "domain", present: true }, [true, "has no domain"]],
    [{ facet: "domain", present: false }, [false, "has domain"]],
    [{ facet: "glossary_terms", present: true }, [false, "has no glossary_terms"]],
    [{ facet: "glossary_terms", present: false }, [true, "has glossary_terms"]],
    [{ facet: "deprecation", present: false }, [true, "has deprecation"]],
    [{ facet: "data_products", present: true }, ["unknown", "data_products could not be read"]],
  ])("%j", (requirement, row) => {
    expect(checked(requirement)).toEqual([row]);
  });

  test("is no empty text, and also what ingestion wrote where nobody edited it", () => {
    const shown = (value: string | null, fallback?: string): Truth | undefined => {
      const description = { ...scalarOf(value), ...(fallback !== undefined && { fallback }) };
      const requirement = { facet: "description", present: true };
      return checkRequirement(requirement, subjectOf({ description }), people)[0]?.truth;
    };
    expect([shown("x"), shown(null, "x"), shown(""), shown(null), shown(null, "")]).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  test("of a column is named by what the column has", () => {
    expect(checked({ facet: "columns.tags", present: true }, ["email"])).toEqual([[true, "has no tags"]]);
    expect(checked({ facet: "columns.tags", present: true }, ["id"])).toEqual([[false, "has no tags"]]);
  });

  test("below keys is named by ids", () => {
    const at = (property: string): Requirement => ({
      facet: "structured_properties",
      path: [`urn:li:structuredProperty:${property}`],
      present: true,
    });
    expect(checked(at("retention"))).toEqual([[true, "has no structured_properties.retention"]]);
    expect(checked(at("tier"))).toEqual([[false, "has no structured_properties.tier"]]);
  });
});

describe("how many owners there must be", () => {
  test.each<readonly [Omit<Requirement, "facet">, readonly Row[]]>([
    [{ min: 4 }, [[true, "has 4 owners, at least 4 required"]]],
    [{ min: 5 }, [[false, "has 4 owners, at least 5 required"]]],
    [{ max: 4 }, [[true, "has 4 owners, at most 4 allowed"]]],
    [{ max: 3 }, [[false, "has 4 owners, at most 3 allowed"]]],
    [
      { min: 5, max: 3 },
      [
        [false, "has 4 owners, at least 5 required"],
        [false, "has 4 owners, at most 3 allowed"],
      ],
    ],
    [{ types: ["DATA_STEWARD"] }, [[true, "has 2 owners (DATA_STEWARD), at least 1 required"]]],
    [{ types: ["NONE"] }, [[false, "has 0 owners (NONE), at least 1 required"]]],
    [
      { types: ["DATA_STEWARD", "BUSINESS_OWNER"], min: 3 },
      [[true, "has 3 owners (DATA_STEWARD or BUSINESS_OWNER), at least 3 required"]],
    ],
    [{ types: ["DATA_STEWARD"], max: 1 }, [[false, "has 2 owners (DATA_STEWARD), at most 1 allowed"]]],
    [{ ownerKind: "group" }, [[true, "has 1 owners (group), at least 1 required"]]],
    [{ ownerKind: "user", min: 4 }, [[false, "has 3 owners (user), at least 4 required"]]],
    [{ active: true }, [[true, "has 3 owners (active), at least 1 required"]]],
    [{ active: true, min: 3 }, [["unknown", "has 3 owners (active), at least 3 required"]]],
    [{ active: true, min: 4 }, [[false, "has 3 owners (active), at least 4 required"]]],
    [{ active: true, max: 3 }, [[true, "has 2 owners (active), at most 3 allowed"]]],
    [{ active: true, max: 2 }, [["unknown", "has 2 owners (active), at most 2 allowed"]]],
    [{ active: true, max: 1 }, [[false, "has 2 owners (active), at most 1 allowed"]]],
    [
      { types: ["DATA_STEWARD"], ownerKind: "user", active: true, min: 2 },
      [[false, "has 1 owners (DATA_STEWARD, user, active), at least 2 required"]],
    ],
  ])("%j", (requirement, rows) => {
    expect(checked({ facet: "owners", ...requirement })).toEqual(rows);
  });

  test("values that are no owners do not count", () => {
    const restrictions: readonly Omit<Requirement, "facet">[] = [
      { types: ["DATA_STEWARD"] },
      { ownerKind: "group" },
      { active: true },
    ];
    expect(restrictions.map((each) => checked({ facet: "tags", ...each })[0]?.[0])).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe("which values there must be", () => {
  test.each<readonly [Requirement, Row]>([
    [
      { facet: "domain", anyOf: ["sales", "fin*"] },
      [true, "has no value in domain that matches any of sales, fin*"],
    ],
    [
      { facet: "domain", anyOf: ["urn:li:domain:f*"] },
      [true, "has no value in domain that matches urn:li:domain:f*"],
    ],
    [{ facet: "domain", anyOf: ["finance?"] }, [false, "has no value in domain that matches finance?"]],
    [{ facet: "glossary_terms", anyOf: ["*"] }, [false, "has no value in glossary_terms that matches *"]],
    [{ facet: "links", anyOf: ["Wiki"] }, [true, "has no value in links that matches Wiki"]],
    [{ facet: "tags", noneOf: ["tier-*"] }, [true, "has tags "]],
    [{ facet: "tags", noneOf: ["o*", "pii"] }, [false, "has tags old, pii"]],
    [{ facet: "tags", noneOf: ["urn:li:tag:old"] }, [false, "has tags old"]],
    [{ facet: "tags", oneOf: ["old", "pii"] }, [true, "tags is , but must be one of old, pii"]],
    [{ facet: "tags", oneOf: ["older"] }, [false, "tags is old, pii, but must be one of older"]],
    [{ facet: "tags", oneOf: ["pii", "gold"] }, [false, "tags is old, but must be one of pii, gold"]],
    [
      { facet: "domain", oneOf: ["urn:li:domain:finance"] },
      [true, "domain is , but must be one of urn:li:domain:finance"],
    ],
    [{ facet: "glossary_terms", oneOf: ["a"] }, [false, "glossary_terms is not set, but must be one of a"]],
    [{ facet: "description", pattern: "An *." }, [true, "description does not match An *."]],
    [{ facet: "description", pattern: "??" }, [false, "description does not match ??"]],
    [{ facet: "tags", pattern: "p?i" }, [true, "tags does not match p?i"]],
    [{ facet: "glossary_terms", pattern: "*" }, [false, "glossary_terms does not match *"]],
  ])("%j", (requirement, row) => {
    expect(checked(requirement)).toEqual([row]);
  });

  test("one that counts must be among them, and it is unknown where it is not known who counts", () => {
    const ofOwners = (anyOf: readonly string[]): Truth | undefined =>
      checked({ facet: "owners", active: true, anyOf }).at(-1)?.[0];
    expect([["ann"], ["bob"], ["bob", "cyd"], ["ann", "cyd"]].map(ofOwners)).toEqual([
      true,
      false,
      "unknown",
      true,
    ]);
  });
});

test("the reasons are those that decide", () => {
  const all = (["true", "false", "unknown"] as const).map((name) => ({
    truth: name === "unknown" ? name : name === "true",
    reason: name,
  }));
  const summaryOf = (...names: readonly string[]): readonly unknown[] => {
    const some = all.filter(({ reason }) => names.includes(reason));
    return [allTrue(some), reasonsIn(some)];
  };
  expect(summaryOf("true", "false", "unknown")).toEqual([false, ["false"]]);
  expect(summaryOf("true", "unknown")).toEqual(["unknown", ["unknown"]]);
  expect(summaryOf("true")).toEqual([true, ["true"]]);
  expect(summaryOf()).toEqual([true, []]);
});

describe("a pattern is one of URNs only where it begins with `urn:`", () => {
  const team = subjectOf({
    owners: owners(["corpGroup:team", "DATA_STEWARD"]),
    tags: tags("pii", "user"),
  });
  test.each<readonly [patterns: readonly string[], owned: Truth, tagged: Truth]>([
    [["u*"], false, true],
    [["urn*"], false, false],
    [["*corp*"], false, false],
    [["*:team"], false, false],
    [["te*"], true, false],
    [["urn:li:corpGroup:*"], true, false],
    [["urn:li:tag:p*", "nothing"], false, true],
    [["*"], true, true],
  ])("%j", (anyOf, owned, tagged) => {
    const truthOf = (facet: string, requirement: Partial<Requirement>): Truth | undefined =>
      checkRequirement({ facet, ...requirement }, team, new Map())[0]?.truth;
    expect([truthOf("owners", { anyOf }), truthOf("tags", { anyOf })]).toEqual([owned, tagged]);
    expect(truthOf("tags", { noneOf: anyOf })).toBe(!tagged);
    const matching = {
      conditions: [{ key: "tags", patterns: anyOf, origin: { file: "a", line: 1, column: 1 } }],
      exclusions: [],
    };
    expect(matchesSubject(matching, team)).toBe(tagged);
  });
});

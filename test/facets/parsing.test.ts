import { describe, expect, test } from "vitest";
import { refuseUrn } from "../../src/facets/parsing.ts";
import { facetNamed } from "../../src/facets/index.ts";
import {
  isOwnershipTypeEntity,
  nameOfOwnershipType,
  ownershipTypeNames,
} from "../../src/facets/ownership-types.ts";
import type { Json } from "../../src/model/json.ts";
import { fabrics } from "../../src/model/urn-parts.ts";

const system = "urn:li:ownershipType:__system__";
const technical = `${system}technical_owner`;
const refers = (urn: string, entityType: string): object => ({ urn, entityType });

describe("what is written is taken, with what it refers to:", () => {
  test.each<readonly [string, Json, object]>([
    ["domain", "d", { value: "urn:li:domain:d", references: [refers("urn:li:domain:d", "domain")] }],
    ["parent_domain", "d", { value: "urn:li:domain:d", references: [refers("urn:li:domain:d", "domain")] }],
    ["tags", "t", { value: "urn:li:tag:t", references: [refers("urn:li:tag:t", "tag")] }],
    ["columns.tags", "t", { value: "urn:li:tag:t", references: [refers("urn:li:tag:t", "tag")] }],
    ["members", "u", { value: "urn:li:corpuser:u", references: [refers("urn:li:corpuser:u", "corpuser")] }],
    [
      "members",
      { id: "u" },
      { value: "urn:li:corpuser:u", references: [refers("urn:li:corpuser:u", "corpuser")] },
    ],
    [
      "manager_urn",
      "u",
      { value: "urn:li:corpuser:u", references: [refers("urn:li:corpuser:u", "corpuser")] },
    ],
    ["name", "N", { value: "N", references: [] }],
    ["department_id", 7, { value: 7, references: [] }],
    ["color_hex", "#c0392b", { value: "#c0392b", references: [] }],
    ["removed", true, { value: false, references: [] }],
    [
      "owners",
      { user: "u" },
      {
        value: { owner: "urn:li:corpuser:u", type: technical },
        references: [refers("urn:li:corpuser:u", "corpuser"), refers(technical, "ownershipType")],
      },
    ],
    [
      "owners",
      { group: "g", type: "CONSUMER" },
      {
        value: { owner: "urn:li:corpGroup:g", type: `${system}consumer` },
        references: [refers("urn:li:corpGroup:g", "corpGroup")],
      },
    ],
    [
      "owners",
      { user: "u", type: "Architect" },
      {
        value: { owner: "urn:li:corpuser:u", type: "urn:li:ownershipType:Architect" },
        references: [
          refers("urn:li:corpuser:u", "corpuser"),
          refers("urn:li:ownershipType:Architect", "ownershipType"),
        ],
      },
    ],
    [
      "owners",
      "u",
      {
        value: { owner: "urn:li:corpuser:u", type: technical },
        references: [refers("urn:li:corpuser:u", "corpuser"), refers(technical, "ownershipType")],
      },
    ],
  ])("%s: %j", (name, written, parsed) => {
    expect(facetNamed(name).parse(written)).toEqual(parsed);
  });

  test.each([...ownershipTypeNames])("an owner of the type %s, by its name and by its URN", (type) => {
    const urn = `${system}${type.toLowerCase()}`;
    for (const written of [type, urn]) {
      expect(facetNamed("owners").parse({ user: "u", type: written })).toMatchObject({
        value: { type: urn },
      });
    }
    expect(nameOfOwnershipType(urn)).toBe(type);
  });

  test("ownership types that are no entity cannot be looked up", () => {
    const withoutEntity = ownershipTypeNames.filter(
      (name) => !isOwnershipTypeEntity(`${system}${name.toLowerCase()}`),
    );

    expect(withoutEntity).toEqual([
      "DATAOWNER",
      "DEVELOPER",
      "DELEGATE",
      "PRODUCER",
      "STAKEHOLDER",
      "CONSUMER",
    ]);
    expect(isOwnershipTypeEntity("urn:li:ownershipType:x")).toBe(true);
  });
});

describe("what is written is refused, with why and where:", () => {
  const wrong = (text: string, expected: string, at: readonly string[] = []): object => {
    return { code: "wrong-reference", args: { text, expected }, at };
  };
  const malformed = (text: string, reason: string, at: readonly string[] = []): object => {
    return { code: "malformed-urn", args: { text, reason }, at };
  };

  const amongTypes = (text: string): object => ({ text, names: ownershipTypeNames });

  test.each<readonly [string, Json, object]>([
    ["domain", "urn:li:tag:x", wrong("urn:li:tag:x", "domain")],
    ["domain", "d ", malformed("d ", "white-space")],
    ["parent_domain", "urn:li:tag:x", wrong("urn:li:tag:x", "domain")],
    ["tags", "urn:li:domain:x", wrong("urn:li:domain:x", "tag")],
    ["tags", "urn:li:tag:(a,b)", malformed("urn:li:tag:(a,b)", "parts")],
    ["tags", "urn:li:tag:", malformed("urn:li:tag:", "empty-key")],
    ["columns.tags", "urn:li:domain:x", wrong("urn:li:domain:x", "tag")],
    ["manager_urn", "urn:li:corpGroup:g", wrong("urn:li:corpGroup:g", "corpuser")],
    ["members", "urn:li:corpGroup:g", wrong("urn:li:corpGroup:g", "corpuser")],
    ["members", { id: "urn:li:corpGroup:g" }, wrong("urn:li:corpGroup:g", "corpuser", ["id"])],
    ["owners", { user: "urn:li:corpGroup:g" }, wrong("urn:li:corpGroup:g", "corpuser", ["user"])],
    ["owners", { group: "urn:li:corpuser:u" }, wrong("urn:li:corpuser:u", "corpGroup", ["group"])],
    ["owners", { user: "u ", type: "NONE" }, malformed("u ", "white-space", ["user"])],
    ["owners", { user: "u", type: "urn:li:tag:x" }, wrong("urn:li:tag:x", "ownershipType", ["type"])],
    ["owners", { user: "u", type: "x " }, malformed("x ", "white-space", ["type"])],
    [
      "owners",
      { user: "u", type: "CUSTOM" },
      { code: "custom-ownership-type", args: { text: "CUSTOM" }, at: ["type"] },
    ],
    [
      "owners",
      { user: "u", type: "OWNER" },
      {
        code: "unknown-ownership-type",
        args: { text: "OWNER" },
        at: ["type"],
        misspelt: amongTypes("OWNER"),
      },
    ],
    [
      "owners",
      { user: "u", type: "MY_OWNER" },
      {
        code: "unknown-ownership-type",
        args: { text: "MY_OWNER" },
        at: ["type"],
        misspelt: amongTypes("MY_OWNER"),
      },
    ],
    ["color_hex", "red", { code: "malformed-colour", args: { text: "red" }, at: [] }],
  ])("%s: %j", (name, written, refusal) => {
    expect(facetNamed(name).parse(written)).toEqual({ refusal });
  });

  // A name of one's own has a small letter, a digit or a sign in it somewhere.
  test.each(["Owner", "oWNER", "OWNEr", "OWNER1", "1OWNER", "OWNER-X", "_OWNER", "X.Y"])(
    "not an owner of the type %s, which may be one's own",
    (type) => {
      expect(facetNamed("owners").parse({ user: "u", type })).toMatchObject({
        value: { type: `urn:li:ownershipType:${type}` },
      });
    },
  );

  test.each<readonly [string, boolean]>([
    ["#abc", true],
    ["#abcd", true],
    ["#a0B1c2", true],
    ["#a0B1c2D3", true],
    ["#ab", false],
    ["#abcde", false],
    ["#abcdef0", false],
    ["#abcdef012", false],
    ["abc", false],
    ["#abg", false],
    ["x#abc", false],
    ["#abcx", false],
    ["#abc\n", false],
    ["#abcdeg", false],
    ["#abcdef0g", false],
  ])("as a colour, %j unless it can be drawn: %j", (text, isTaken) => {
    const result = facetNamed("color_hex").parse(text);

    expect("value" in result).toBe(isTaken);
  });

  test("a part of a URN that is at fault is named", () => {
    const text = "urn:li:dataset:(x,y,Z)";

    expect(refuseUrn(text, { reason: "fabric", detail: "Z" })).toEqual({
      refusal: {
        code: "malformed-urn",
        args: { text, reason: "fabric", detail: "Z" },
        at: [],
        misspelt: { text: "Z", names: fabrics },
      },
    });
    expect(refuseUrn(text, { reason: "entity-type" }, ["x"])).toEqual({
      refusal: { code: "wrong-reference", args: { text, expected: "" }, at: ["x"] },
    });
    expect(refuseUrn("x", { reason: "prefix" })).toStrictEqual({
      refusal: { code: "malformed-urn", args: { text: "x", reason: "prefix" }, at: [] },
    });
  });
});

test.each<readonly [string, Parameters<ReturnType<typeof facetNamed>["format"]>[0], string]>([
  ["domain", "urn:li:domain:d", "urn:li:domain:d"],
  ["description", 'a "quoted" text', 'a "quoted" text'],
  ["department_id", 7, "7"],
  ["removed", false, "false (restored)"],
  ["removed", true, "true (soft-deleted)"],
  ["domain", null, "null"],
  ["owners", { owner: "u", type: technical }, "u as TECHNICAL_OWNER"],
  ["owners", { owner: "u", type: "urn:li:ownershipType:x" }, "u as urn:li:ownershipType:x"],
  ["deprecation", {}, "{}"],
  ["deprecation", { note: "x", replacement: "y" }, "{ note: x, replacement: y }"],
])("a plan shows of %s the value %j as %s", (name, value, text) => {
  expect(facetNamed(name).format(value, (called) => called)).toBe(text);
});

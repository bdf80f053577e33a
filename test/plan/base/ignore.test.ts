import { describe, expect, test } from "vitest";
import type { IgnoreRule } from "../../../src/model/settings.ts";
import type { Member, Scalar } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { ignoring } from "../../../src/plan/base/ignore.ts";
import { datasetNamed, urn } from "../../support/states.ts";

const dataset = datasetNamed("a");
const owner = { owner: "urn:li:corpuser:bot", type: "urn:li:ownershipType:__system__none" };

type Rule = Omit<IgnoreRule, "reason">;

const ignores = (rule: Rule, facet: string, value: Member | Scalar): boolean =>
  ignoring([{ ...rule, reason: "r" }]).value(dataset, facet, value) !== undefined;

// What a rule says, a facet and value of the dataset, whether it is ignored.
const rows: readonly (readonly [string, Rule, string, Member | Scalar, boolean])[] = [
  ["a value of the facet", { facet: "tags", value: "urn:li:tag:*" }, "tags", "urn:li:tag:a", true],
  ["a value of another facet", { facet: "tags", value: "*" }, "columns.tags", "urn:li:tag:a", false],
  ["a value of any facet", { value: "urn:li:tag:a" }, "columns.tags", "urn:li:tag:a", true],
  ["another value", { facet: "tags", value: "urn:li:tag:b" }, "tags", "urn:li:tag:a", false],
  ["a bare id, which is no value", { value: "a" }, "tags", "urn:li:tag:a", false],
  ["an owner by URN", { facet: "owners", value: "urn:li:corpuser:*" }, "owners", owner, true],
  ["an owner by type", { facet: "owners", value: "*__system__none" }, "owners", owner, true],
  ["both URNs of an owner at once", { value: "urn:li:corpuser:*none" }, "owners", owner, false],
  ["a text", { facet: "description", value: "made by *" }, "description", "made by dbt", true],
  ["a text of two lines", { value: "made by *" }, "description", "made by\ndbt", false],
  ["a text over two lines", { value: "made*dbt" }, "description", "made by\ndbt", true],
  ["a number", { value: "12" }, "department_id", 12, true],
  ["a truth value", { value: "true" }, "removed", true, true],
  ["an empty text under `*`", { value: "*" }, "description", "", true],
  ["nothing under `*`", { value: "*" }, "description", null, false],
  ["nothing under a rule without value", { urn: "*", facet: "domain" }, "domain", null, true],
  ["all of a facet of an entity", { urn: "*,a,PROD)", facet: "tags" }, "tags", "urn:li:tag:a", true],
  ["all of another facet", { urn: "*,a,PROD)", facet: "tags" }, "domain", "urn:li:domain:a", false],
  ["all of an entity", { urn: "urn:li:dataset:*snowflake*" }, "domain", "urn:li:domain:a", true],
  ["all of another entity", { urn: "urn:li:dataset:*bigquery*" }, "domain", "urn:li:domain:a", false],
  ["a value of an entity", { urn: "*PROD)", value: "*:a" }, "tags", "urn:li:tag:a", true],
  ["a value of another entity", { urn: "*DEV)", value: "*:a" }, "tags", "urn:li:tag:a", false],
];

test.each(rows)("%s is asked for with an answer that the rule alone decides", (_, rule, facet, value, is) => {
  expect(ignores(rule, facet, value)).toBe(is);
});

const bot = "urn:li:corpuser:bot" as Urn;
const fin = "urn:li:corpGroup:fin" as Urn;

// A membership is one edge, so a rule that covers it from one side covers it from the other.
test.each<readonly [string, Rule, boolean]>([
  ["all of a user", { urn: "urn:li:corpuser:b*" }, true],
  ["all of a group", { urn: "urn:li:corpGroup:f*" }, true],
  ["all groups of a user", { urn: "urn:li:corpuser:b*", facet: "groups" }, true],
  ["a group of all users", { facet: "groups", value: fin }, true],
  ["a member of all groups", { facet: "members", value: bot }, true],
  ["another user", { urn: "urn:li:corpuser:a*" }, false],
  ["another facet of a user", { urn: "urn:li:corpuser:b*", facet: "title" }, false],
  ["owners that are the user", { facet: "owners", value: bot }, false],
])("a rule about %s covers a membership from both sides, or from none", (_, rule, is) => {
  const ignored = ignoring([{ ...rule, reason: "r" }]);
  expect(ignored.value(fin, "members", bot) !== undefined).toBe(is);
  expect(ignored.value(bot, "groups", fin) !== undefined).toBe(is);
});

test("without rules nothing is ignored", () => {
  const ignored = ignoring([]);

  expect(ignored.value(dataset, "tags", "urn:li:tag:a")).toBeUndefined();
  expect(ignored.entity(dataset)).toBeUndefined();
});

test("the first rule that fits is named", () => {
  const rules = [
    { facet: "owners", value: "*", reason: "1" },
    { value: "urn:li:tag:b", reason: "2" },
    { facet: "tags", urn: "*", reason: "3" },
    { value: "*", reason: "4" },
  ];
  const ignored = ignoring(rules);

  const named = ["urn:li:tag:a", "urn:li:tag:b", null].map((value) => ignored.value(dataset, "tags", value));

  expect(named.map((rule) => rule?.reason)).toEqual(["3", "2", "3"]);
});

test("an entity as a whole is left alone only by a rule that names neither facet nor value", () => {
  const rules = [
    { urn: "*", facet: "tags", reason: "1" },
    { urn: "*", value: "*", reason: "2" },
    { value: "*", reason: "3" },
    { facet: "tags", value: "*", reason: "4" },
  ];

  expect(ignoring(rules).entity(dataset)).toBeUndefined();
  expect(ignoring([{ reason: "of nothing" }]).entity(dataset)).toBeUndefined();
  expect(ignoring([...rules, { urn: "*a,PROD)", reason: "5" }]).entity(dataset)?.reason).toBe("5");
});

test("values whose texts are the same only when put together are two values", () => {
  const ignored = ignoring([{ value: "urn:li:corpuser:a", reason: "r" }]);
  const ask = (user: string, type: string) =>
    ignored.value(dataset, "owners", { owner: `urn:li:corpuser:${user}`, type }) !== undefined;

  expect([ask("a", "bc"), ask("ab", "c"), ask("a", "bc")]).toEqual([true, false, true]);
});

test("answers do not depend on what was asked before", () => {
  const other = dataset.replace("PROD", "DEV") as Urn;
  const ignored = ignoring([{ urn: "*PROD)", value: "urn:li:tag:a", reason: "r" }]);
  const ask = (of: Urn, value: string) => ignored.value(of, "tags", value) !== undefined;

  const answers = [dataset, other, dataset].flatMap((each) => [ask(each, "urn:li:tag:a"), ask(each, "b")]);

  expect(answers).toEqual([true, false, false, false, true, false]);
});

describe("the patterns of the elements that rules leave alone in a set", () => {
  const group = urn("urn:li:corpGroup:g");
  const [alice, team] = ["urn:li:corpuser:alice", "urn:li:corpGroup:g"];

  test.each<readonly [string, Urn, string, readonly Omit<IgnoreRule, "reason">[], readonly string[]]>([
    ["are those of rules about its facet", dataset, "tags", [{ facet: "tags", value: "x*" }], ["x*"]],
    ["are those of rules about all facets", dataset, "tags", [{ value: "x*" }], ["x*"]],
    ["are all where a rule names no value", dataset, "tags", [{ facet: "tags" }], ["*"]],
    ["are none of rules about another facet", dataset, "tags", [{ facet: "owners", value: "x*" }], []],
    [
      "are none of rules about other entities",
      dataset,
      "tags",
      [{ urn: "urn:li:container:*", value: "x*" }],
      [],
    ],
    [
      "stand once and in order",
      dataset,
      "tags",
      [{ value: "y" }, { value: "x" }, { facet: "tags", value: "y" }],
      ["x", "y"],
    ],
    [
      "are of members the users that a rule names",
      group,
      "members",
      [{ facet: "members", value: alice }],
      [alice],
    ],
    [
      "are of members those whose groups a rule leaves alone",
      group,
      "members",
      [{ facet: "groups", urn: alice }],
      [alice],
    ],
    [
      "are all members where a rule leaves their group alone in every user",
      group,
      "members",
      [{ facet: "groups", value: team }],
      ["*"],
    ],
    [
      "are none of members where users leave another group alone",
      group,
      "members",
      [{ facet: "groups", urn: alice, value: "urn:li:corpGroup:h" }],
      [],
    ],
    [
      "are of groups the same from the other end",
      urn(alice),
      "groups",
      [{ facet: "members", urn: team }],
      [team],
    ],
    [
      "are none of other facets for a rule about memberships",
      dataset,
      "tags",
      [{ facet: "groups", urn: alice }],
      [],
    ],
  ])("%s", (_, of, facet, rules, patterns) => {
    const all = rules.map((rule) => ({ ...rule, reason: "r" }));

    expect(ignoring(all).patterns(of, facet)).toEqual(patterns);
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expressionsOver, objectTypeOf } from "../../../src/plan/judge/expression.ts";
import { anyCharacter } from "../../support/any-text.ts";
import { counted, runsOf } from "../../support/runs.ts";

const owner = objectTypeOf("Owner", { id: "string", active: "bool", groups: "list<string>" });
const asset = objectTypeOf("Asset", {
  name: "string",
  owners: "list<Owner>",
  tags: "list<string>",
  structured_properties: "map<string, list<string>>",
});
const compile = expressionsOver({ asset, below: [owner] });

const many = Array.from({ length: 3000 }, (_, index) => `tag-${index}`);

const entity = asset.make({
  name: "prod.invoices",
  owners: [owner.make({ id: "alice", active: true, groups: ["finance"] })],
  tags: many,
  structured_properties: new Map([["retention", ["90"]]]),
});

/** What an expression comes to, or why it cannot be used. */
function outcomeOf(text: string): unknown {
  const expression = compile(text);
  return "reason" in expression ? expression : expression.evaluate(entity);
}

test.each([
  ['asset.owners.exists(o, o.id == "alice" && "finance" in o.groups)', true],
  ["asset.owners.all(o, !o.active)", false],
  ["asset.owners[0].active", true],
  ['like(asset.name, "prod.*")', true],
  ['like(asset.name, "*.orders")', false],
  ['asset.structured_properties["retention"].exists(v, int(v) >= 90)', true],
  ['"retention" in asset.structured_properties', true],
  ["size(asset.tags.filter(t, t.startsWith('tag-1'))) > 3", true],
  ["asset.tags.exists_one(t, t == 'tag-7')", true],
])("%s", (text, value) => {
  expect(outcomeOf(text)).toEqual({ value });
});

describe("refused before it runs", () => {
  test.each([
    ["asset.ownerz.size() > 0", "No such key: ownerz", 6],
    ["asset.owners.all(o, o.tipe == 'x')", "No such key: tipe", 22],
    ["asset.name", "must be true or false, but is of type string", 0],
    ["asset.name.matches('(a+)+$')", "cannot call matches()", 0],
    ["timestamp(1) == timestamp(1)", "cannot call timestamp()", 0],
    ["cel.bind(x, asset.name + asset.name, x == '')", "cannot call bind()", 0],
    ["asset.name ==", "Unexpected token: EOF", 13],
    ["asset.?name == ''", "Expected IDENTIFIER, got QUESTION", 6],
    ["asset.tags[?0] == ''", "Unexpected token: QUESTION", 11],
    [`asset.name == "${"x".repeat(3985)}"`, "is longer than 4000 characters", 0],
  ])("%s", (text, reason, at) => {
    expect(outcomeOf(text)).toEqual({ reason, at });
  });

  test.each([
    ["many nodes", Array.from({ length: 300 }, () => "true").join(" && ")],
    ["deep nesting", `${"(".repeat(200)}true${")".repeat(200)}`],
    ["deep lists", `${"[".repeat(100)}${"]".repeat(100)} == []`],
    ["long", `asset.name == "${"x".repeat(5000)}"`],
  ])("%s", (_, text) => {
    expect(outcomeOf(text)).toEqual({ reason: expect.any(String), at: expect.any(Number) });
  });
});

const tooLong = { unknown: "the expression took too many steps" };

test.each([
  ["loops in loops", "asset.tags.all(a, asset.tags.all(b, asset.tags.all(c, a + b + c != '')))"],
  [
    "an error that another operand hides",
    "asset.tags.exists(a, asset.tags.exists(b, asset.tags.exists(c, false))) || true",
  ],
  ["lists that are joined", "asset.tags.all(a, size(asset.tags + asset.tags + asset.tags) > 0)"],
  ["membership in loops", "asset.tags.all(a, a in asset.tags)"],
])("%s end, and are never true", (_, text) => {
  expect(outcomeOf(text)).toEqual(tooLong);
});

test("an expression that fails is unknown", () => {
  expect(outcomeOf('asset.structured_properties["tier"].size() == 0')).toEqual({
    unknown: "the expression failed: No such key: tier",
  });
  expect(outcomeOf("1 / 0 == 1")).toEqual({ unknown: "the expression failed: division by zero" });
});

test("an expression of the greatest length can be used", () => {
  expect(outcomeOf(`asset.name == "${"x".repeat(3984)}"`)).toEqual({ value: false });
});

test("an expression can be evaluated again", () => {
  const expression = compile("asset.tags.all(t, t != '')");
  if ("reason" in expression) throw new Error(expression.reason);
  for (let times = 0; times < 3; times += 1) expect(expression.evaluate(entity)).toEqual({ value: true });
});

test.each([
  ["asset.owners.exists(o, o.active) && asset.name != ''", ["owners", "active", "name"]],
  ["asset.name == 'asset'", ["name"]],
  ["size([asset]) > 0", undefined],
  ["asset['name'] == ''", undefined],
])("the fields of %s are known", (text, fields) => {
  const expression = compile(text);
  if ("reason" in expression) throw new Error(expression.reason);
  expect(expression.fields && [...expression.fields].toSorted()).toEqual(fields?.toSorted());
});

/** Parts of expressions, so that many of the texts are expressions. */
const part = fc.constantFrom(
  ..."asset|.owners|.tags|.name|.all(a, |.exists(b, |.map(c, |.filter(d, |)|(|[|]|a|b|c|d| + | == | in |!|?|:".split(
    "|",
  ),
  ..."'x'|1|1.5e308|{|}|.size()|.matches('(a+)+$')|like(|, |'*a*b*c*'|null|true|has(|-|9223372036854775807".split(
    "|",
  ),
  ..."&&_||_.constructor_.__proto___asset.tags_cel.bind(_type(_\\u0000_'''_r\"_//_\n".split("_"),
);

const text = fc.oneof(
  fc.array(part, { maxLength: 40 }).map((parts) => parts.join("")),
  fc.string({ maxLength: 200, unit: anyCharacter }),
);

/** Expressions that are well-formed, and do as much as they can: loops in loops, long strings and lists, regular expressions. */
const { bool: hostile } = fc.letrec<{ bool: string; list: string; string: string }>((tie) => {
  const [bool, list, string] = [tie("bool"), tie("list"), tie("string")];
  const of = (template: string, ...parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
    fc.tuple(...parts).map((made) => made.reduce((all, each) => all.replace("#", () => each), template));
  const deep = { maxDepth: 9, depthSize: "large" } as const;
  return {
    string: fc.oneof(
      deep,
      fc.constantFrom("asset.name", "x", "'a'", `'${"ab".repeat(500)}'`, "'*a*b*a*b*'"),
      of("(# + #)", string, string),
      of("#.upperAscii()", string),
    ),
    list: fc.oneof(
      deep,
      fc.constantFrom("asset.tags", "asset.structured_properties['retention']", "[]", "[asset.name, 'a']"),
      of("(# + #)", list, list),
      of("#.filter(x, #)", list, bool),
      of("#.map(x, #)", list, string),
      of("#.map(x, x + x).map(x, x + x).map(x, x + x)", list),
      of("[#, #, #, #]", string, string, string, string),
    ),
    bool: fc.oneof(
      deep,
      fc.constantFrom("true", "asset.owners.exists(o, o.active)"),
      of("#.all(x, #)", list, bool),
      of("#.exists(x, # || false)", list, bool),
      of("#.exists_one(x, #)", list, bool),
      of("(# in #)", string, list),
      of("like(#, #)", string, string),
      of("#.contains(#)", string, string),
      of("(size(#) > 2)", list),
      of("(# && #)", bool, bool),
      of("(# ? # : #)", bool, bool, bool),
      of("#.matches('(a+)+$')", string),
    ),
  };
});

const runs = runsOf(3200);

/** The most steps of one evaluation, and an entity that counts how often a field of it is asked for: each time is a step. */
const mostSteps = 2_000_000;
const stepped = { reads: 0 };
const countedEntity = asset.make({ ...entity, tags: many.slice(0, 200) });
for (const [name, value] of Object.entries(countedEntity))
  Object.defineProperty(countedEntity, name, {
    get: () => {
      stepped.reads += 1;
      return value as unknown;
    },
  });

test("every text ends within its steps: it is refused, true, false or unknown", counted, () => {
  const seen = { value: 0, unknown: 0, reason: 0 };
  fc.assert(
    fc.property(fc.oneof(text, { arbitrary: hostile, weight: 2 }), (each) => {
      const expression = compile(each);
      stepped.reads = 0;
      const outcome = "reason" in expression ? expression : expression.evaluate(countedEntity);
      expect(stepped.reads).toBeLessThanOrEqual(mostSteps);
      const [key, ...others] = Object.keys(outcome) as (keyof typeof seen)[];
      expect(others).toEqual(key === "reason" ? ["at"] : []);
      if (key) seen[key] += 1;
    }),
    { numRuns: runs },
  );
  // Each of them is in one of these, and many have a value: otherwise it would show nothing.
  expect(seen.value + seen.unknown + seen.reason).toBe(runs);
  expect(seen.value).toBeGreaterThan(runs / 20);
});

test("every nest of loops ends", counted, () => {
  const loop = fc.constantFrom("all", "exists", "filter", "map", "exists_one");
  const nest = fc
    .array(loop, { minLength: 1, maxLength: 6 })
    .map((loops) =>
      loops.reduceRight((inner, each) => `asset.tags.${each}(x, ${inner}).size() > 0`, "x + x != ''"),
    )
    .map((each) => each.replaceAll(/\.(all|exists|exists_one)\(x, (.*)\)\.size\(\) > 0/g, ".$1(x, $2)"));
  fc.assert(
    fc.property(nest, (each) => {
      expect(outcomeOf(each)).toBeTypeOf("object");
    }),
    { numRuns: runsOf(80) },
  );
});

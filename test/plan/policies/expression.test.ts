import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expressionsOver, objectTypeOf } from "../../../src/plan/policies/expression.ts";
import { maxSteps } from "../../../src/plan/policies/meter.ts";
import { anyCharacter } from "../../support/any-text.ts";
import { hostileExpression } from "./hostile-expressions.ts";
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

function valueOf<Outcome extends { readonly steps: number }>({ steps, ...outcome }: Outcome) {
  expect(steps).toBeLessThanOrEqual(maxSteps);
  return outcome;
}

/** What an expression comes to, or why it cannot be used. */
function outcomeOf(text: string): unknown {
  const expression = compile(text);
  return "reason" in expression ? expression : valueOf(expression.evaluate(entity));
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
    ["asset.ownerz.size() > 0", "No such key: ownerz; did you mean `owners`?", 6],
    ["asset.x.size() > 0", "No such key: x", 6],
    ["asset.owners.all(o, o.actve)", "No such key: actve; did you mean `active`?", 22],
    ["asset.owners[0].grups.size() > 0", "No such key: grups; did you mean `groups`?", 16],
    ["nmae == ''", "Unknown variable: nmae; did you mean `asset.name`?", 0],
    ["asset.name = 'x'", "Unexpected character: =; use `==` for equality", 11],
    ["asset.name === 'x'", "Unexpected character: =; use `==` for equality", 13],
    ["asset.name.startWith('x')", "cannot call startWith(); did you mean `startsWith`?", 0],
    ["asset.name", "its result must be true or false, but is of type string", 0],
    ["asset.name.matches('(a+)+$')", "cannot call matches()", 0],
    ["timestamp(1) == timestamp(1)", "cannot call timestamp()", 0],
    ["cel.bind(x, asset.name + asset.name, x == '')", "cannot call bind()", 0],
    ["asset.name ==", "Unexpected token: EOF", 13],
    ["asset.?name == ''", "Expected IDENTIFIER, got QUESTION", 6],
    ["asset.tags[?0] == ''", "Unexpected token: QUESTION", 11],
    [`asset.name == "${"x".repeat(3985)}"`, "it is longer than 4000 characters", 0],
  ])("%s", (text, reason, at) => {
    expect(outcomeOf(text)).toEqual({ reason, at });
  });

  test.each([
    ["asset.name", 'asset.name != ""'],
    ["asset.owners", "size(asset.owners) > 0"],
    ["asset.structured_properties", "size(asset.structured_properties) > 0"],
    ["o.active", "o.active"],
    ["o.groups", "size(o.groups) > 0"],
  ])("has(%s), which always exists", (access, write) => {
    const text = access.startsWith("o.") ? `asset.owners.exists(o, has(${access}))` : `has(${access})`;
    const reason = `${access} always exists, even if it is not set; instead of \`has()\`, write \`${write}\``;
    expect(outcomeOf(text)).toEqual({ reason, at: text.indexOf("has(") });
    expect(outcomeOf(text.replace(`has(${access})`, write))).toEqual({ value: true });
  });

  test("has() of a field that is not there", () => {
    expect(outcomeOf("has(asset.nam)")).toEqual({ reason: "No such key: nam; did you mean `name`?", at: 10 });
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

/** A text that is repeated, doubled again and again. */
const doubled = (text: string, times: number): string => `["${text}"]${".map(x, x + x)".repeat(times)}[0]`;

const sixtyThousand = doubled("a".repeat(1000), 6);

test.each([
  [
    "a text in which another one is looked for that nearly is there",
    `${sixtyThousand}.contains("${"a".repeat(500)}b${"a".repeat(500)}")`,
    false,
  ],
  [
    "a text at the end of which another one is",
    `${sixtyThousand}.endsWith(${doubled("a".repeat(1000), 5)})`,
    true,
  ],
  ["texts that differ at their ends", `${sixtyThousand} == ${sixtyThousand} + "c"`, false],
])("%s is read, and each reading counts", (_, text, value) => {
  expect(outcomeOf(text)).toEqual({ value });
  expect(outcomeOf(`asset.tags.exists(t, (${text}) == ${!value})`)).toEqual(tooLong);
});

test.each([
  ["lists of lists that look larger than they are", '["a"]' + ".map(x, [x, x])".repeat(20)],
  ["maps of maps", '[{"k": "v"}]' + '.map(x, {"a": x, "b": x})'.repeat(20)],
])("%s are not compared beyond the steps", (_, list) => {
  expect(outcomeOf(`${list} == ${list}`)).toEqual(tooLong);
  expect(outcomeOf(`${list}[0] in ${list}`)).toEqual(tooLong);
});

test("a text beyond 64 KiB and a pattern beyond 1,000 characters are not looked at, and nothing hides it", () => {
  const unknown = (what: string): object => ({ unknown: `a ${what}` });
  const long = unknown("string in the expression is longer than 65536 characters");
  expect(outcomeOf(`${doubled("aa", 15)} == ""`)).toEqual({ value: false });
  expect(outcomeOf(`${doubled("a", 16)} + "a" == ""`)).toEqual(long);
  expect(outcomeOf(`true || ${doubled("a", 17)} == "" || 1 / 0 == 1`)).toEqual({ value: true });
  expect(outcomeOf(`${doubled("a", 17)} == "" || true`)).toEqual(long);
  const pattern = unknown("pattern in the expression is longer than 1000 characters");
  expect(outcomeOf(`like(asset.name, ${doubled("*", 10)})`)).toEqual(pattern);
  expect(outcomeOf(`like(asset.name, ${doubled("*", 9)})`)).toEqual({ value: true });
});

test("has() says whether a map has a key, also of a map that is in a list", () => {
  expect(outcomeOf("has(asset.structured_properties.retention)")).toEqual({ value: true });
  expect(outcomeOf("has(asset.structured_properties.name)")).toEqual({ value: false });
  expect(outcomeOf("[asset.structured_properties].exists(m, has(m.name))")).toEqual({ value: false });
});

test("an evaluation takes no more steps than it is given, and says how many it took", () => {
  const expression = compile("asset.tags.exists(t, t == 'tag-40')");
  if ("reason" in expression) throw new Error(expression.reason);
  const { steps } = expression.evaluate(entity);
  expect(expression.evaluate(entity, steps)).toEqual({ value: true, steps });
  expect(expression.evaluate(entity, steps - 1)).toEqual({ ...tooLong, steps: steps - 1 });
});

test.each([
  [
    'asset.structured_properties["tier"].size() == 0',
    'No such key: tier; write `"tier" in asset.structured_properties && …`',
  ],
  [
    "asset.structured_properties.tier.size() == 0",
    "No such key: tier; write `has(asset.structured_properties.tier) && …`",
  ],
  ["asset.owners[1].active", "asset.owners has no element 1; write `size(asset.owners) > 1 && …`"],
  ["1 / 0 == 1", "division by zero"],
])("%s fails and is unknown, with what would avoid it where that is known", (text, reason) => {
  expect(outcomeOf(text)).toEqual({ unknown: `the expression failed: ${reason}` });
  const condition = /`(.*) && …`/.exec(reason)?.[1];
  if (condition !== undefined) expect(outcomeOf(`${condition} && ${text}`)).toEqual({ value: false });
});

test("an expression of the greatest length can be used", () => {
  expect(outcomeOf(`asset.name == "${"x".repeat(3984)}"`)).toEqual({ value: false });
});

test("an expression can be evaluated again", () => {
  const expression = compile("asset.tags.all(t, t != '')");
  if ("reason" in expression) throw new Error(expression.reason);
  const evaluated = Array.from({ length: 3 }, () => expression.evaluate(entity));
  const [first] = evaluated;
  expect(first).toMatchObject({ value: true });
  expect(evaluated).toEqual([first, first, first]);
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

const runs = runsOf(3200);

/** An entity that counts how often a field of it is asked for: each time is a step. */
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
    fc.property(fc.oneof(text, { arbitrary: hostileExpression, weight: 2 }), (each) => {
      const expression = compile(each);
      stepped.reads = 0;
      const outcome = "reason" in expression ? expression : valueOf(expression.evaluate(countedEntity));
      expect(stepped.reads).toBeLessThanOrEqual(maxSteps);
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

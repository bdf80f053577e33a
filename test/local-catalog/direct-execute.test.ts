import { buildSchema, execute, isAbstractType, parse, validate } from "graphql";
import { expect, test } from "vitest";
import { executeDirectly } from "../../src/local-catalog/direct-execute.ts";

const schema = buildSchema(`
  type Query { node(id: Int! = 1, tag: Colour): Node  sure: Node!  nodes: [Node]  all: [Node!]  any: [Any]  named: Named  deep: [[Int]] list: [Int] }
  type Mutation { add(n: Int!): Int  fail: Int  must: Int! }
  interface Named { name: String }
  type Node implements Named { id: Int!  name: String  colour: Colour  next: Node  self: Node!  bad: Int  worse: Int!  text(upper: Boolean = false): String }
  type Leaf implements Named { name: String  weight: Float }
  union Any = Node | Leaf
  enum Colour { RED BLUE }
`);

const leaf = { kind: "Leaf", name: "leaf", weight: 1.5 };
interface TestNode {
  readonly [key: string]: unknown;
}
function node(id: number): TestNode {
  return {
    kind: "Node",
    id,
    name: id === 4 ? null : `n${id}`,
    colour: id === 3 ? "GREEN" : "RED",
    next: () => (id < 4 ? node(id + 1) : null),
    self: () => (id === 2 ? null : node(id)),
    bad: () => fail(`bad ${id}`),
    worse: () => fail(`worse ${id}`),
    text: ({ upper }: { upper: boolean }) => (upper ? "TEXT" : "text"),
  };
}
function fail(message: string): never {
  throw new Error(message);
}

let added: number[] = [];
const rootValue = {
  node: ({ id }: { id: number }) => node(id),
  sure: () => null,
  nodes: () => [node(1), null, node(2)],
  all: () => [node(1), null],
  any: () => [node(1), leaf, null],
  named: leaf,
  deep: [[1, null], null, [2]],
  list: "no list",
  add: ({ n }: { n: number }) => added.push(n),
  fail: () => fail("failed"),
  must: () => fail("must not"),
};
for (const type of Object.values(schema.getTypeMap()))
  if (isAbstractType(type)) type.resolveType = (value: TestNode) => value["kind"] as string;

test.each<[name: string, document: string, variables?: Record<string, unknown>]>([
  [
    "fields, aliases and type names",
    "{ __typename a: node { __typename id b: name colour } c: named { name __typename } }",
  ],
  [
    "nested fragments and merged selections",
    "{ node { ...f next { id } } } fragment f on Node { next { name ...g } } fragment g on Named { n: name }",
  ],
  [
    "abstract types",
    "{ any { __typename ... on Named { name } ... on Leaf { weight } ... on Node { id } } }",
  ],
  [
    "arguments, defaults and variables",
    "query ($i: Int = 3, $u: Boolean!) { node(id: $i) { id text(upper: $u) plain: text } node2: node { id } }",
    { u: true },
  ],
  [
    "skip and include",
    "query ($y: Boolean!, $n: Boolean!) { node { id @skip(if: $y) name @include(if: $y) next @include(if: $n) { id } ...f @skip(if: $n) } } fragment f on Node { colour }",
    { y: true, n: false },
  ],
  ["an error where null may stand", "{ node { id bad next { bad name } } }"],
  ["an error where null may not stand", "{ node { next { next { worse id } } } }"],
  ["null where it may not stand", "{ node(id: 2) { id self { id } } }"],
  ["an error that reaches the root", "{ node { id } sure { id } }"],
  ["errors in lists", "{ nodes { id bad worse } all { id } any { ... on Node { self { bad } } } }"],
  ["an error in a list of what may be null", "{ nodes { self { id } } }"],
  ["lists of lists", "{ deep }"],
  ["no list where one belongs", "{ list node { id } }"],
  ["a value that is none of the enum", "{ node(id: 3) { colour id } }"],
  ["a variable of the wrong type", "query ($i: Int!) { node(id: $i) { id } }", { i: "x" }],
  ["a variable that is missing", "query ($i: Int!) { node(id: $i) { id } }"],
  ["an argument that is not given", "query ($i: Int) { node(id: $i) { id } }", { i: null }],
  ["introspection", '{ __schema { queryType { name } } node { id } t: __type(name: "Leaf") { kind } }'],
  ["a key that is no key of an object", "{ __proto__: node { id } }"],
  ["mutations, in their order", "mutation { a: add(n: 1) b: fail c: add(n: 2) d: must e: add(n: 3) }"],
  ["no such operation", "query A { node { id } } query B { node { id } }"],
])("answers as graphql-js does: %s", async (_name, source, variableValues) => {
  const document = parse(source);
  expect(validate(schema, document)).toEqual([]);
  const answers = [];
  for (const run of [execute, executeDirectly]) {
    added = [];
    const result = await run({ schema, document, rootValue, ...(variableValues && { variableValues }) });
    answers.push(JSON.parse(JSON.stringify({ ...result, added })));
  }
  expect(answers[1]).toEqual(answers[0]);
});

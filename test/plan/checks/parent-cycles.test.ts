import { expect, test } from "vitest";
import { type Entity, type FacetValue, scalarOf, setOf } from "../../../src/model/state.ts";
import { cyclesIn, parentCycles } from "../../../src/plan/checks/parent-cycles.ts";
import { exactPart, fullCatalog } from "../../../src/plan/diff/part.ts";
import { argOf } from "../../support/problem-args.ts";
import { entityOf, stateOf, urn } from "../../support/states.ts";

const line = (number: number): NonNullable<Entity["origin"]> => ({ file: "a.yaml", line: number, column: 1 });

function domain(id: string, parent?: FacetValue): Entity {
  return entityOf("Domain", urn(`urn:li:domain:${id}`), parent ? { parent_domain: parent } : {});
}

const below = (id: string | null, at?: number): FacetValue =>
  scalarOf(id === null ? null : `urn:li:domain:${id}`, at === undefined ? undefined : line(at));

// The domains, and of each problem its circle and its line.
test.each<readonly [string, readonly Entity[], readonly (readonly [string, number])[]]>([
  ["a domain at the top", [domain("a", below(null, 1))], []],
  ["a domain of which nothing is known", [domain("a")], []],
  ["a domain below itself", [domain("a", below("a", 1))], [["a a", 1]]],
  ["two, one below the other", [domain("a", below("b", 1)), domain("b", below("a", 2))], [["a b a", 1]]],
  [
    "a circle, named from its first domain whatever the order",
    [domain("c", below("a", 3)), domain("b", below("c", 2)), domain("a", below("b", 1))],
    [["a b c a", 1]],
  ],
  [
    "a circle of which manifests declare only the last parent",
    [domain("a", below("b")), domain("b", below("a", 2))],
    [["b a b", 2]],
  ],
  ["a circle that no manifest declares", [domain("a", below("b")), domain("b", below("a"))], []],
  ["a chain that leaves what is known", [domain("a", below("b", 1)), domain("b", below("x", 2))], []],
  ["a chain that ends", [domain("a", below("b", 1)), domain("b", below(null, 2))], []],
  [
    "a chain into a circle is no part of it",
    [domain("a", below("b", 1)), domain("b", below("c", 2)), domain("c", below("b", 3))],
    [["b c b", 2]],
  ],
  [
    "two circles",
    [domain("a", below("a", 1)), domain("b", below("c", 2)), domain("c", below("b", 3))],
    [
      ["a a", 1],
      ["b c b", 2],
    ],
  ],
  ["a parent that is no single value", [domain("a", setOf(["urn:li:domain:a"], line(1)))], []],
])("%s", (_, domains, circles) => {
  const problems = parentCycles(stateOf(...domains));

  expect(problems).toEqual(
    circles.map(([ids, at]) => ({
      code: "parent-cycle",
      severity: "error",
      args: { cycle: ids.split(" ").map((id) => `urn:li:domain:${id}`) },
      origin: line(at),
    })),
  );
});

// `a` and `b` are declared below each other, `d` below `c`, which the catalog has below `d` still.
const planned = [
  domain("a", below("b", 1)),
  domain("b", below("a", 2)),
  domain("c", below(null, 3)),
  domain("d", below("c", 4)),
];
const found = [domain("c", below("d")), domain("d", below(null))];

test.each<readonly [string, readonly string[] | undefined, readonly (readonly [string, string])[]]>([
  ["a plan as a whole is refused for each of its circles", undefined, [["parent-cycle", "a b a"]]],
  ["a part for those of the whole that it is in", ["b", "d"], [["parent-cycle", "a b a"]]],
  ["a part for those that it makes alone", ["d"], [["cyclic-selection", "d c d"]]],
  ["a part that makes none for none", ["c"], []],
])("%s", (_, ids, circles) => {
  const part = ids ? exactPart((of) => ids.some((id) => of === `urn:li:domain:${id}`)) : fullCatalog;
  const problems = cyclesIn(stateOf(...planned), { live: stateOf(...found), above: new Map() }, part);

  expect(
    problems.map((problem) => {
      const cycle = argOf(problem, "cycle") as readonly string[];
      return [problem.code, cycle.map((each) => each.replace("urn:li:domain:", "")).join(" ")];
    }),
  ).toEqual(circles);
});

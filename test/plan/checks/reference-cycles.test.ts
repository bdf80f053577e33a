import { expect, test } from "vitest";
import { setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { referenceCycles, selfReferencesByOthers } from "../../../src/plan/checks/reference-cycles.ts";
import { entityOf, stateOf, urn } from "../../support/states.ts";

const term = (id: string): Urn => urn(`urn:li:glossaryTerm:${id}`);

function stateWhere(edges: Readonly<Record<string, string>>, facet = "inherits") {
  const terms = Object.entries(edges).map(([id, to]) =>
    entityOf("GlossaryTerm", term(id), {
      [facet]: setOf(to.split("").map(term), { file: `${id}.yaml`, line: 1, column: 1 }),
    }),
  );
  return stateOf(...terms);
}

test.each<readonly [string, Readonly<Record<string, string>>, readonly string[]]>([
  ["two that inherit each other", { a: "b", b: "a" }, ["ab"]],
  ["three in a row, with others before and behind", { x: "b", b: "cy", c: "a", a: "b", y: "" }, ["abc"]],
  ["two cycles", { a: "b", b: "a", c: "d", d: "ca" }, ["ab", "cd"]],
  ["two cycles that share one", { a: "bc", b: "a", c: "a" }, ["ab"]],
  ["none: what is inherited on two ways, and itself", { a: "abc", b: "d", c: "d", d: "e" }, []],
])("terms in cycles: %s", (_, edges, expected) => {
  expect(referenceCycles(stateWhere(edges)).map(({ cycle }) => cycle)).toEqual(
    expected.map((ids) => ids.split("").map(term)),
  );
});

test("a very long chain ends, with and without a cycle at its end", () => {
  const chain = (last: string): ReturnType<typeof stateOf> =>
    stateOf(
      ...Array.from({ length: 20_000 }, (_, index) =>
        entityOf("GlossaryTerm", term(`${index}`), {
          inherits: setOf([term(index === 19_999 ? last : `${index + 1}`)]),
        }),
      ),
    );
  expect(referenceCycles(chain("x"))).toEqual([]);
  expect(referenceCycles(chain("19998"))).toMatchObject([{ cycle: [term("19998"), term("19999")] }]);
});

test("one problem names all of a cycle, at its first term; terms that contain each other are none", () => {
  expect(selfReferencesByOthers(stateWhere({ b: "a", a: "b" }))).toEqual([
    {
      code: "self-reference",
      severity: "error",
      args: { facet: "inherits", kind: "GlossaryTerm", urn: term("a"), by: [term("b")] },
      origin: { file: "a.yaml", line: 1, column: 1 },
    },
  ]);
  expect(selfReferencesByOthers(stateWhere({ b: "a", a: "b" }, "related_terms"))).toEqual([]);
});
